import Foundation
package import Sockets
package import SquallCore
package import TLSLink

/// A failure of Squall itself in a live run. It does not mean that the client under test has failed.
package enum LiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An address, a port or a socket could not be obtained.
    case socket(SocketError)
    /// The temporary folder for the clients' stores could not be created or written to.
    case folder(path: String, reason: String)
    /// The database of a client's store failed.
    case store(ClientID, reason: String)
    /// A TLS certificate or session could not be created.
    case security(TLSError)
    /// libcurl could not be initialised, or reported an internal error.
    case http(reason: String)
    /// The run requested a wake-up at this instant so often that time no longer advances.
    case livelock(Instant)

    package var description: String { message }

    /// Whether the process or the machine has run out of file descriptors.
    package var isExhaustion: Bool {
        if case .socket(let error) = self { error.isExhaustion } else { false }
    }

    /// The problem and how to resolve it, in one line.
    package var message: String {
        switch self {
        case .socket(let error):
            "\(error). \(Self.remedy(for: error))"
        case .folder(let path, let reason):
            """
            cannot store the clients' data in \(path): \(reason). Free some space there, or set TMPDIR to another \
            folder.
            """
        case .store(let client, let reason):
            """
            the store of \(client) failed: \(reason). Check whether the temporary folder is full or was emptied \
            during the run.
            """
        case .security(let error): "\(error)"
        case .http(let reason):
            "libcurl failed: \(reason). Squall needs a libcurl with HTTP support."
        case .livelock(let now):
            "the run requested a wake-up at \(now) too often; its time no longer advances. This is a bug in Squall."
        }
    }

    private static func remedy(for error: SocketError) -> String {
        if error.isExhaustion { return "Too many files are open: raise the limit with `ulimit -n`." }
        if error.code == EADDRINUSE { return "Another program listens there: end it, or choose another port." }
        return
            """
            Live runs need TCP on a local address (127.0.0.0/8 unless you name one) and a free port; a sandbox or \
            a firewall may forbid it.
            """
    }
}
