import TLSLink

/// The TLS handshake state of one connection whose TLS the proxy terminates or originates.
struct ConnectionSecurity {
    let plan: TLSPlan
    /// The bytes of the client's incomplete ClientHello; nil once it is complete, or if the proxy does not terminate
    /// the client's TLS.
    var hello: [UInt8]?
    /// The host that the client requested (SNI).
    var serverName: String?
    /// Whether the upstream connection, which the link has requested, is delayed until the client's handshake is
    /// complete.
    private(set) var isUpstreamHeld = false
    /// Whether the handshake with the client has not completed yet.
    var awaitsClient: Bool
    /// Whether the client's ClientHello is left unanswered because of a fault.
    var hasStalled = false
    /// Whether the handshake with the upstream is in progress.
    var awaitsUpstream = false

    init(_ plan: TLSPlan) {
        self.plan = plan
        awaitsClient = plan.terminates
        if plan.terminates { hello = [] }
    }

    /// Returns whether dialling the upstream must wait until the client's handshake is complete, and stores the result
    /// in ``isUpstreamHeld``.
    ///
    /// The upstream must not see a connection from a client that never completes its handshake.
    mutating func defersUpstream() -> Bool {
        isUpstreamHeld = awaitsClient
        return awaitsClient
    }
}
