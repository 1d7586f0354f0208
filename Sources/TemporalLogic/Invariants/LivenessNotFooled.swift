import SquallCore
import Trace

/// `liveness_not_fooled`: a client may treat only the pong to its own ping as proof that the link is alive.
struct LivenessNotFooled: StandingInvariant {
    let interest = InvariantKinds(
        .sentPing,
        .receivedPong,
        .connectionState,
        .disconnected,
        .attemptBegan,
        .started,
        .killed,
        .suspended,
        .woke
    )
    private let limit: TimeSpan?
    private let tolerance: TimeSpan
    private var record: FindingRecorder
    /// The pings that have not been answered yet, oldest first.
    private var open: [(id: JSON?, time: Instant, event: Int)] = []

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.pongLimit.map { max($0, settings.longestPongLimit ?? $0) }
        self.tolerance = limit.map(tolerance.of) ?? .zero
        record = FindingRecorder(
            until: limit == nil ? "the profile sets no time for a pong" : "the client sent no ping"
        )
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { limit.flatMap { limit in open.first.map { $0.time + limit + tolerance } } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        guard limit != nil else { return }
        switch kind {
        case .sentPing:
            guard circumstances.state == "connected" else { return }
            record.recordCheck()
            open.append((event.fields?["id"], event.time, event.index))
        case .receivedPong:
            // A pong without an id answers the oldest ping.
            guard let id = event.fields?["id"], !id.isNull else {
                if !open.isEmpty { open.removeFirst() }
                return
            }
            if let place = open.firstIndex(where: { $0.id == id }) { open.removeSubrange(...place) }
        case .connectionState:
            if circumstances.state != "connected" { open = [] }
        default:
            // A suspended or terminated client no longer waits for the pongs of earlier pings.
            open = []
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let latest = deadline, let ping = open.first, let limit else { return }
        open = []
        record.violate(
            """
            connection.state was still connected at \(latest), although the ping of \(ping.time) had no pong; \
            expected another state within \(limit)
            """,
            by: latest,
            events: [ping.event]
        )
    }
}
