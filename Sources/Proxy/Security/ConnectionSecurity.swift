import TLSLink

/// The TLS handshake state of one connection whose TLS the proxy terminates or originates.
struct ConnectionSecurity {
    let plan: TLSPlan
    /// The bytes of the client's incomplete ClientHello; nil once the ClientHello is complete, or if the proxy does not
    /// terminate the client's TLS.
    var hello: [UInt8]?
    /// The host that the client requested (SNI).
    var serverName: String?
    /// Whether the link has asked to connect to the upstream but must first wait for the client's handshake to
    /// complete.
    private(set) var isUpstreamHeld = false
    /// Whether the handshake with the client is still incomplete.
    var awaitsClient: Bool
    /// Whether a fault has left the client's ClientHello unanswered.
    var hasStalled = false
    /// Whether the handshake with the upstream is in progress.
    var awaitsUpstream = false

    init(_ plan: TLSPlan) {
        self.plan = plan
        awaitsClient = plan.terminates
        if plan.terminates { hello = [] }
    }

    /// Returns whether the proxy must wait for the client's handshake to complete before it dials the upstream, and
    /// stores the result in ``isUpstreamHeld``.
    ///
    /// The upstream must not see a connection from a client that never completes its handshake.
    mutating func defersUpstream() -> Bool {
        isUpstreamHeld = awaitsClient
        return awaitsClient
    }
}
