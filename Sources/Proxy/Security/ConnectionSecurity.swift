import TLSLink

/// How far the TLS of one connection is that ends at the proxy.
struct ConnectionSecurity {
    let plan: TLSPlan
    /// What the client has sent before its hello was whole; nil once it was, or where none is awaited.
    var hello: [UInt8]?
    /// The host that the client asked for.
    var serverName: String?
    /// The upstream is wanted, and dialled once the client's handshake is done.
    private(set) var isUpstreamHeld = false
    /// Whether a client's handshake is still to be done.
    var awaitsClient: Bool
    /// Whether a fault has the client's wait for ever.
    var hasStalled = false
    /// Whether an upstream's handshake is under way.
    var awaitsUpstream = false

    init(_ plan: TLSPlan) {
        self.plan = plan
        awaitsClient = plan.terminates
        if plan.terminates { hello = [] }
    }

    /// Whether the upstream has to wait: nobody behind the proxy learns of a client that never comes through.
    mutating func holdsUpstream() -> Bool {
        isUpstreamHeld = awaitsClient
        return awaitsClient
    }
}
