package import Faults

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Something that the system did not let Squall do to a socket of its own.
package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, as it follows "cannot": `listen on 127.1.2.3`.
    package let deed: String
    /// The system's error number.
    package let code: Int32

    package init(_ deed: String, code: Int32 = errno) {
        self.deed = deed
        self.code = code
    }

    package var description: String {
        "cannot \(deed): \(String(cString: strerror(code)))"
    }
}

extension LinkFailure {
    /// What the error number of a failed connect, read or write says about the link; nil where it says something about
    /// this machine instead (no descriptors, no memory, no permission).
    package init?(errorNumber: Int32) {
        switch errorNumber {
        // Of a Unix socket: nobody listens at that path.
        case ECONNREFUSED, ENOENT: self = .refused
        case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: self = .reset
        case ETIMEDOUT: self = .timedOut
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: self = .unreachable
        default: return nil
        }
    }
}

extension SocketError {
    /// The process or the machine has no descriptor left.
    package var isExhaustion: Bool { code == EMFILE || code == ENFILE }
}
