@testable import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A blocking socket that does not use SwiftNIO, like those in an ordinary peer program.
final class PlainPeer {
    enum Seen: Hashable {
        case bytes([UInt8])
        case end
        case reset
        /// No bytes arrived within the time limit; the connection is still open.
        case nothing
        case error(Int32)
    }

    let socket: SystemSocket

    init() throws {
        socket = try SystemSocket.tcp()
    }

    private init(_ socket: SystemSocket) {
        self.socket = socket
    }

    deinit { socket.close() }

    /// Connects, and returns 0 or the error number; ETIMEDOUT if there is no answer within `milliseconds`.
    func connect(to address: LocalAddress, port: Int, waiting milliseconds: Int32 = 2000) -> Int32 {
        let flags = fcntl(socket.descriptor, F_GETFL, 0)
        _ = fcntl(socket.descriptor, F_SETFL, flags | O_NONBLOCK)
        let result = address.withSystemAddress(port: port) { connectPlainly(socket.descriptor, $0, $1) }
        if result == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        return finishConnecting(waiting: milliseconds)
    }

    func finishConnecting(waiting milliseconds: Int32) -> Int32 {
        guard ready(Int16(POLLOUT), milliseconds) else { return ETIMEDOUT }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code
    }

    /// Returns the result of a connection attempt, as ``connect(to:port:waiting:)`` does, and closes any connection.
    static func outcome(of address: LocalAddress, port: Int, waiting milliseconds: Int32 = 2000) throws -> Int32 {
        try PlainPeer().connect(to: address, port: port, waiting: milliseconds)
    }

    /// Sends bytes, and returns the number of bytes that the kernel accepted immediately.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Int {
        guard case .bytes(let count) = bytes.withUnsafeBytes({ socket.send($0) }) else { return 0 }
        return count
    }

    func sendFIN() { shutdown(socket.descriptor, Int32(SHUT_WR)) }

    func close() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    func receive(waiting milliseconds: Int32 = 2000) -> Seen {
        guard ready(Int16(POLLIN), milliseconds) else { return .nothing }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket.descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return .bytes(Array(buffer[..<count])) }
        if count == 0 { return .end }
        return errno == ECONNRESET ? .reset : .error(errno)
    }

    /// Receives everything up to the end of the stream, or until no bytes arrive for a while.
    func receiveAll(waiting milliseconds: Int32 = 2000) -> (bytes: [UInt8], then: Seen) {
        var all: [UInt8] = []
        while true {
            switch receive(waiting: milliseconds) {
            case .bytes(let bytes): all += bytes
            case let seen: return (all, seen)
            }
        }
    }

    private func ready(_ events: Int16, _ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket.descriptor, events: events, revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}

private func connectPlainly(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

extension PlainPeer {
    /// Sends an RST immediately, as closing a socket with SO_LINGER 0 does, but keeps the descriptor's number until
    /// ``deinit``.
    func reset() { socket.resetAtOnce() }

    /// Closes the socket as the kernel does when its process exits.
    func gone() { socket.replaceByNothing() }
}

extension SystemSocket {
    func sendPlainly(_ bytes: UnsafeRawBufferPointer) -> Int {
        if case .bytes(let count) = send(bytes) { count } else { 0 }
    }

    func resetAtOnce() {
        resetOnClose()
        replaceByNothing()
    }

    /// Closes the socket behind the descriptor. The descriptor's number stays in use, so that a later close cannot
    /// affect another socket.
    func replaceByNothing() {
        let nothing = open("/dev/null", O_RDONLY)
        dup2(nothing, descriptor)
        SystemSocket(nothing).close()
    }
}
