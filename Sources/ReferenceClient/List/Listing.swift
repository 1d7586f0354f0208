import ChatWire
import SquallCore

/// Owns the list of conversations beside the open one: what the server says of each, and the counts that it shows.
///
/// It hears of every change of a count and asks nobody for it; what the server knows and the client does not, it fetches when
/// it is opened, and at intervals where the profile names one. Nothing is shown of it before it is opened.
struct Listing {
    /// What the server's list says of one conversation.
    struct Summary {
        let lastText: String?
        let lastTimestamp: Int64?
    }

    private let rules: Rules
    private var policy: ListPolicy { rules.policy.list }
    private(set) var isInUse = false
    private(set) var summaries: [String: Summary] = [:]
    /// In the order they came to be known.
    private(set) var names: [String] = []
    private var counts: [String: Int64] = [:]
    /// What each badge said last, where it said something.
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

    /// The user looks at the list. `counts` are those of the moment.
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

    /// Nobody looks.
    mutating func background() { nextRefresh = nil }

    mutating func foreground(at now: Instant) {
        if isInUse { planRefresh(at: now) }
    }

    mutating func countsFetched() { hasFetched = true }

    /// A conversation has a message, or another count.
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

    /// What stands beside a conversation: nothing where nothing is unread.
    mutating func badge(of conversation: String) -> String? {
        let count = counts[conversation] ?? 0
        if count == 0, policy.cleared == .isGone { return nil }
        if count != 0 { badges[conversation] = Self.text(of: count, limit: rules.profile.badge.limit) }
        return badges[conversation]
    }

    /// `99+` beyond a limit of 99.
    static func text(of count: Int64, limit: Int64) -> String {
        limit > 0 && count > limit ? "\(limit)+" : String(count)
    }
}
