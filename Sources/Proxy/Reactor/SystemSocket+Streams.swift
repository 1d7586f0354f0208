import CPolling
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The calls that a relay makes on stream sockets, none of which ever blocks.
extension SystemSocket {
    enum Received: Hashable {
        case bytes(Int)
        /// Nothing is there now.
        case nothing
        case end
        case broken(Int32)
    }

    /// A stream socket of the address's family that never blocks.
    static func stream(_ family: Int32) throws(SocketError) -> SystemSocket {
        try made(family, SOCK_STREAM)
    }

    /// A datagram socket of the address's family that never blocks.
    static func datagram(_ family: Int32) throws(SocketError) -> SystemSocket {
        try made(family, SOCK_DGRAM)
    }

    #if os(Linux)
        private typealias Kind = __socket_type
    #else
        private typealias Kind = Int32
    #endif

    private static func made(_ family: Int32, _ kind: Kind) throws(SocketError) -> SystemSocket {
        #if os(Linux)
            let type = Int32(kind.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        #else
            let type = kind
        #endif
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SocketError("make a socket") }
        let made = SystemSocket(descriptor)
        #if canImport(Darwin)
            made.set(SOL_SOCKET, SO_NOSIGPIPE, 1)
            // 9,216 bytes otherwise, and a larger datagram would not be sent at all.
            if kind == SOCK_DGRAM {
                for option in [SO_SNDBUF, SO_RCVBUF] { made.set(SOL_SOCKET, option, 65_535) }
            }
        #endif
        #if !os(Linux)
            made.setNonBlocking()
        #endif
        return made
    }

    /// Nil where none is there.
    func receiveDatagram(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, from: SystemAddress)? {
        while true {
            var count = 0
            // As it is: that is how this socket answers it.
            let address = SystemAddress.fill { address, length in
                count = recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, address, length)
                return count >= 0 ? 0 : -1
            }
            if let address { return (count, address) }
            guard errno == EINTR else { return nil }
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer, to address: SystemAddress) {
        _ = address.withPointer { sendto(descriptor, bytes.baseAddress, bytes.count, 0, $0, $1) }
    }

    func setNonBlocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Small writes leave at once, and a write to a closed connection is an error and no signal.
    func streamOptions() {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// 0 once it has the address, else why it cannot. One of IPv6 takes what comes by IPv4, too.
    func bind(to address: SystemAddress) -> Int32 {
        if address.family == AF_INET6 { set(Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY), 0) }
        let result = address.withPointer { address, length in
            #if canImport(Darwin)
                Darwin.bind(descriptor, address, length)
            #else
                Glibc.bind(descriptor, address, length)
            #endif
        }
        return result == 0 ? 0 : errno
    }

    /// 0 once the connection stands, EINPROGRESS while it is being made, else why there is none.
    func connect(to address: SystemAddress) -> Int32 {
        let result = address.withPointer { address, length in
            #if canImport(Darwin)
                Darwin.connect(descriptor, address, length)
            #else
                Glibc.connect(descriptor, address, length)
            #endif
        }
        return result == 0 ? 0 : errno
    }

    /// Why a connection could not be made, or was lost; 0 where nothing is wrong. Asking clears it.
    func takeError() -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 else { return errno }
        return error
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothing
            case let code: return .broken(code)
            }
        }
    }

    /// `FIONREAD`, which Darwin's headers build by a macro that Swift does not see.
    static var askingForWaitingBytes: UInt {
        #if os(Linux)
            UInt(FIONREAD)
        #else
            0x4004_667F
        #endif
    }

    /// The same into bytes of their own, at most so many.
    func receive(_ most: Int) -> (Received, [UInt8]) {
        // No more room than bytes, or what waits would take more than is counted.
        var waiting: Int32 = 0
        let isKnown = ioctl(descriptor, Self.askingForWaitingBytes, &waiting) == 0 && waiting > 0
        var received = Received.nothing
        let bytes = [UInt8](unsafeUninitializedCapacity: isKnown ? min(most, Int(waiting)) : most) { buffer, count in
            received = receive(into: UnsafeMutableRawBufferPointer(buffer))
            if case .bytes(let read) = received { count = read }
        }
        return (received, bytes)
    }

    func endOutput() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next connection that waits at a listener, and who calls; nil where none does.
    ///
    /// On Linux it has the listener's options (``streamOptions()``) without being told.
    func accept() throws(SocketError) -> (socket: SystemSocket, caller: SystemAddress)? {
        while true {
            var accepted: Int32 = -1
            let caller = SystemAddress.ask { address, length in
                #if os(Linux)
                    accepted = squall_accept(descriptor, address, length)
                #else
                    accepted = Darwin.accept(descriptor, address, length)
                #endif
                return accepted >= 0 ? 0 : -1
            }
            if let caller {
                let socket = SystemSocket(accepted)
                #if !os(Linux)
                    socket.setNonBlocking()
                    socket.streamOptions()
                #endif
                return (socket, caller)
            }
            switch errno {
            // Gone before it could be accepted: the peer's affair.
            case EINTR, ECONNABORTED, EPROTO: continue
            case EAGAIN, EWOULDBLOCK: return nil
            // A listener that was told to refuse.
            case EINVAL: return nil
            case let code: throw SocketError("accept connections", code: code)
            }
        }
    }

    /// Whether it has a peer still, be it one that has ended what it sends.
    var isConnected: Bool { SystemAddress.ask { getpeername(descriptor, $0, $1) } != nil }

    /// Where it is bound; nil for one that is not.
    var localAddress: SystemAddress? { SystemAddress.ask { getsockname(descriptor, $0, $1) } }
}
