import ChatWire
import SquallCore

/// Owns the list of conversations: the server's summaries, and the unread counts that the list displays.
///
/// The client notifies the list of every changed count. Summaries and counts are fetched from the server when the list
/// is opened, and at the profile's interval if that is not zero. None of the list's observables is reported before the
/// list is opened.
struct Listing {
    /// The server's summary of one conversation.
    struct Summary {
        let lastText: String?
        let lastTimestamp: Int64?
    }

    private let rules: Rules
    private var policy: ListPolicy { rules.policy.list }
    /// Whether the list has been opened.
    private(set) var isInUse = false
    /// Whether the user has opened a conversation since the list was last opened, so that it covers the list.
    private(set) var isCovered = false
    private(set) var summaries: [String: Summary] = [:]
    /// The newest sequence number in the last fetched summaries.
    private var newestListed: Int64 = 0
    /// The conversations in the order in which they were added to the list.
    private(set) var names: [String] = []
    private var counts: [String: Int64] = [:]
    /// The text last displayed by each badge; badges that were never displayed are absent.
    private var badges: [String: String] = [:]
    private var hasFetched = false
    private var nextRefresh: Instant?
    /// The number of requests for the summaries that have failed since the last success.
    private var failures: Int64 = 0
    private var retryAt: Instant?
    /// The number of requests for the counts that have failed since the last success.
    private var countFailures: Int64 = 0
    private var countsRetryAt: Instant?
    /// The server's newest sequence number at the first connection; nil once the summaries have been compared with it.
    private var historyStart: Int64?
    /// Whether messages have been read while a request for the counts was in flight.
    private var isResponseStale = false

    init(_ rules: Rules) {
        self.rules = rules
    }

    var deadline: Instant? { nextRefresh.or(sooner: retryAt).or(sooner: countsRetryAt) }

    mutating func timer(_ step: inout Step) {
        if let due = retryAt, due <= step.now { retry(&step) }
        if let due = countsRetryAt, due <= step.now {
            countsRetryAt = nil
            step.emit(.ask(.counts))
        }
        guard let due = nextRefresh, due <= step.now else { return }
        planRefresh(at: step.now)
        guard policy.fetching == .eachTime || !hasFetched else { return }
        step.emit(.ask(.counts))
    }

    /// Called when the user opens the list; `counts` are the current unread counts.
    mutating func open(_ counts: [(name: String, count: Int64)], _ step: inout Step) {
        isInUse = true
        isCovered = false
        step.changes.insert(.list)
        for (name, count) in counts { learn(name, count) }
        planRefresh(at: step.now)
        guard policy.fetching == .eachTime || !hasFetched else { return }
        step.emit(.ask(.summaries))
    }

    mutating func conversationOpened() { isCovered = true }

    private mutating func planRefresh(at now: Instant) {
        let wanted = rules.profile.unread.refresh
        let interval = wanted > .zero && policy.pace == .everySecond ? TimeSpan.seconds(1) : wanted
        nextRefresh = interval > .zero ? now + interval : nil
    }

    /// Handles a failed request for the summaries, and schedules a retry.
    mutating func fetchFailed(at now: Instant) {
        failures += 1
        retryAt = now + min(rules.profile.people.retryBase.doubled(failures - 1), Self.longestRetry)
    }

    /// Handles a failed request for the counts, and schedules a retry.
    mutating func countsFailed(at now: Instant) {
        countFailures += 1
        countsRetryAt = now + min(rules.profile.people.retryBase.doubled(countFailures - 1), Self.longestRetry)
    }

    /// Cancels the retry of a failed request for the counts. The client requests them again on the next connection.
    mutating func linkLost() {
        countFailures = 0
        countsRetryAt = nil
    }

    /// Whether the client requests the counts after each connection.
    ///
    /// The counts may be out of date, because only connected clients learn that the user has read messages on another
    /// device.
    var requestsCountsOnConnect: Bool { isInUse && policy.fetching == .eachTime }

