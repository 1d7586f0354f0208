import SquallCore
import Trace

/// `old_transport_dead`: frames that arrive on an old connection must have no effect.
struct OldTransportDead: StandingInvariant {
    let interest = InvariantKinds.received.union(
        InvariantKinds(.attemptBegan, .attemptFailed, .disconnected, .connected, .serverSent, .started, .killed)
    )

    private enum Phase {
        /// The events so far do not show which phase the connection is in.
        case unknown
        /// No connection is open and no attempt has begun. The associated value is the index of the event that ended
        /// the last connection.
        case none(Int)
        case opening
        case accepted
    }

    private var record = FindingRecorder(until: "no connection was ever replaced")
    private var phase = Phase.unknown
    /// The frame types that the server has sent since the attempt began.
    private var sent: [String] = []
    private static let prefix = "client.received."

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .attemptBegan:
            if case .none = phase { record.recordCheck() }
            phase = .opening
            sent = []
        case .attemptFailed, .disconnected: phase = .none(event.index)
        case .started, .killed: phase = .unknown
        case .connected, .receivedConnected: receive(event, kind, circumstances)
        case .serverSent:
            if case .opening = phase { sent.append(String(event.name.dropFirst("server.sent.".count))) }
        default: receive(event, kind, circumstances)
        }
    }

    private mutating func receive(_ event: TraceEvent, _ kind: InvariantKind, _ circumstances: Circumstances) {
        switch phase {
        case .none(let end):
            guard kind.isReceived else { return }
            record.violate(
                "\(event.name) at \(event.time) without a connection",
                events: [end, event.index]
            )
        case .opening:
            switch kind {
            case .connected, .receivedConnected: phase = .accepted
            case .receivedOther, .receivedReplay, .receivedPong:
                let role = event.name.dropFirst(Self.prefix.count)
                guard circumstances.seesServer, !sent.contains(where: { $0 == role }) else { return }
                record.violate(
                    "\(event.name) at \(event.time), before the new connection was accepted, although not sent on it",
                    events: [event.index]
                )
            default: break
            }
        case .unknown, .accepted: break
        }
    }
}
