import Dispatch
import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A blocking TCP socket with a time limit for every wait, used at both ends of the proxy.
final class Peer: Sendable {
    enum End: Hashable {
        case fin, rst
        /// No bytes arrived within the time limit.
        case silence
    }

    struct Failure: Error {
        var code: Int32
    }

    private let descriptor: Int32
    private let isOpen = Atomic(true)
    /// The kernel reports a reset only once: after a `send` has reported it, `read` reports the end of the stream.
    private let sendWasReset = Atomic(false)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    /// Connects to a port on loopback. If that fails, throws the error number.
    init(connectingTo port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = Self.socket()
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        let result = Self.withAddress(port) { connect(descriptor, $0, $1) }
        guard result == 0 else {
            let code = errno
            _ = platformClose(descriptor)
            throw Failure(code: code)
        }
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    }

    fileprivate static func socket() -> Int32 {
        #if os(Linux)
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    fileprivate static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { platformSend(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if errno == ECONNRESET { sendWasReset.store(true, ordering: .relaxed) }
                return false
            }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Writes until the kernel accepts no bytes for `seconds`. Returns the number of bytes accepted.
    func fill(for seconds: Double) -> Int {
        let piece = [UInt8](repeating: 0x61, count: 65536)
        var total = 0
        while wait(Int16(POLLOUT), seconds) {
            let count = piece.withUnsafeBytes { platformSendNow(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            total += count
        }
        return total
    }

    private func wait(_ events: Int16, _ seconds: Double) -> Bool {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        return poll(&entry, 1, Int32(max(0, seconds) * 1000)) > 0
    }

    /// Receives `wanted` bytes. If fewer arrive, also returns the reason.
    func receive(_ wanted: Int, within seconds: Double = 10) -> (bytes: [UInt8], end: End?) {
        let limit = Date().addingTimeInterval(seconds)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count < wanted {
            guard wait(Int16(POLLIN), limit.timeIntervalSinceNow) else { return (bytes, .silence) }
            let room = min(buffer.count, wanted - bytes.count)
            let count = read(descriptor, &buffer, room)
            guard count >= 0 else { return (bytes, .rst) }
            guard count > 0 else { return (bytes, sendWasReset.load(ordering: .relaxed) ? .rst : .fin) }
            bytes += buffer[..<count]
        }
        return (bytes, nil)
    }

    func text(_ count: Int, within seconds: Double = 10) -> String {
        String(decoding: receive(count, within: seconds).bytes, as: UTF8.self)
    }

    func receiveAll(within seconds: Double = 10) -> (bytes: [UInt8], end: End) {
        let (bytes, end) = receive(.max, within: seconds)
        return (bytes, end ?? .silence)
    }

    /// Returns whether the connection is reset or closed within this time. Does not read from it.
    func becomesBroken(within seconds: Double) -> Bool {
        let limit = Date().addingTimeInterval(seconds)
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        while Date() < limit {
            guard poll(&entry, 1, 100) >= 0 else { return false }
            if entry.revents & Int16(POLLHUP | POLLERR) != 0 { return true }
        }
        return false
    }

    func end() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    func reset() {
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Closes the socket, but only on the first call, because the descriptor's number may be reused afterwards.
    func close() {
        if isOpen.exchange(false, ordering: .relaxed) { _ = platformClose(descriptor) }
    }
}

/// A listener whose connections the test accepts one at a time.
final class Upstream: Sendable {
    let port: Int
    private let descriptor: Int32
    private let isOpen = Atomic(true)

    init() throws {
        let descriptor = Peer.socket()
        self.descriptor = descriptor
        guard Peer.withAddress(0, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1024) == 0 else {
            throw Peer.Failure(code: errno)
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    deinit { close() }

    /// Returns the next connection, or nil if there is none within the time limit.
    func accept(within seconds: Double = 10) -> Peer? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(seconds * 1000)) > 0 else { return nil }
        #if canImport(Darwin)
            let accepted = Darwin.accept(descriptor, nil, nil)
        #else
            let accepted = Glibc.accept(descriptor, nil, nil)
        #endif
        return accepted >= 0 ? Peer(accepted) : nil
    }

    func close() {
        if isOpen.exchange(false, ordering: .relaxed) { _ = platformClose(descriptor) }
    }
}

private func platformClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

#if os(Linux)
    private let noSignal = Int32(MSG_NOSIGNAL)
    private let atOnce = Int32(MSG_DONTWAIT)
#else
    private let noSignal: Int32 = 0
    private let atOnce = MSG_DONTWAIT
#endif

private func platformSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    send(descriptor, bytes, count, noSignal)
}

private func platformSendNow(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    send(descriptor, bytes, count, noSignal | atOnce)
}

/// Runs `work` in parallel with the test. The returned semaphore is signalled when the work is done.
func beside(_ work: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        work()
        done.signal()
    }
    return done
}