    /// Handles a new connection: retries a failed request for the summaries, or fetches the counts again.
    ///
    /// If `isCatchingUp`, the counts are requested at the end of the catch-up.
    mutating func connected(isCatchingUp: Bool, _ step: inout Step) {
        if failures > 0 {
            retry(&step)
        } else if requestsCountsOnConnect, !isCatchingUp {
            step.emit(.ask(.counts))
        }
    }

    /// Handles the first connection, which delivers only the messages after `newest`. Requests the summaries again if
    /// they were fetched earlier and their newest message is older.
    ///
    /// The counts alone would add a conversation to the list without its newest message.
    mutating func historyBegins(after newest: Int64, _ step: inout Step) {
        guard isInUse, policy.fetching == .eachTime else { return }
        historyStart = newest
        if hasFetched { requestIfBehind(through: newestListed, &step) }
    }

    private mutating func requestIfBehind(through listed: Int64, _ step: inout Step) {
        guard let start = historyStart else { return }
        historyStart = nil
        if listed < start { retry(&step) }
    }

    private mutating func retry(_ step: inout Step) {
        retryAt = nil
        step.emit(.ask(.summaries))
    }

    private static let longestRetry = TimeSpan.seconds(60)

    mutating func fetched(_ list: ConversationList, _ step: inout Step) {
        hasFetched = true
        failures = 0
        retryAt = nil
        step.changes.insert(.list)
        for summary in list.conversations {
            add(summary.id)
            let isDeleted = summary.lastMessage?.isDeleted == true
            summaries[summary.id] = Summary(
                lastText: isDeleted ? rules.profile.text.message.deleted : summary.lastMessage?.text,
                lastTimestamp: summary.lastMessage?.timestamp
            )
        }
        newestListed = list.conversations.compactMap { $0.lastMessage?.sequence }.max() ?? 0
        requestIfBehind(through: newestListed, &step)
    }

    /// Records that messages were read while a request for the counts was in flight, so that its response may be out of
    /// date.
    mutating func overtaken() { isResponseStale = true }

    /// Returns whether the response just received is out of date because messages were read while it was in flight; if
    /// so, requests the counts again.
    ///
    /// If `isFetching`, another request for the summaries or the counts is still in flight, so the counts are requested
    /// after its response.
    mutating func refetchIfStale(isFetching: Bool, _ step: inout Step) -> Bool {
        guard isResponseStale else { return false }
        isResponseStale = isFetching
        if !isFetching { step.emit(.ask(.counts)) }
        return true
    }

    /// Stops refreshing the list while the app is in the background.
    mutating func background() {
        nextRefresh = nil
        retryAt = nil
    }

    mutating func foreground(at now: Instant) {
        guard isInUse else { return }
        planRefresh(at: now)
        if failures > 0 { retryAt = now }
    }

    mutating func countsFetched() {
        hasFetched = true
        countFailures = 0
        countsRetryAt = nil
    }

    /// Handles a new message or a changed unread count of a conversation.
    mutating func changed(_ conversation: String, _ count: Int64, _ step: inout Step) {
        guard isInUse else { return }
        step.changes.insert(.list)
        guard policy.changes == .areReported else { return add(conversation) }
        learn(conversation, count)
    }

    private mutating func learn(_ conversation: String, _ count: Int64) {
        add(conversation)
        counts[conversation] = count
    }

    mutating func add(_ conversation: String) {
        if !names.contains(conversation) { names.append(conversation) }
    }

    /// Returns the text of the conversation's badge; nil if the conversation has no unread messages.
    mutating func badge(of conversation: String) -> String? {
        let count = counts[conversation] ?? 0
        if count == 0, policy.cleared == .isGone { return nil }
        if count != 0 { badges[conversation] = Self.text(of: count, limit: rules.profile.badge.limit) }
        return badges[conversation]
    }

    /// Returns whether the conversation has more unread messages than the highest number that a badge displays.
    func isAboveLimit(_ conversation: String) -> Bool {
        let limit = rules.profile.badge.limit
        return limit > 0 && counts[conversation] ?? 0 > limit
    }

    /// Returns the count as text. A count above `limit` is shown as the limit and a plus sign, such as `99+`; 0 means
    /// no limit.
    static func text(of count: Int64, limit: Int64) -> String {
        limit > 0 && count > limit ? "\(limit)+" : String(count)
    }
}
