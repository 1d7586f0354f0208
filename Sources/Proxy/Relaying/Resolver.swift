import Dispatch

/// Looks names up beside the reactor, which never waits for a name server.
enum Resolver {
    static func resolve(_ endpoint: Endpoint, for token: UInt64, telling mailbox: Mailbox) {
        DispatchQueue.global().async {
            let result = Result { () throws(AddressError) in try endpoint.resolve() }
            mailbox.post(.resolved(token, result))
        }
    }
}
