import SquallCore
import Trace

/// `no_silent_gap`: a detected gap is fetched again, and no gap goes undetected.
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
            .messageList
        )
    )
    private let limit: TimeSpan?
    private let tolerance: TimeSpan
    private var record: Record
    private var gap: (since: Instant, event: Int)?
    private var calmSince: Instant?
    /// The instant of the last change of messages, after which a hole may still close.
    private var lastChange = Instant.zero

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.refetch
        self.tolerance = limit.map(tolerance.of) ?? .zero
        record = Record(
            until: limit == nil
                ? "the profile sets no time limit for refetching" : "the client was never undisturbed for long enough"
        )
    }

    var finding: Finding { record.finding }

    var deadline: Instant? {
        guard let gap, let calmSince, let limit else { return nil }
        return max(gap.since, calmSince) + limit + tolerance
    }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        calmSince = circumstances.settledSince
        switch kind {
        case .gapDetected: notice(event)
        case .receivedReplay:
            if event.fields?["complete"] == false { notice(event) }
        case .refreshBegan, .requested, .sentSync, .disconnected, .started, .killed: gap = nil
        case .serverStored, .messageList: lastChange = event.time
        default: break
        }
    }

    private mutating func notice(_ event: TraceEvent) {
        if limit != nil { record.keep() }
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

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        guard let limit, let calmSince else { return }
        guard end - max(calmSince, lastChange) >= limit + tolerance else { return }
        record.keep()
        guard let hole = messages.firstHole else { return }
        record.violate(
            "message \(hole.key) is not shown at the end, although messages before and after it are",
            events: [hole.lastEvent]
        )
    }
}
