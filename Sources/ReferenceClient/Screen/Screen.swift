import ChatWire
import SquallCore

/// Owns the parts of the screen around the messages: the list of chat partners, the empty state, the input field, and
/// the rows of the previous conversation.
struct Screen {
    /// The state of the request for the list of chat partners.
    enum List {
        case notAsked, asked, here, failed
    }

    private let rules: Rules
    private var policy: ScreenPolicy { rules.policy.screen }
    private(set) var list = List.notAsked
    /// Whether a conversation has been opened, so that the list of partners no longer chooses one.
    private var hasOpened = false
    /// The names of the partners by conversation, including those stored by earlier processes.
    private var names: [String: String] = [:]
    /// The unsent text in each conversation's input field, by conversation.
    private var drafts: [String: String] = [:]
    /// Whether an input field has been used; the text of input fields is not reported until then.
    private(set) var isComposing = false
    /// The rows of the previous conversation, displayed until the open conversation has rows of its own.
    private(set) var kept: [String] = []
    /// A counter that is incremented whenever the state of the screen changes.
    private(set) var version = 0

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        for entry in store.entries where entry.key.hasPrefix(Self.storePrefix) {
            names[String(entry.key.dropFirst(Self.storePrefix.count))] = entry.value.stringValue
        }
    }

    private static let storePrefix = "name/"

    /// Returns the name of the conversation's partner, or the conversation's ID if the name is unknown.
    func name(of conversation: String) -> String { names[conversation] ?? conversation }

    /// Returns the name of the conversation's partner; nil if only the conversation's ID is known.
    func knownName(of conversation: String) -> String? { names[conversation] }

    /// The messages that are suggested in an empty conversation.
    var suggestions: [String] {
        guard policy.empty == .isThemed else { return [] }
        return rules.profile.text.empty.suggestions.split(separator: "|").map(String.init)
    }

    /// Returns the text displayed in an empty conversation, which depends on whether the partner is known.
    func emptyText(isPartnerKnown: Bool) -> String {
        let texts = rules.profile.text.empty
        guard policy.empty == .isThemed else { return texts.generic }
        return isPartnerKnown ? texts.neverWritten : texts.clear
    }

    var showsPartners: Bool { policy.empty == .isThemed }

    /// Records that a conversation has been opened.
    mutating func opened() { hasOpened = true }

    // MARK: - Partner list

    /// Whether the client may request messages now. Only a planted defect makes it wait until the list of partners
    /// has been fetched.
    var letsMessagesLoad: Bool { list != .asked || policy.start == .asksTogether }

    /// Marks the list of partners as requested at launch.
    ///
    /// - Returns: Whether the caller must request the list: false if it has loaded or is being requested, or if the
    ///   profile does not use it.
    mutating func begin(_ step: inout Step) -> Bool {
        guard rules.profile.start.asksForPartners, list != .asked, list != .here else { return false }
        list = .asked
        changed(&step)
        return true
    }

    /// Handles the list of partners; `agents` is nil if the request has failed.
    ///
    /// `order` is the server's order of the conversations. A launch without an open conversation opens the first of
    /// them.
    mutating func listed(_ agents: [Agent]?, order: [String], isOpen: Bool, _ step: inout Step) {
        // A request that failed is repeated without `begin`.
        let wasMissing = list == .asked || list == .failed
        if wasMissing, list != (agents == nil ? .failed : .here) {
            list = agents == nil ? .failed : .here
            changed(&step)
        }
        guard let agents else { return }
        learn(agents, in: order, &step)
        let opensFirst = !hasOpened || policy.lateList == .opensTheFirst
        if wasMissing, !isOpen, opensFirst, let first = order.first { step.emit(.lookAt(conversation: first)) }
    }

    /// Gives each conversation with only one other member that member's name, and stores the name.
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

    /// Switches the screen to another conversation.
    ///
    /// - Parameters:
    ///   - before: The previous conversation.
    ///   - conversation: The conversation to open.
    ///   - rows: The rows of the previous conversation.
    ///   - isBlank: Whether the new conversation has nothing to display yet.
    ///   - order: The conversations in the server's order.
    ///   - known: The conversations in the order in which the client learned of them; used unless `order` contains both
    ///     the previous and the new conversation.
    ///   - step: Receives the outputs.
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
        let list = order.contains(before) && order.contains(conversation) ? order : known
        let last = list.endIndex
        let isForward =
            policy.direction == .isAlwaysForward
            || list.firstIndex(of: before) ?? last < list.firstIndex(of: conversation) ?? last
        step.log("client.transition", ["direction": isForward ? "left" : "right"])
        changed(&step)
    }

    // MARK: - Input field

    /// Returns the text in the conversation's input field.
    func draft(of conversation: String?) -> String { drafts[field(of: conversation)] ?? "" }

    /// Copies a suggestion into the conversation's input field; `number` starts at 1, and an unknown number is ignored.
    mutating func take(suggestion number: Int64, in conversation: String?, _ step: inout Step) {
        guard let index = Int(exactly: number), suggestions.indices.contains(index - 1) else { return }
        isComposing = true
        drafts[field(of: conversation)] = suggestions[index - 1]
        changed(&step)
    }

    /// Clears the conversation's input field after its text was sent.
    mutating func sent(into conversation: String, _ step: inout Step) {
        guard drafts.removeValue(forKey: field(of: conversation)) != nil else { return }
        changed(&step)
    }

    private func field(of conversation: String?) -> String {
        policy.drafts == .arePerConversation ? conversation ?? "" : ""
    }

    private mutating func changed(_ step: inout Step) {
        version += 1
        step.changes.insert(.screen)
    }
}

