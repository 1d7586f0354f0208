import SquallCore
import Trace

/// `one_live_transport`: a client may have more sockets open than its profile allows only while it is closing old ones.
struct OneLiveTransport: StandingInvariant {
    let interest = InvariantKinds(.openSockets, .killed, .started)
    private let limit: TimeSpan
    private let allowed: Int64
    private var record = FindingRecorder(until: "the client does not report its sockets")
    private(set) var deadline: Instant?
    private var count: Int64 = 0
    private var since = Instant.zero
    private var event = -1

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.closeTimeout + tolerance.of(settings.closeTimeout)
        allowed = settings.sockets
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        guard kind == .openSockets, case .set(let value) = event.observation.change, let open = value.intValue else {
            return deadline = nil
        }
        record.recordCheck()
        count = open
        guard open > allowed else { return deadline = nil }
        if deadline == nil {
            since = event.time
            self.event = event.index
            deadline = since + limit
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let latest = deadline else { return }
        deadline = nil
        record.violate(
            """
            connection.open_sockets was \(count) from \(since) to \(latest); expected one of them closed within \
            \(limit)
            """,
            by: latest,
            events: [event]
        )
    }
}
