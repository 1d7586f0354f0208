import SquallCore
import Trace

/// `no_silent_gap`: the client detects every gap in a list of messages and fetches the missing messages.
struct NoSilentGap: StandingInvariant {
    let interest = Circumstances.kinds.union(
        InvariantKinds(
            .gapDetected,
            .receivedReplay,
            .refreshBegan,
            .requested,
            .sentSync,
            .disconnected,
            .serverStored,
            .messageList,
            .receivedOther,
            .user,
            .signedOut,
            .serverForgot
        )
    )
    private let limit: TimeSpan?
    private let tolerance: TimeSpan
    private var record: FindingRecorder
    private var gap: (since: Instant, event: Int)?
    private var undisturbedSince: Instant?
    /// The instant at which the server last stored a message or a list last changed. The client may still be fetching
    /// missing messages after that instant.
    private var lastChange = Instant.zero
    /// The last message that the client has received in each conversation since its process was started.
    private var received: [String: (key: String, event: Int)] = [:]
    private let isOwnClient: Bool

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.refetch
        self.tolerance = limit.map(tolerance.of) ?? .zero
        isOwnClient = settings.isOwnClient
        record = FindingRecorder(
            until: limit == nil
                ? "the profile sets no time limit for refetching" : "the client was never undisturbed for long enough"
        )
    }

    var finding: Finding { record.finding }

    var deadline: Instant? {
        guard let gap, let undisturbedSince, let limit else { return nil }
        return max(gap.since, undisturbedSince) + limit + tolerance
    }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        undisturbedSince = circumstances.connectedUndisturbedSince
        switch kind {
        case .gapDetected: notice(event)
        case .receivedReplay:
            if event.fields?["complete"] == false { notice(event) }
        case .refreshBegan, .requested, .sentSync, .disconnected: gap = nil
        case .started, .killed:
            gap = nil
            received = [:]
        case .user, .signedOut, .serverForgot: received = [:]
        case .receivedOther:
            guard event.name == "client.received.message", let key = event.key,
                let conversation = event.fields?["conversation"]?.stringValue,
                // A client ignores messages that arrive before the server has answered its login.
                circumstances.state == nil || circumstances.liveSince != nil
            else { return }
            received[conversation] = (key, event.index)
        case .serverStored, .messageList: lastChange = event.time
        default: break
        }
    }

    private mutating func notice(_ event: TraceEvent) {
        if limit != nil { record.recordCheck() }
        gap = gap ?? (event.time, event.index)
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let latest = deadline, let found = gap, let limit else { return }
        gap = nil
        record.violate(
            "the client detected a gap at \(found.since) but requested nothing by \(latest); expected a refresh within "
                + "\(limit)",
            by: latest,
            events: [found.event]
        )
    }

    /// Returns whether a received message is not shown, although its conversation shows an older message or none at
    /// all.
    ///
    /// A client that would need too many pages to close a gap may drop the messages before the gap instead; scrolling
    /// up loads them again.
    private static func isLost(_ key: String, _ messages: MessageLedger) -> Bool {
        guard let fate = messages.fate(of: key), fate.shown == 0 else { return false }
        guard let sequence = fate.sequence,
            let place = messages.conversations.firstIndex(where: { $0 == fate.conversation }),
            let oldest = messages.shownLists[place].compactMap(\.sequence).min()
        else { return true }
        return oldest < sequence
    }

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        guard let limit, let undisturbedSince else { return }
        guard end - max(undisturbedSince, lastChange) >= limit + tolerance else { return }
        record.recordCheck()
        if isOwnClient,
            let lost = received.values.filter({ Self.isLost($0.key, messages) }).min(by: { $0.key < $1.key })
        {
            record.violate("message \(lost.key) was received and is not shown at the end", events: [lost.event])
        }
        guard let gap = messages.firstGap else { return }
        record.violate(
            "message \(gap.key) is not shown at the end, although messages before and after it are",
            events: [gap.lastEvent]
        )
    }
}
