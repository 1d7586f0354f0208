#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A socket filter that drops every incoming packet before TCP sees it, so that nothing is acknowledged.
///
/// The filter is one instruction of classic BPF, "accept 0 bytes", attached with SO_ATTACH_FILTER; detaching it
/// restores the socket. On a listening socket it drops SYNs. Most Linux kernels require no privilege for it, but some
/// require CAP_NET_ADMIN.
///
/// On systems without such filters, attaching does nothing.
package enum PacketFilter {
    /// Whether this process may attach packet filters, tested once by attaching one.
    ///
    /// Without filters a blackhole behaves like a stall: the kernel still acknowledges bytes.
    package static let isAvailable = {
        #if os(Linux)
            let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard probe >= 0 else { return true }
            defer { close(probe) }
            return attach(to: probe) || errno != EPERM
        #else
            false
        #endif
    }()

    #if os(Linux)
        /// The C type `struct sock_filter` from linux/filter.h.
        private struct Instruction {
            var code: UInt16
            var jumpIfTrue: UInt8
            var jumpIfFalse: UInt8
            var operand: UInt32
        }

        /// The C type `struct sock_fprog` from linux/filter.h.
        private struct Program {
            var count: UInt16
            var instructions: UnsafeMutablePointer<Instruction>?
        }
    #endif

    /// Attaches the filter, which then drops every packet that arrives at `socket`.
    package static func attach(to socket: SystemSocket) throws(SocketError) {
        #if os(Linux)
            guard isAvailable else { return }
            guard attach(to: socket.descriptor) else { throw SocketError("attach a packet filter") }
        #endif
    }

    #if os(Linux)
        /// Attaches the filter; returns false, with the reason in `errno`, if the kernel rejects it.
        private static func attach(to descriptor: Int32) -> Bool {
            // The instruction BPF_RET | BPF_K with operand 0: accept 0 bytes.
            var instruction = Instruction(code: 0x06, jumpIfTrue: 0, jumpIfFalse: 0, operand: 0)
            return withUnsafeMutablePointer(to: &instruction) { pointer in
                var program = Program(count: 1, instructions: pointer)
                let length = socklen_t(MemoryLayout<Program>.size)
                return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, length) == 0
            }
        }
    #endif

    /// Detaches the filter, so that packets are received again. The peer's TCP retransmits those that were dropped.
    package static func detach(from socket: SystemSocket) throws(SocketError) {
        #if os(Linux)
            guard isAvailable else { return }
            var unused: Int32 = 0
            let length = socklen_t(MemoryLayout<Int32>.size)
            guard setsockopt(socket.descriptor, SOL_SOCKET, SO_DETACH_FILTER, &unused, length) == 0 else {
                throw SocketError("detach a packet filter")
            }
        #endif
    }
}
