import SquallCore
import Trace

/// `server_keeps_promises`: the server rejects requests that a user is not allowed to make, and closes its connections
/// with a close frame when it stops.
struct ServerKeepsPromises: StandingInvariant {
    let interest = Circumstances.kinds.union(.servers)
    private var record = FindingRecorder(until: "the server had nothing to reject and did not stop")
    /// The indexes of the requests that mark messages as read for another user.
    private var forged: Set<Int> = []
    /// Whether the script has made the server crash since the server started.
    private var hasCrashed = false
    /// The server's last stop; nil if there is no need to check how the connection ended.
    private var stop: (time: Instant, event: Int)?
    private var hasMetFault = false
    /// Whether the script has identified the client's user to the server. If so, a request that names a user may name
    /// the client's own user.
    private var isIdentified = false
    /// Whether the client is Squall's own client. Other clients do not report whether the server sent a close frame.
    private let isOwnClient: Bool
    private static let longest = TimeSpan.seconds(1)

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        isOwnClient = settings.isOwnClient
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .serverRequested:
            if event.name == "server.requested.mark_read", !isIdentified, event.fields?["user"] != nil {
                forged.insert(event.index)
            }
        case .serverStarted: (hasCrashed, stop) = (false, nil)
        case .serverStopped:
            guard !hasCrashed, !hasMetFault, circumstances.state == "connected" else { return }
            stop = (event.time, event.index)
        case .faultBegan, .serverDisturbed, .reachable, .asked, .killed, .suspended: (hasMetFault, stop) = (true, nil)
        case .connectionState:
            if circumstances.state == "connected", circumstances.wasUndisturbed { hasMetFault = false }
        case .disconnected: if isOwnClient { ended(event) }
        case .serverOther:
            if event.name == "server.identify" { isIdentified = true }
            if event.name == "server.disconnect" { (hasMetFault, stop) = (true, nil) }
            if event.name == "server.crash" || event.name == "server.vanish" { hasCrashed = true }
            answered(event)
        default: break
        }
    }

    private mutating func answered(_ event: TraceEvent) {
        guard event.name == "server.answered.mark_read", let cause = event.cause, forged.remove(cause) != nil,
            let status = event.fields?["status"]?.intValue
        else { return }
        record.recordCheck()
        guard (200..<300).contains(status) else { return }
        record.violate(
            "the server marked messages as read for another user at \(event.time), with status \(status)",
            events: [cause, event.index]
        )
    }

    private mutating func ended(_ event: TraceEvent) {
        guard let stop else { return }
        self.stop = nil
        guard event.time - stop.time <= Self.longest, let failure = event.fields?["failure"]?.stringValue else {
            return
        }
        record.recordCheck()
        guard ["end_of_stream", "reset"].contains(failure) else { return }
        record.violate(
            "the server stopped at \(stop.time), and the connection ended without a close frame",
            events: [stop.event, event.index]
        )
    }
}
