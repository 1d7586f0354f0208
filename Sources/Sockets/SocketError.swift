package import Faults

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A failed system call on one of Squall's own sockets.
package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failed operation, in words that can follow "cannot", such as `listen on 127.1.2.3`.
    package let operation: String
    /// The operating system's error number.
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
    /// Classifies the `errno` of a failed connect, read or write.
    ///
    /// Returns nil if the cause lies with this machine rather than the link (no descriptors, memory or permission).
    package init?(errorNumber: Int32) {
        switch errorNumber {
        // On a Unix socket, ENOENT corresponds to a refusal, because there is no socket at that path.
        case ECONNREFUSED, ENOENT: self = .refused
        case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: self = .reset
        case ETIMEDOUT: self = .timedOut
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: self = .unreachable
        default: return nil
        }
    }
}

extension SocketError {
    /// Whether the process or the machine has run out of file descriptors.
    package var isExhaustion: Bool { code == EMFILE || code == ENFILE }
}
