import ChatWire
import SquallCore

/// Owns the list of conversations: the server's summaries and the unread counts that the list shows.
///
/// The client notifies it of every change of a count. The server's summaries and counts are fetched when the list is
/// opened, and at the profile's interval if that is not zero. None of its observables is shown before it is opened.
struct Listing {
    /// The server's summary of one conversation.
    struct Summary {
        let lastText: String?
        let lastTimestamp: Int64?
    }

    private let rules: Rules
    private var policy: ListPolicy { rules.policy.list }
    /// Whether the list was ever opened.
    private(set) var isInUse = false
    private(set) var summaries: [String: Summary] = [:]
    /// The conversations in the order in which the list first heard of them.
    private(set) var names: [String] = []
    private var counts: [String: Int64] = [:]
    /// The last text of each badge that has shown one.
    private var badges: [String: String] = [:]
    private var hasFetched = false
    private var nextRefresh: Instant?

    init(_ rules: Rules) {
        self.rules = rules
    }

    var deadline: Instant? { nextRefresh }

    mutating func timer(_ step: inout Step) {
        guard let due = nextRefresh, due <= step.now else { return }
        planRefresh(at: step.now)
        guard policy.fetching == .eachTime || !hasFetched else { return }
        step.emit(.ask(.counts))
    }

    /// Handles that the user has opened the list; `counts` are the current unread counts.
    mutating func open(_ counts: [(name: String, count: Int64)], _ step: inout Step) {
        isInUse = true
        step.changes.insert(.list)
        for (name, count) in counts { learn(name, count) }
        planRefresh(at: step.now)
        guard policy.fetching == .eachTime || !hasFetched else { return }
        step.emit(.ask(.summaries))
    }

    private mutating func planRefresh(at now: Instant) {
        let interval = rules.profile.unread.refresh
        nextRefresh = interval > .zero ? now + interval : nil
    }

    mutating func fetched(_ list: ConversationList, _ step: inout Step) {
        hasFetched = true
        step.changes.insert(.list)
        for summary in list.conversations {
            add(summary.id)
            summaries[summary.id] = Summary(
                lastText: summary.lastMessage?.text,
                lastTimestamp: summary.lastMessage?.timestamp
            )
        }
    }

    /// Stops the periodic refresh while the app is in the background.
    mutating func background() { nextRefresh = nil }

    mutating func foreground(at now: Instant) {
        if isInUse { planRefresh(at: now) }
    }

    mutating func countsFetched() { hasFetched = true }

    /// Handles a new message or a changed unread count of a conversation.
    mutating func changed(_ conversation: String, _ count: Int64, _ step: inout Step) {
        guard isInUse else { return }
        step.changes.insert(.list)
        guard policy.changes == .areHeard else { return add(conversation) }
        learn(conversation, count)
    }

    private mutating func learn(_ conversation: String, _ count: Int64) {
        add(conversation)
        counts[conversation] = count
    }

    mutating func add(_ conversation: String) {
        if !names.contains(conversation) { names.append(conversation) }
    }

    /// The text of the conversation's badge; nil if it has no unread messages.
    mutating func badge(of conversation: String) -> String? {
        let count = counts[conversation] ?? 0
        if count == 0, policy.cleared == .isGone { return nil }
        if count != 0 { badges[conversation] = Self.text(of: count, limit: rules.profile.badge.limit) }
        return badges[conversation]
    }

    /// The count as text, or `99+` for a count beyond a limit of 99; a limit of 0 means none.
    static func text(of count: Int64, limit: Int64) -> String {
        limit > 0 && count > limit ? "\(limit)+" : String(count)
    }
}