/// How the screen behaves at launch, and what it displays for an empty conversation.
package struct ScreenPolicy: Hashable, Sendable {
    package enum Start: Hashable, Sendable { case asksTogether, asksOneAfterTheOther }
    package enum Empty: Hashable, Sendable { case isThemed, isGeneric }
    /// The direction of the transition from one conversation to another: it depends on their order in the list, or is
    /// always forward.
    package enum Direction: Hashable, Sendable { case followsTheList, isAlwaysForward }
    /// How the previous conversation's rows are displayed while the next conversation loads: dimmed, or like current
    /// rows.
    package enum KeptRows: Hashable, Sendable { case areDimmed, lookCurrent }
    package enum Drafts: Hashable, Sendable { case arePerConversation, followTheUser }

    /// What a list of partners does if it arrives after the user has opened and left a conversation: nothing, or it
    /// opens the first partner's conversation.
    package enum LateList: Hashable, Sendable { case opensNothing, opensTheFirst }

    package var lateList = LateList.opensNothing
    package var start = Start.asksTogether
    package var empty = Empty.isThemed
    package var direction = Direction.followsTheList
    package var keptRows = KeptRows.areDimmed
    package var drafts = Drafts.arePerConversation

    static let defects: [Defect] = [
        Defect(
            "serialBootstrap",
            ["UX-1.1c"],
            "a start requests messages only after the list of partners has loaded",
            policy: { $0.screen.start = .asksOneAfterTheOther }
        ),
        Defect(
            "lateListOpens",
            ["PN-X12"],
            "a list that arrives late opens its first conversation, although the user has left another one",
            policy: { $0.screen.lateList = .opensTheFirst }
        ),
        Defect(
            "genericEmptyState",
            ["UX-1.6a", "UX-1.6c", "UX-3.4a", "UX-3.4b"],
            "an empty conversation shows the same text for every partner and no suggestions",
            policy: { $0.screen.empty = .isGeneric }
        ),
        Defect(
            "switchesLookAlike",
            ["UX-3.3a"],
            "every switch between conversations has the same direction",
            policy: { $0.screen.direction = .isAlwaysForward }
        ),
        Defect(
            "keptRowsLookCurrent",
            ["UX-1.4c"],
            "the rows of the previous conversation look like those of the open one",
            policy: { $0.screen.keptRows = .lookCurrent }
        ),
        Defect(
            "draftFollowsTheUser",
            ["UX-X3"],
            "a text that was not sent is in the input field of the next conversation",
            policy: { $0.screen.drafts = .followTheUser }
        ),
    ]
}

extension Screen {
    static let registry: [RegistryEntry] = [
        .observable(
            "view.header_name",
            .text,
            "The conversation partner's name in the header; null if no conversation is open."
        ),
        .observable(
            "view.loading_text",
            .text,
            "The text shown while messages are loading; null at any other time."
        ),
        .observable("view.stale", .flag, "Whether the dimmed rows of the previous conversation are shown."),
        .observable(
            "view.empty_text",
            .text,
            "The text shown in an empty conversation; null if the conversation is not empty."
        ),
        .observable("view.suggestions", .list, "The messages that an empty conversation suggests to the user."),
        .observable(
            "view.partner_status",
            .words(Presence.self),
            "The partner's presence, shown in an empty conversation; null if the conversation is not empty or the "
                + "partner is unknown."
        ),
        .observable(
            "view.partner_last_seen",
            .text,
            "The time when the partner was last seen, shown in an empty conversation; null if the conversation is not "
                + "empty or the partner is present."
        ),
        .observable(
            "view.partner_about",
            .text,
            "The partner's description, shown in an empty conversation; null if the conversation is not empty or the "
                + "partner is unknown."
        ),
        .observable(
            "composer.text",
            .text,
            "The text in the message input field; absent until the field is first used."
        ),
        .event(
            "client.transition",
            ["direction"],
            "The screen has slid `left`, to a conversation further down the list, or `right`, to one further up."
        ),
    ]
}
