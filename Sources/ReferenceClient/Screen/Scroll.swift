import ChatWire
import SquallCore

/// Owns where each conversation is being read.
///
/// A reader is at the end, where new messages come, or at a message that is the first one visible. What comes while he is
/// elsewhere moves nothing. Nothing is shown of all this before somebody scrolls.
struct Scroll {
    private enum Place: Equatable {
        case end
        /// By the message's key.
        case at(String)
    }

    private let policy: ScrollPolicy
    /// Conversations that are not here are at their end.
    private var places: [String: Place] = [:]
    private(set) var isInUse = false
    /// Why the list is to move to its end, once the step is over.
    private var moves: (cause: String, conversation: String)?

    init(_ rules: Rules) {
        policy = rules.policy.scroll
    }

    func isAtEnd(_ conversation: String) -> Bool { places[conversation] ?? .end == .end }

    /// The first visible message; nil at the end.
    func anchor(of conversation: String) -> String? {
        if case .at(let key) = places[conversation] { key } else { nil }
    }

    /// `key` is the message that is now the first one visible; nil for the end.
    mutating func move(to key: String?, in conversation: String, because cause: String, _ step: inout Step) {
        isInUse = true
        places[conversation] = key.map { .at($0) } ?? .end
        step.log("client.scrolled", ["cause": .string(cause), "to": key == nil ? "end" : "message"])
        step.changes.insert(.screen)
    }

    mutating func left(_ conversation: String) {
        if policy.switching == .forgetsThePlace { places[conversation] = nil }
    }

    /// The user has sent a message there, and wants to see it.
    mutating func sent(into conversation: String) {
        if isInUse { moves = ("own_message", conversation) }
    }

    /// A message of the server has come into the conversation on the screen.
    mutating func came(into conversation: String, via arrival: Arrival) {
        guard isInUse else { return }
        switch arrival {
        case .live, .replay, .page:
            guard policy.growth == .scrollsToEnd || isAtEnd(conversation) else { return }
            moves = ("new_message", conversation)
        case .history, .earlier:
            // Who is at the end stays there without moving.
            guard policy.growth == .scrollsToEnd, arrival == .earlier || !isAtEnd(conversation) else { return }
            moves = (arrival == .earlier ? "history" : "new_message", conversation)
        }
    }

    /// However many messages a step brings, the list moves once.
    ///
    /// The conversation whose list has moved to its end; nil where none has.
    mutating func finish(_ step: inout Step) -> String? {
        guard let moves else { return nil }
        self.moves = nil
        move(to: nil, in: moves.conversation, because: moves.cause, &step)
        return moves.conversation
    }
}

/// What moves the reader.
package struct ScrollPolicy: Hashable, Sendable {
    /// What a list does that grows while somebody reads in its middle.
    package enum Growth: Hashable, Sendable { case staysWhereItIs, scrollsToEnd }
    package enum Switching: Hashable, Sendable { case keepsThePlace, forgetsThePlace }
    package enum Marker: Hashable, Sendable { case isShown, none }

    package var growth = Growth.staysWhereItIs
    package var switching = Switching.keepsThePlace
    package var marker = Marker.isShown

    static let defects: [Defect] = [
        Defect(
            "scrollToBottomOnCountChange",
            ["UX-1.3a", "UX-1.3f", "UX-1.5d", "UX-3.1e"],
            "whatever changes the number of rows scrolls to the end",
            policy: { $0.scroll.growth = .scrollsToEnd }
        ),
        Defect(
            "scrollLostOnSwitch",
            ["UX-3.1a"],
            "each switch begins at the end, wherever the conversation was read",
            policy: { $0.scroll.switching = .forgetsThePlace }
        ),
        Defect(
            "noNewMarker",
            ["UX-1.5b"],
            "what came unseen merges with the rest without a sign",
            policy: { $0.scroll.marker = .none }
        ),
    ]
}

extension Scroll {
    static let registry: [RegistryEntry] = [
        .observable(
            "scroll.anchor",
            .text,
            "The first visible message of the open conversation; null at its end. Told from the first scroll on."
        ),
        .event(
            "client.scrolled",
            ["cause", "to"],
            "The list has moved to its `end` or to a `message`, because of `user`, `new_message`, `own_message`, `history` or `target`."
        ),
        .observable(
            "new_marker.before",
            .text,
            "The message before which the separator stands: the first of those that came unseen; null for no separator."
        ),
        .observable("new_marker.count", .integer, "How many stand behind the separator."),
    ]
}
