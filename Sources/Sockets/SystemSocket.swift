#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A socket descriptor, with the system calls that SwiftNIO does not expose.
///
/// The value does not own the descriptor; the caller must close it.
package struct SystemSocket: Hashable, Sendable {
    package let descriptor: Int32

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    // MARK: - Creation

    /// Creates an IPv4 TCP socket that is bound to a port but does not listen. If the port is 0, a free one is chosen.
    ///
    /// The socket keeps its port until it is closed. Linux releases a port that it chose itself as soon as the socket
    /// stops listening, so a free port is found with another socket first and then bound explicitly.
    package static func bound(to address: LocalAddress, port: Int) throws(SocketError) -> SystemSocket {
        guard port == 0 else {
            let socket = try tcp()
            return try socket.keeping { socket throws(SocketError) in
                // SO_REUSEADDR permits binding to a port that still has connections in TIME_WAIT.
                socket.share(true)
                try socket.bind(to: address, port: port)
                socket.share(false)
            }
        }
        var last = SocketError("bind \(address)", code: EADDRINUSE)
        for _ in 0..<16 {
            let chosen = try tcp()
            let free = try chosen.keeping { socket throws(SocketError) in try socket.bind(to: address, port: 0) }
                .localPort
            chosen.close()
            let socket = try tcp()
            do {
                return try socket.keeping { socket throws(SocketError) in try socket.bind(to: address, port: free ?? 0)
                }
            } catch {
                guard error.code == EADDRINUSE else { throw error }
                last = error
            }
        }
        throw last
    }

    /// Calls `body` and returns this socket; closes the socket if `body` throws.
    private func keeping(_ body: (SystemSocket) throws(SocketError) -> Void) throws(SocketError) -> SystemSocket {
        do {
            try body(self)
            return self
        } catch {
            close()
            throw error
        }
    }

    /// Creates an IPv4 TCP socket that child processes do not inherit.
    package static func tcp() throws(SocketError) -> SystemSocket {
        #if os(Linux)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SocketError("create a socket") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let socket = SystemSocket(descriptor)
        #if canImport(Darwin)
            // SO_NOSIGPIPE is set at creation, because setting it fails once the peer has reset the connection.
            socket.set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return socket
    }

    /// Binds to a port on an address. If the port is 0, the kernel chooses a free one.
    package func bind(to address: LocalAddress, port: Int) throws(SocketError) {
        let result = address.withSystemAddress(port: port) {
            #if canImport(Darwin)
                Darwin.bind(descriptor, $0, $1)
            #elseif canImport(Glibc)
                Glibc.bind(descriptor, $0, $1)
            #endif
        }
        guard result == 0 else { throw SocketError("bind \(address):\(port)") }
    }

    /// Creates a second descriptor for the same socket; child processes do not inherit it.
    package func duplicate() throws(SocketError) -> SystemSocket {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SocketError("duplicate a socket") }
        return SystemSocket(copy)
    }

    package func close() {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
            _ = Glibc.close(descriptor)
        #endif
    }

    /// Listens with an accept queue of length `backlog`; if the socket is already listening, changes the length.
    func listen(backlog: Int32) {
        #if canImport(Darwin)
            _ = Darwin.listen(descriptor, backlog)
        #elseif canImport(Glibc)
            _ = Glibc.listen(descriptor, backlog)
        #endif
    }

    /// Stops listening but keeps the port. Connections in the accept queue are reset, and new ones are refused.
    package func stopListening() throws(SocketError) {
        guard shutdown(descriptor, Int32(SHUT_RD)) == 0 else { throw SocketError("stop listening") }
    }

    // MARK: - Options

    /// Sets the buffer sizes, disables Nagle's algorithm and prevents child processes from inheriting the socket.
    package func configure(_ settings: SocketSettings) {
        set(SOL_SOCKET, SO_SNDBUF, Int32(clamping: settings.sendBuffer))
        set(SOL_SOCKET, SO_RCVBUF, Int32(clamping: settings.receiveBuffer))
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    /// Sets whether other sockets may bind to the same port as long as no socket is listening on it (SO_REUSEADDR).
    ///
    /// A listener needs this when it starts listening again, because the connections it accepted earlier still use its
    /// port.
    package func share(_ shares: Bool) {
        set(SOL_SOCKET, SO_REUSEADDR, shares ? 1 : 0)
    }

    /// Makes closing the socket send an RST immediately and discard unsent bytes.
    package func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        let length = socklen_t(MemoryLayout<linger>.size)
        _ = Self.succeeded(setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, length))
    }

    /// Makes the kernel acknowledge received bytes immediately instead of up to 40 ms later.
    ///
    /// Does nothing on systems without TCP_QUICKACK.
    package func acknowledgeNow() {
        #if os(Linux)
            set(Int32(IPPROTO_TCP), TCP_QUICKACK, 1)
        #endif
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        let length = socklen_t(MemoryLayout<Int32>.size)
        _ = Self.succeeded(setsockopt(descriptor, level, option, &value, length))
    }

    /// Returns whether a call succeeded. Asserts that the call did not use a closed descriptor, whose number might by
    /// then belong to another connection.
    private static func succeeded(_ result: Int32) -> Bool {
        assert(result == 0 || errno != EBADF && errno != ENOTSOCK, "the descriptor of a closed socket is used")
        return result == 0
    }

    // MARK: - State

    /// The local port; nil if the socket is closed.
    package var localPort: Int? { Self.port { getsockname(descriptor, $0, $1) } }
    /// The peer's port; nil if the socket is not connected.
    package var peerPort: Int? { Self.port { getpeername(descriptor, $0, $1) } }

    private static func port(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Int? {
        var bytes = [UInt8](repeating: 0, count: LocalAddress.systemLength)
        var length = socklen_t(bytes.count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: sockaddr.self) { rebound in
                rebound.baseAddress.map { call($0, &length) } ?? -1
            }
        }
        guard succeeded(result), Int(length) >= 4 else { return nil }
        return Int(bytes[2]) << 8 | Int(bytes[3])
    }

    /// The number of written bytes that the peer's kernel has not acknowledged; an unacknowledged FIN counts as one
    /// byte (TIOCOUTQ).
    package var unacknowledged: Int {
        var count: Int32 = 0
        #if os(Linux)
            guard Self.succeeded(ioctl(descriptor, UInt(TIOCOUTQ), &count)) else { return 0 }
        #else
            var length = socklen_t(MemoryLayout<Int32>.size)
            guard Self.succeeded(getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &length)) else { return 0 }
        #endif
        return Int(count)
    }

    /// The number of written bytes that this machine's kernel has not sent, because the peer's window or the congestion
    /// window is full.
    ///
    /// Equals ``unacknowledged`` on systems that do not report this number.
    package var unsent: Int {
        #if os(Linux)
            // The `ioctl` request number is the value of SIOCOUTQNSD in linux/sockios.h.
            var count: Int32 = 0
            guard Self.succeeded(ioctl(descriptor, 0x894B, &count)) else { return 0 }
            return Int(count)
        #else
            return unacknowledged
        #endif
    }

    // MARK: - Writing

    /// The result of a write.
    package enum Sent: Hashable {
        /// The kernel accepted this many bytes.
        case bytes(Int)
        /// The kernel accepted no bytes, because its buffers are full.
        case blocked
        /// The connection is broken, with this `errno`; no write will succeed again.
        case broken(Int32)
    }

    /// Writes as many bytes as possible without blocking. A broken connection is reported in the result and does not
    /// raise SIGPIPE.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Sent {
        #if os(Linux)
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        #else
            let flags = MSG_DONTWAIT
        #endif
        while true {
            #if canImport(Darwin)
                let count = Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
            #elseif canImport(Glibc)
                let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
            #endif
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .blocked
            case let code: return .broken(code)
            }
        }
    }

    // MARK: - Reading

    /// The result of a read.
    enum Received: Hashable {
        case bytes([UInt8])
        /// No bytes are in the buffer; the peer may have closed the connection.
        case nothing
        /// The connection is broken, with this `errno`.
        case broken(Int32)
    }

    /// Reads the bytes that have arrived, at most 64 KiB, without blocking.
    func receive() -> Received {
        while true {
            var count = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                used = max(0, count)
            }
            if count > 0 { return .bytes(bytes) }
            if count == 0 { return .nothing }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothing
            case let code: return .broken(code)
            }
        }
    }
}
