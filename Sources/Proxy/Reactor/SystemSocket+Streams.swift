import CPolling
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The proxy's socket calls, none of which blocks.
extension SystemSocket {
    enum Received: Hashable {
        case bytes(Int)
        /// No bytes are available now (EAGAIN).
        case nothing
        /// The peer has sent FIN.
        case end
        /// The connection is lost; the value is the error number.
        case broken(Int32)
    }

    /// Creates a non-blocking stream socket of this address family.
    static func stream(_ family: Int32) throws(SocketError) -> SystemSocket {
        try made(family, SOCK_STREAM)
    }

    /// Creates a non-blocking datagram socket of this address family.
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
        guard descriptor >= 0 else { throw SocketError("create a socket") }
        let made = SystemSocket(descriptor)
        #if canImport(Darwin)
            made.set(SOL_SOCKET, SO_NOSIGPIPE, 1)
            // Darwin's default buffer size for datagrams is 9,216 bytes, and larger datagrams would be rejected.
            if kind == SOCK_DGRAM {
                for option in [SO_SNDBUF, SO_RCVBUF] { made.set(SOL_SOCKET, option, 65_535) }
            }
        #endif
        #if !os(Linux)
            made.setNonBlocking()
        #endif
        return made
    }

    /// Reads one datagram into `buffer` and returns its size and its sender; nil if none is available.
    func receiveDatagram(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, from: SystemAddress)? {
        while true {
            var count = 0
            // The address is left as the socket returns it, even if it is IPv4-mapped, because `send(_:to:)` on the
            // same socket needs that form.
            let address = SystemAddress.query { address, length in
                count = recvfrom(descriptor, buffer.baseAddress, buffer.count, 0, address, length)
                return count >= 0 ? 0 : -1
            }
            if let address { return (count, address) }
            guard errno == EINTR else { return nil }
        }
    }

    /// Sends one datagram. If the send buffer is full, the datagram is lost, as on a real network.
    func send(_ bytes: UnsafeRawBufferPointer, to address: SystemAddress) {
        _ = address.withPointer { sendto(descriptor, bytes.baseAddress, bytes.count, 0, $0, $1) }
    }

    func setNonBlocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Sets TCP_NODELAY, and makes writing to a closed connection return an error instead of raising SIGPIPE.
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

    /// Binds the socket to `address`; an IPv6 socket accepts IPv4 connections as well. Returns 0 or the error number.
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

    /// Starts connecting to `address`.
    ///
    /// Returns 0 if the connection is established, EINPROGRESS if it is being established, otherwise the error number.
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

    /// Returns and clears the socket's pending error (SO_ERROR); 0 if there is none.
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

    /// The request code `FIONREAD`, which Darwin's headers define with a macro that Swift does not import.
    static var countingWaitingBytes: UInt {
        #if os(Linux)
            UInt(FIONREAD)
        #else
            0x4004_667F
        #endif
    }

    /// Reads at most `most` bytes into a new array.
    func receive(_ most: Int) -> (Received, [UInt8]) {
        // The array is allocated for the available bytes only. A larger allocation would waste memory for as long as a
        // fault delays the bytes.
        var waiting: Int32 = 0
        let isKnown = ioctl(descriptor, Self.countingWaitingBytes, &waiting) == 0 && waiting > 0
        var received = Received.nothing
        let bytes = [UInt8](unsafeUninitializedCapacity: isKnown ? min(most, Int(waiting)) : most) { buffer, count in
            received = receive(into: UnsafeMutableRawBufferPointer(buffer))
            if case .bytes(let read) = received { count = read }
        }
        return (received, bytes)
    }

    /// Sends FIN: closes the sending direction.
    func endOutput() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Accepts the next connection from the listener's queue; nil if none is waiting.
    ///
    /// On Linux an accepted socket inherits the listener's options (``streamOptions()``).
    ///
    /// - Throws: `SocketError` if accepting fails for a reason other than an aborted connection, such as too many open
    ///   files.
    func accept() throws(SocketError) -> (socket: SystemSocket, caller: SystemAddress)? {
        while true {
            var accepted: Int32 = -1
            let caller = SystemAddress.queryUnmapped { address, length in
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
            // The peer closed the connection while it was in the accept queue.
            case EINTR, ECONNABORTED, EPROTO: continue
            case EAGAIN, EWOULDBLOCK: return nil
            // The socket is bound but does not listen, because the listener refuses connections.
            case EINVAL: return nil
            case let code: throw SocketError("accept connections", code: code)
            }
        }
    }

    /// Whether the socket is still connected; true even after the peer has sent FIN.
    var isConnected: Bool { SystemAddress.queryUnmapped { getpeername(descriptor, $0, $1) } != nil }

    /// The address that the socket is bound to; nil if it is unbound.
    var localAddress: SystemAddress? { SystemAddress.queryUnmapped { getsockname(descriptor, $0, $1) } }
}
