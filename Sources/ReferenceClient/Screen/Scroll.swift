import ChatWire
import SquallCore

/// Owns the scroll position of each conversation.
///
/// A list either is at its end, where new messages appear, or is scrolled so that a given message is the first visible
/// one. New messages move the list only if it is at its end. The scroll position is not reported before the user first
/// scrolls, unless the profile says so.
struct Scroll {
    private enum Place: Equatable {
        case end
        /// The list is scrolled so that the message with this key is the first visible one.
        case at(String)
    }

    private let policy: ScrollPolicy
    /// The positions by conversation; a conversation without an entry is at its end.
    private var places: [String: Place] = [:]
    /// Whether the scroll position is reported: once a list has been scrolled, or always if the profile says so.
    private(set) var isInUse: Bool
    /// The conversation to scroll to its end once the current input has been handled, with the cause of the scroll; nil
    /// if no scroll is pending.
    private var moves: (cause: String, conversation: String)?

    init(_ rules: Rules) {
        policy = rules.policy.scroll
        isInUse = rules.profile.view.showsPlace
    }

    func isAtEnd(_ conversation: String) -> Bool { places[conversation] ?? .end == .end }

    /// Returns the key of the first visible message; nil if the list is at its end.
    func anchor(of conversation: String) -> String? {
        if case .at(let key) = places[conversation] { key } else { nil }
    }

    /// Scrolls a conversation to the message with this key, or to the end if `key` is nil, and logs the cause.
    mutating func move(to key: String?, in conversation: String, because cause: String, _ step: inout Step) {
        isInUse = true
        places[conversation] = key.map { .at($0) } ?? .end
        step.log("client.scrolled", ["cause": .string(cause), "to": key == nil ? "end" : "message"])
        step.changes.insert(.screen)
    }

    mutating func left(_ conversation: String) {
        if policy.switching == .forgetsThePlace { places[conversation] = nil }
    }

    /// Schedules a scroll to the end, so that the user sees the message that was just sent.
    mutating func sent(into conversation: String) {
        if isInUse { moves = ("own_message", conversation) }
    }

    /// Handles a message from the server in the open conversation; schedules a scroll to the end if the list is at its
    /// end.
    mutating func messageArrived(into conversation: String, via arrival: Arrival) {
        guard isInUse, policy.growth != .neverMoves else { return }
        switch arrival {
        case .live, .replay, .page:
            guard policy.growth == .scrollsToEnd || isAtEnd(conversation) else { return }
            moves = ("new_message", conversation)
        case .history, .earlier:
            // A list at its end displays the newest page without scrolling, so only a planted defect scrolls here.
            guard policy.growth == .scrollsToEnd, arrival == .earlier || !isAtEnd(conversation) else { return }
            moves = (arrival == .earlier ? "history" : "new_message", conversation)
        }
    }

    /// Scrolls the list to its end, once, if any of the messages just added requires it.
    ///
    /// - Returns: The conversation whose list has scrolled; nil if none has.
    mutating func finish(_ step: inout Step) -> String? {
        guard let moves else { return nil }
        self.moves = nil
        move(to: nil, in: moves.conversation, because: moves.cause, &step)
        return moves.conversation
    }
}

/// How lists scroll when messages are added and when the user switches conversations, and whether new messages are
/// marked.
package struct ScrollPolicy: Hashable, Sendable {
    /// How a list scrolls when messages are added. A correct list scrolls only if it is at its end.
    package enum Growth: Hashable, Sendable { case staysWhereItIs, scrollsToEnd, neverMoves }
    package enum Switching: Hashable, Sendable { case keepsThePlace, forgetsThePlace }
    package enum Marker: Hashable, Sendable { case isShown, none }

    package var growth = Growth.staysWhereItIs
    package var switching = Switching.keepsThePlace
    package var marker = Marker.isShown

    static let defects: [Defect] = [
        Defect(
            "scrollToBottomOnCountChange",
            ["UX-1.3a", "UX-1.3f", "UX-1.5d", "UX-3.1e", "UX-4.4a"],
            "any change of the number of rows scrolls to the end",
            policy: { $0.scroll.growth = .scrollsToEnd }
        ),
        Defect(
            "newMessageNotScrolledTo",
            ["UX-1.3b"],
            "a list at its end does not move when a message arrives",
            policy: { $0.scroll.growth = .neverMoves }
        ),
        Defect(
            "scrollLostOnSwitch",
            ["UX-3.1a", "UX-3.1c"],
            "switching conversations loses the scroll position",
            policy: { $0.scroll.switching = .forgetsThePlace }
        ),
        Defect(
            "noNewMarker",
            ["UX-1.5b"],
            "no separator marks the messages that arrived unseen",
            policy: { $0.scroll.marker = .none }
        ),
    ]
}

extension Scroll {
    static let registry: [RegistryEntry] = [
        .observable(
            "scroll.anchor",
            .text,
            "The first visible message of the open conversation; null while its end is visible. Reported from the "
                + "first scroll on."
        ),
        .event(
            "client.scrolled",
            ["cause", "to"],
            "The list has scrolled to its `end` or to a `message`; "
                + "`cause` is `user`, `new_message`, `own_message`, `history` or `target`."
        ),
        .observable(
            "new_marker.before",
            .text,
            "The first unseen message, which is below the 'new messages' separator; null if there is no separator."
        ),
        .observable("new_marker.count", .integer, "The number of messages below the 'new messages' separator."),
    ]
}
