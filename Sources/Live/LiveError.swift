package import Sockets
package import SquallCore
package import TLSLink

/// What Squall itself could not have or do: never a verdict about a client.
package enum LiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An address, a port or a socket.
    case socket(SocketError)
    /// The folder for the clients' stores.
    case folder(path: String, reason: String)
    case store(ClientID, reason: String)
    /// TLS could not be had.
    case security(TLSError)
    /// libcurl would not do as told.
    case http(reason: String)
    /// The run asks to be woken at the same instant over and over.
    case livelock(Instant)

    package var description: String { message }

    /// The process or the machine has no descriptor left.
    package var isExhaustion: Bool {
        if case .socket(let error) = self { error.isExhaustion } else { false }
    }

    /// What could not be had, and the way out.
    package var message: String {
        switch self {
        case .socket(let error):
            "\(error). \(Self.way(outOf: error))"
        case .folder(let path, let reason):
            "cannot keep the clients' stores in \(path): \(reason). Free some space there, or name another folder with TMPDIR."
        case .store(let client, let reason):
            "the store of \(client) failed: \(reason). Look whether the temporary folder is full or was emptied during the run."
        case .security(let error): "\(error)"
        case .http(let reason):
            "libcurl failed: \(reason). Squall needs a libcurl that speaks HTTP."
        case .livelock(let now):
            "the run asks to be woken at \(now) again and again, and time cannot go on. This is a bug in Squall."
        }
    }

    private static func way(outOf error: SocketError) -> String {
        error.isExhaustion
            ? "Too many files are open: raise the limit with `ulimit -n`."
            : "Live runs need TCP over an address of this machine, 127.0.0.0/8 unless you name one, and a port that nobody has; a sandbox or a firewall may forbid it."
    }
}
