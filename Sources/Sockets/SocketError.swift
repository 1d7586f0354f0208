package import Faults

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A system call on one of Squall's own sockets that failed.
package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation that failed, as it follows "cannot": `listen on 127.1.2.3`.
    package let operation: String
    /// The system's error number.
    package let code: Int32

    package init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    package var description: String {
        "cannot \(operation): \(String(cString: strerror(code)))"
    }
}

extension LinkFailure {
    /// Translates the `errno` of a failed connect, read or write; nil when it says something about this machine instead
    /// of the link (no descriptors, no memory, no permission).
    package init?(errorNumber: Int32) {
        switch errorNumber {
        // ENOENT is the refusal of a Unix socket: no socket exists at that path.
        case ECONNREFUSED, ENOENT: self = .refused
        case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: self = .reset
        case ETIMEDOUT: self = .timedOut
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: self = .unreachable
        default: return nil
        }
    }
}

extension SocketError {
    /// Whether the process or the machine has run out of descriptors.
    package var isExhaustion: Bool { code == EMFILE || code == ENFILE }
}
