#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A filter on a socket that lets no packet in: what arrives is dropped before TCP sees it and is never acknowledged.
///
/// One instruction of classic BPF, "accept 0 bytes", attached with SO_ATTACH_FILTER; no privilege is needed, and detaching
/// heals. On a listening socket the SYNs vanish.
package enum PacketFilter {
    /// Whether this system has such filters.
    ///
    /// Where it has none, silence is a stall: the kernel still acknowledges.
    package static var isAvailable: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

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
            // BPF_RET | BPF_K
            var instruction = Instruction(code: 0x06, jumpIfTrue: 0, jumpIfFalse: 0, operand: 0)
            let result = withUnsafeMutablePointer(to: &instruction) { pointer in
                var program = Program(count: 1, instructions: pointer)
                let length = socklen_t(MemoryLayout<Program>.size)
                return setsockopt(socket.descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, length)
            }
            guard result == 0 else { throw SocketError("attach a packet filter") }
        #endif
    }

    package static func detach(from socket: SystemSocket) throws(SocketError) {
        #if os(Linux)
            var unused: Int32 = 0
            let length = socklen_t(MemoryLayout<Int32>.size)
            guard setsockopt(socket.descriptor, SOL_SOCKET, SO_DETACH_FILTER, &unused, length) == 0 else {
                throw SocketError("detach a packet filter")
            }
        #endif
    }
}
