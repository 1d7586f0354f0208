import Dispatch

/// Looks names up beside the reactor, which never waits for a name server.
package struct Resolver: Sendable {
    /// Asks, and waits for the answer.
    package typealias Ask = @Sendable (Endpoint) -> Result<[SystemAddress], AddressError>

    let mailbox: ReactorInbox
    var ask: Ask

    func resolve(_ endpoint: Endpoint, for token: UInt64) {
        DispatchQueue.global().async { mailbox.post(.resolved(token, ask(endpoint))) }
    }
}
