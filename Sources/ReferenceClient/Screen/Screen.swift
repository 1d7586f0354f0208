import ChatWire
import SquallCore

/// Owns what surrounds the messages on the screen: whom there is to write to, what an empty conversation offers, what
/// stays of the conversation before.
struct Screen {
    /// Where the list of partners stands.
    enum List {
        case notAsked, asked, here, failed
    }

    private let rules: Rules
    private var policy: ScreenPolicy { rules.policy.screen }
    private(set) var list = List.notAsked
    /// What earlier lives have heard of names.
    private var names: [String: String] = [:]
    /// What stands in the field to type in; nil where the user has not been there.
    private(set) var composed: String?
    /// Rows of the conversation that was left, shown until the next has its own.
    private(set) var kept: [String] = []
    /// Grows whenever anything of it changes.
    private(set) var version = 0

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        for entry in store.entries where entry.key.hasPrefix(Self.storePrefix) {
            names[String(entry.key.dropFirst(Self.storePrefix.count))] = entry.value.stringValue
        }
    }

    private static let storePrefix = "name/"

    /// What to call whoever is written to there.
    func name(of conversation: String) -> String { names[conversation] ?? conversation }

    /// Nil where only the id is known.
    func knownName(of conversation: String) -> String? { names[conversation] }

    /// What an empty conversation offers to say.
    var suggestions: [String] {
        guard policy.empty == .isThemed else { return [] }
        return rules.profile.text.empty.suggestions.split(separator: "|").map(String.init)
    }

    /// What an empty conversation says; of one with a partner who is known, that nothing was ever written.
    func emptyText(isPartnerKnown: Bool) -> String {
        let texts = rules.profile.text.empty
        guard policy.empty == .isThemed else { return texts.generic }
        return isPartnerKnown ? texts.neverWritten : texts.clear
    }

    var showsPartners: Bool { policy.empty == .isThemed }

    // MARK: - The list of partners

    /// Whether messages may be asked for, whatever becomes of the list.
    var letsMessagesLoad: Bool { list != .asked || policy.start == .asksTogether }

    /// Whether a start asks whom there is to write to: not where that is known or the profile wants none of it.
    mutating func begin(_ step: inout Step) -> Bool {
        guard rules.profile.start.asksForPartners, list != .asked, list != .here else { return false }
        list = .asked
        changed(&step)
        return true
    }

    /// Whom there is to write to is here, or will not come (`nil`).
    ///
    /// `order` is their conversations. Who starts, and has never looked at a conversation, looks at the first.
    mutating func listed(_ agents: [Agent]?, order: [String], isOpen: Bool, _ step: inout Step) {
        let wasAsked = list == .asked
        if wasAsked {
            list = agents == nil ? .failed : .here
            changed(&step)
        }
        guard let agents else { return }
        learn(agents, in: order, &step)
        if wasAsked, !isOpen, let first = order.first { step.emit(.lookAt(conversation: first)) }
    }

    /// A conversation of two is called as the other is.
    private mutating func learn(_ agents: [Agent], in conversations: [String], _ step: inout Step) {
        for conversation in conversations {
            let members = agents.filter { $0.conversation == conversation }
            guard members.count == 1, name(of: conversation) != members[0].name else { continue }
            names[conversation] = members[0].name
            step.store(Self.storePrefix + conversation, .string(members[0].name))
            step.perform(.phone(.callPartner(of: conversation, members[0].name)))
            changed(&step)
        }
    }

    // MARK: - Switching

    /// Another conversation takes the screen; `rows` is what was on it.
    ///
    /// `isBlank`: the other has nothing to show yet. `order` is the conversations in the server's order, `known` in the
    /// order they came to be known, for where the server has told none.
    mutating func switched(
        from before: String,
        to conversation: String,
        rows: [String],
        isBlank: Bool,
        order: [String],
        known: [String],
        _ step: inout Step
    ) {
        if !isBlank {
            kept = []
        } else if rules.profile.switching.keepsDimmed, !rows.isEmpty {
            kept = rows
        }
        composed = composed.map { _ in "" }
        let list = order.contains(before) && order.contains(conversation) ? order : known
        let last = list.endIndex
        let isForward = list.firstIndex(of: before) ?? last < list.firstIndex(of: conversation) ?? last
        step.log("client.transition", ["direction": isForward ? "left" : "right"])
        changed(&step)
    }

    // MARK: - The field to type in

    /// The user takes one of the suggestions, counted from 1.
    mutating func take(suggestion number: Int64, _ step: inout Step) {
        guard let place = Int(exactly: number), suggestions.indices.contains(place - 1) else { return }
        composed = suggestions[place - 1]
        changed(&step)
    }

    /// What was typed is on its way.
    mutating func sent(_ step: inout Step) {
        guard composed != nil, composed != "" else { return }
        composed = ""
        changed(&step)
    }

    private mutating func changed(_ step: inout Step) {
        version += 1
        step.changes.insert(.screen)
    }
}

/// How the screen begins, and what it says where there is nothing.
package struct ScreenPolicy: Hashable, Sendable {
    package enum Start: Hashable, Sendable { case asksTogether, asksOneAfterTheOther }
    package enum Empty: Hashable, Sendable { case isThemed, isGeneric }

    package var start = Start.asksTogether
    package var empty = Empty.isThemed

    static let defects: [Defect] = [
        Defect(
            "serialBootstrap",
            ["UX-1.1c"],
            "a start asks for the messages when the list of partners is here, and not before",
            policy: { $0.screen.start = .asksOneAfterTheOther }
        ),
        Defect(
            "genericEmptyState",
            ["UX-1.6a", "UX-1.6c", "UX-3.4a", "UX-3.4b"],
            "an empty conversation says the same of everybody and offers nothing",
            policy: { $0.screen.empty = .isGeneric }
        ),
    ]
}

extension Screen {
    static let registry: [RegistryEntry] = [
        .observable("view.header_name", .text, "Whose conversation is on the screen; null for none."),
        .observable(
            "view.loading_text",
            .text,
            "What stands in the place of messages that are being loaded; null where none are."
        ),
        .observable("view.stale", .flag, "Whether the rows are dimmed: they are those of the conversation before."),
        .observable("view.empty_text", .text, "What an empty conversation says; null where it is not empty."),
        .observable("view.suggestions", .list, "What an empty conversation offers to say."),
        .observable(
            "view.partner_status",
            .words(Presence.self),
            "Whether the partner of an empty conversation is there; null where nobody is known, or it is not empty."
        ),
        .observable(
            "view.partner_last_seen",
            .text,
            "When a partner who is not there was last seen; null likewise, and for whoever is there."
        ),
        .observable("view.partner_about", .text, "Who the partner of an empty conversation is; null likewise."),
        .observable("composer.text", .text, "What stands in the field to type in, once the user has been there."),
        .event(
            "client.transition",
            ["direction"],
            "The screen slides to the `left`, to a conversation further down the list, or to the `right`."
        ),
    ]
}
