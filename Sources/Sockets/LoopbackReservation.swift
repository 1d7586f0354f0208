import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A loopback address that is reserved for one run on this machine until it is released.
///
/// On Linux all of 127/8 is local, so each run has a full set of ports, and captures can be filtered by host. The
/// reservation is a name in the abstract namespace of Unix sockets: the kernel grants it to only one process, and frees
/// it when that process exits for any reason. Other systems have only 127.0.0.1, which all runs share.
package final class LoopbackReservation {
    package let address: LocalAddress
    private var descriptor: Int32?

    private init(_ address: LocalAddress, _ descriptor: Int32?) {
        self.address = address
        self.descriptor = descriptor
    }

    deinit { release() }

    package func release() {
        guard let held = descriptor else { return }
        descriptor = nil
        SystemSocket(held).close()
    }

    private static let count = Atomic<UInt32>(0)

    /// Reserves the next free address.
    ///
    /// - Throws: ``SocketError`` if none of 1,024 candidates is free, or no socket can be created.
    package static func next() throws(SocketError) -> LoopbackReservation {
        #if os(Linux)
            var last = SocketError("claim an address of 127/8", code: EADDRINUSE)
            for _ in 0..<1024 {
                let turn = count.wrappingAdd(1, ordering: .relaxed).oldValue
                let address = candidate(process: UInt32(bitPattern: getpid()), turn: turn)
                do {
                    return LoopbackReservation(address, try claim(address))
                } catch {
                    guard error.code == EADDRINUSE else { throw error }
                    last = error
                }
            }
            throw last
        #else
            return LoopbackReservation(.common, nil)
        #endif
    }

    /// Returns the candidate address for the given process's reservation number `turn`.
    ///
    /// The first addresses of different processes are spread over 127.1.0.1 to 127.254.255.254; successive reservations
    /// by one process use successive addresses.
    static func candidate(process: UInt32, turn: UInt32) -> LocalAddress {
        let (second, third, fourth): (UInt32, UInt32, UInt32) = (254, 256, 254)
        // Knuth's multiplicative hash spreads neighbouring process ids far apart.
        let start = process &* 2_654_435_761
        let place = (UInt64(start) + UInt64(turn)) % UInt64(second * third * fourth)
        let index = UInt32(place)
        let host = (index / (third * fourth) + 1) << 16 | (index / fourth % third) << 8 | (index % fourth + 1)
        return LocalAddress(host: host)
    }

    #if os(Linux)
        /// Binds the name for an address, and returns the descriptor that keeps the address reserved.
        static func claim(_ address: LocalAddress) throws(SocketError) -> Int32 {
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            guard descriptor >= 0 else { throw SocketError("claim \(address)") }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            // A name that begins with a zero byte is in the abstract namespace and needs no file.
            let text = [0] + Array("squall/\(address)".utf8)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: text) }
            let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
            let length = socklen_t(offset + text.count)
            let result = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            guard result == 0 else {
                let error = SocketError("claim \(address)")
                SystemSocket(descriptor).close()
                throw error
            }
            return descriptor
        }
    #endif
}
