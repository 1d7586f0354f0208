import SquallCore
import Trace

/// `liveness`: an undisturbed client connects within a time limit.
struct Liveness: StandingInvariant {
    let interest = Circumstances.kinds
    private let limit: TimeSpan?
    private let tolerance: TimeSpan
    private var record: FindingRecorder
    private(set) var deadline: Instant?
    private var lastEvent = -1

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.liveness
        self.tolerance = limit.map(tolerance.of) ?? .zero
        record = FindingRecorder(
            until: limit == nil
                ? "the profile sets no time limit for liveness" : "the client never reported its connection state"
        )
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        guard let limit, circumstances.state ?? circumstances.link != nil else { return deadline = nil }
        lastEvent = event.index
        let isLive = circumstances.state == nil ? circumstances.link == "connected" : circumstances.liveSince != nil
        if isLive { record.recordCheck() }
        guard !record.isViolated, !isLive, let calm = circumstances.undisturbedSince else {
            return deadline = nil
        }
        // If a connection is lost without a disturbance, the time limit starts at the loss.
        let isOfState = kind == .connectionState || kind == .linkState && circumstances.state == nil
        let since = isOfState && deadline == nil ? max(calm, event.time) : calm
        deadline = max(deadline ?? .zero, since + limit + tolerance)
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let latest = deadline, let limit else { return }
        deadline = nil
        let start = latest - tolerance - limit
        let seen =
            circumstances.state.map { "connection.state was \($0)" }
            ?? "link.state was \(circumstances.link ?? "unknown")"
        record.violate(
            "\(seen) at \(latest), undisturbed since "
                + "\(start); expected a connection within \(limit)",
            by: latest,
            events: [circumstances.state == nil ? circumstances.linkEvent : circumstances.stateEvent]
        )
    }
}
