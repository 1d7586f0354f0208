import Dispatch

/// Looks up host names on a Dispatch queue, so that a reactor never blocks on a name server.
package struct Resolver: Sendable {
    /// Resolves an endpoint; may block.
    package typealias Lookup = @Sendable (Endpoint) -> Result<[SystemAddress], AddressError>

    let mailbox: ReactorInbox
    var lookup: Lookup

    /// Starts a lookup whose result is posted to the reactor for `token`.
    func resolve(_ endpoint: Endpoint, for token: UInt64) {
        DispatchQueue.global().async { mailbox.post(.resolved(token, lookup(endpoint))) }
    }
}
