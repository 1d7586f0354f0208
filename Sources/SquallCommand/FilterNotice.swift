import Sockets

/// A warning for users who lack permission to install the packet filters that blackholes on real sockets require.
enum FilterNotice {
    /// On systems that support packet filters, prints which capability is missing and how to obtain it.
    static func emit() {
        #if os(Linux)
            guard !PacketFilter.isAvailable else { return }
            let binary = CommandLine.arguments.first ?? "squall"
            Terminal.printError(
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
