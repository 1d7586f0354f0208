import Sockets

/// A warning that blackholes cannot be played on real sockets, for users who may not install packet filters.
enum FilterNotice {
    /// Prints the missing capability and how to get it, on systems that have packet filters.
    static func emit() {
        #if os(Linux)
            guard !PacketFilter.isAvailable else { return }
            let binary = CommandLine.arguments.first ?? "squall"
            Terminal.complain(
                """
                squall: this kernel allows packet filters on sockets only with CAP_NET_ADMIN: on real sockets a \
                blackhole is
                squall:   played as a stall, whose bytes are acknowledged. Run as root, or: sudo setcap \
                cap_net_admin+ep \(binary)
                """
            )
        #endif
    }
}
