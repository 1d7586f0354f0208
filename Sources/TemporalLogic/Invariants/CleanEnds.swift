import SquallCore
import Trace

/// `clean_ends`: when the user ends a connection, or the app ends it on going to the background, the client must close
/// it with a close frame.
struct CleanEnds: StandingInvariant {
    let interest = Circumstances.kinds
    private let limit: TimeSpan
    private var record = FindingRecorder(until: "the user never ended an undisturbed connection")
    private var left: (time: Instant, event: Int)?
    /// Whether a fault has affected the connection. A fault that has ended still counts, because it may have left the
    /// connection dead without either side noticing.
    private var hasMetFault = false
    private var wasConnected = false
    /// Whether the server has forgotten the session or rejected a frame while the client was logging in. If so, the
    /// connection may be dead even though the client shows it as connected.
    private var wasDisturbedAtLogin = false
    /// The instant at which the client last resumed after a suspension; nil if it was never suspended.
    private var woke: Instant?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        limit = settings.closeTimeout + tolerance.of(settings.closeTimeout)
    }

    var finding: Finding { record.finding }
    var deadline: Instant? { left.map { $0.time + limit } }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .left:
            // A suspended client closes its connection only when it wakes.
            guard circumstances.seesServer, circumstances.wasUndisturbed, !circumstances.isSuspended,
                circumstances.state == "connected", !hasMetFault
            else { return }
            left = (event.time, event.index)
        case .connectionState where circumstances.state == "suspended" && wasConnected:
            wasConnected = false
            guard circumstances.seesServer, circumstances.wasUndisturbed,
                !circumstances.isSuspended, !hasMetFault, woke != event.time
            else { return }
            left = (event.time, event.index)
        // The server may have closed the connection while the client was suspended. The client learns of this only when
        // it wakes, so a connection that ends at that instant is not checked.
        case .woke: woke = event.time
        case .serverClosed:
            guard left != nil, event.fields?["code"]?.intValue != nil else { return }
            record.recordCheck()
            left = nil
        case .serverOther where event.name != "server.disconnect": break
        // A server that has ended the connection without a close frame can no longer receive the client's close frame.
        case .faultBegan, .faultEnded, .faultLifted, .serverDisturbed, .serverOther:
            hasMetFault = true
            left = nil
            if kind == .serverDisturbed, circumstances.state == "authenticating" { wasDisturbedAtLogin = true }
        case .connectionState:
            wasConnected = circumstances.state == "connected"
            if wasConnected { hasMetFault = wasDisturbedAtLogin }
            if circumstances.state != "authenticating" { wasDisturbedAtLogin = false }
        // After these events, the client's close frame might not have reached the server.
        case .serverStopped, .networkDisturbed, .killed, .suspended, .reachable, .asked: left = nil
        default: break
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let found = left else { return }
        left = nil
        record.violate(
            "the client ended its connection at \(found.time), and the server received no close frame within \(limit)",
            by: found.time + limit,
            events: [found.event]
        )
    }
}
