import Dispatch

/// Looks names up beside the reactor, which never waits for a name server.
struct Resolver: Sendable {
    let mailbox: Mailbox
    /// Asks, and waits for the answer.
    var ask: @Sendable (Endpoint) -> Result<[SystemAddress], AddressError>

    func resolve(_ endpoint: Endpoint, for token: UInt64) {
        DispatchQueue.global().async { mailbox.post(.resolved(token, ask(endpoint))) }
    }
}
