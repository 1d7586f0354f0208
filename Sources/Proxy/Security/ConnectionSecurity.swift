import TLSLink

/// The handshake state of one connection whose TLS the proxy terminates or originates.
struct ConnectionSecurity {
    let plan: TLSPlan
    /// The bytes of the client's incomplete ClientHello; nil once it is complete, or if the client speaks plaintext.
    var hello: [UInt8]?
    /// The host that the client asked for.
    var serverName: String?
    /// The link has asked for the upstream, which is dialled once the client's handshake is done.
    private(set) var isUpstreamHeld = false
    /// Whether the handshake with the client is not done yet.
    var awaitsClient: Bool
    /// Whether a fault leaves the client's handshake without an answer.
    var hasStalled = false
    /// Whether the handshake with the upstream is under way.
    var awaitsUpstream = false

    init(_ plan: TLSPlan) {
        self.plan = plan
        awaitsClient = plan.terminates
        if plan.terminates { hello = [] }
    }

    /// Returns whether dialling must wait for the client's handshake, and remembers that it does.
    ///
    /// An upstream must not see a connection from a client that never completes its handshake.
    mutating func holdsUpstream() -> Bool {
        isUpstreamHeld = awaitsClient
        return awaitsClient
    }
}
