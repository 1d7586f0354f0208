#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A filter on a socket that lets no packet in: what arrives is dropped before TCP sees it and is never acknowledged.
///
/// One instruction of classic BPF, "accept 0 bytes", attached with SO_ATTACH_FILTER, and detaching heals. On a listening
/// socket the SYNs vanish. Most kernels ask for no privilege, some of Linux for CAP_NET_ADMIN.
///
/// Where there are no filters, attaching one does nothing.
package enum PacketFilter {
    /// Whether this process can have such filters: found out by trying, once.
    ///
    /// Where it has none, silence is a stall: the kernel still acknowledges.
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
        /// `struct sock_filter` of linux/filter.h.
        private struct Instruction {
            var code: UInt16
            var jumpIfTrue: UInt8
            var jumpIfFalse: UInt8
            var operand: UInt32
        }

        /// `struct sock_fprog` of linux/filter.h.
        private struct Program {
            var count: UInt16
            var instructions: UnsafeMutablePointer<Instruction>?
        }
    #endif

    package static func attach(to socket: SystemSocket) throws(SocketError) {
        #if os(Linux)
            guard isAvailable else { return }
            guard attach(to: socket.descriptor) else { throw SocketError("attach a packet filter") }
        #endif
    }

    #if os(Linux)
        /// False with the reason in `errno`.
        private static func attach(to descriptor: Int32) -> Bool {
            // BPF_RET | BPF_K
            var instruction = Instruction(code: 0x06, jumpIfTrue: 0, jumpIfFalse: 0, operand: 0)
            return withUnsafeMutablePointer(to: &instruction) { pointer in
                var program = Program(count: 1, instructions: pointer)
                let length = socklen_t(MemoryLayout<Program>.size)
                return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, length) == 0
            }
        }
    #endif

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
