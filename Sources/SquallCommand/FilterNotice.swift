import Sockets

/// What is told once, where real sockets may come to be silenced and this user may not do so.
enum FilterNotice {
    /// Says what is missing and the way out, on the systems that have one.
    static func emit() {
        #if os(Linux)
            guard !PacketFilter.isAvailable else { return }
            let binary = CommandLine.arguments.first ?? "squall"
            Terminal.complain(
                """
                squall: this kernel lets only CAP_NET_ADMIN put packet filters on sockets: on real sockets a blackhole is
                squall:   played as a stall, whose bytes are acknowledged. Be root, or: sudo setcap cap_net_admin+ep \(binary)
                """
            )
        #endif
    }
}
