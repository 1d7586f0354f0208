import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// How fast the kernel lets bytes go to a peer on this very machine.
///
/// BBR, where it is the system's way, paces what it sends by timers: of use on a network, and nothing but work on loopback, where
/// nothing is ever lost and a timer's interrupt costs as much as a good part of a packet.
enum TCPPacing {
    /// Whether connections are paced unless something is said.
    private static let isUsual: Bool = {
        #if os(Linux)
            var name = [UInt8](repeating: 0, count: 16)
            let descriptor = open("/proc/sys/net/ipv4/tcp_congestion_control", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            let count = read(descriptor, &name, name.count)
            return count > 2 && name[..<3] == [0x62, 0x62, 0x72]  // bbr
        #else
            return false
        #endif
    }()

    /// Takes it off a socket that is bound to this address, or about to be connected to it, if both ends are here then. Connections
    /// have it from their listener.
    static func disable(_ socket: SystemSocket, _ address: SystemAddress) {
        #if os(Linux)
            guard isUsual, address.isLoopback else { return }
            // Every Linux has it, and anybody may choose it.
            _ = setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, "reno", 4)
        #endif
    }
}

extension SystemAddress {
    /// 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        let address = unmapped
        return switch address.family {
        case AF_INET: address.bytes.count > 4 && address.bytes[4] == 127
        case AF_INET6: bytes.count >= 24 && bytes[8..<24] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        default: false
        }
    }
}
