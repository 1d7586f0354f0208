import Sockets
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

extension SystemSocket {
    /// Returns a pair of connected sockets.
    static func pair() throws -> (SystemSocket, SystemSocket) {
        var ends: [Int32] = [-1, -1]
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (SystemSocket(ends[0]), SystemSocket(ends[1]))
    }
}
