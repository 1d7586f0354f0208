import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Disables the kernel's pacing of TCP connections over loopback.
///
/// BBR, if it is the system's default congestion control, paces packets with timers. Pacing helps on a network. On
/// loopback, where no packet is lost, it only costs a timer interrupt for nearly every packet.
enum TCPPacing {
    /// Whether the system's default congestion control is BBR.
    private static let isDefaultBBR: Bool = {
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

    /// Disables pacing for a socket that is bound to a loopback `address` or about to connect to one.
    ///
    /// Accepted connections inherit the setting from their listener.
    static func disable(_ socket: SystemSocket, _ address: SystemAddress) {
        #if os(Linux)
            guard isDefaultBBR, address.isLoopback else { return }
            // Reno is compiled into every Linux kernel and needs no privilege.
            _ = setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, "reno", 4)
        #endif
    }
}

extension SystemAddress {
    /// Whether the address is in 127.0.0.0/8 or is ::1.
    var isLoopback: Bool {
        let address = unmapped
        return switch address.family {
        case AF_INET: address.bytes.count > 4 && address.bytes[4] == 127
        case AF_INET6: bytes.count >= 24 && bytes[8..<24] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        default: false
        }
    }
}
