import CPolling
import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The readiness of a descriptor: the changes that the poller has reported since its previous wait.
struct Readiness: Hashable, Sendable {
    var isReadable = false
    var isWritable = false
    /// Whether the peer has closed or reset the connection. The socket must then be read until the end of the stream.
    var hasHungUp = false
}

/// Waits for events on many descriptors at once (epoll or kqueue), edge-triggered.
///
/// Each descriptor is registered once for its lifetime. A watcher must remember a readiness event until a call on the
/// descriptor would block, because the kernel does not repeat it.
struct Poller {
    struct Event {
        var token: UInt64
        var readiness: Readiness
    }

    private let descriptor: Int32
    #if os(Linux)
        private let ready = UnsafeMutableBufferPointer<squall_ready>.allocate(capacity: 256)
    #else
        private let ready = UnsafeMutableBufferPointer<kevent>.allocate(capacity: 256)
    #endif

    init() throws(SocketError) {
        #if os(Linux)
            descriptor = squall_poller()
            squall_be_punctual()
        #else
            descriptor = kqueue()
        #endif
        guard descriptor >= 0 else {
            ready.deallocate()
            throw SocketError("create a poller")
        }
    }

    func close() {
        SystemSocket(descriptor).close()
        ready.deallocate()
    }

    /// Registers a descriptor for read and write readiness. Closing the descriptor removes it.
    ///
    /// - Throws: `SocketError` if the kernel rejects the registration.
    func watch(_ watched: Int32, token: UInt64) throws(SocketError) {
        #if os(Linux)
            let result = squall_watch(descriptor, watched, token)
        #else
            let mark = UnsafeMutableRawPointer(bitPattern: UInt(token) &+ 1)
            let flags = UInt16(EV_ADD | EV_CLEAR)
            var changes = [EVFILT_READ, EVFILT_WRITE].map { filter in
                kevent(ident: UInt(watched), filter: Int16(filter), flags: flags, fflags: 0, data: 0, udata: mark)
            }
            let result = kevent(descriptor, &changes, Int32(changes.count), nil, 0, nil)
        #endif
        guard result >= 0 else { throw SocketError("watch a socket") }
    }

    /// Waits at most `limit` nanoseconds, or indefinitely if nil, and passes each event to `emit`.
    ///
    /// Returns the number of events.
    @discardableResult
    func wait(_ limit: Int64?, _ emit: (Event) -> Void) -> Int {
        #if os(Linux)
            let count = squall_wait(descriptor, ready.baseAddress, limit ?? -1)
            guard count > 0 else { return 0 }
            for event in ready.prefix(Int(count)) {
                let readiness = Readiness(
                    isReadable: event.events & squall_readable != 0,
                    isWritable: event.events & squall_writable != 0,
                    hasHungUp: event.events & squall_hung_up != 0
                )
                emit(Event(token: event.token, readiness: readiness))
            }
            return Int(count)
        #else
            var span = timespec()
            if let limit { span = timespec(tv_sec: Int(limit / 1_000_000_000), tv_nsec: Int(limit % 1_000_000_000)) }
            let count = withUnsafePointer(to: &span) { span in
                kevent(descriptor, nil, 0, ready.baseAddress, Int32(ready.count), limit == nil ? nil : span)
            }
            guard count > 0 else { return 0 }
            for event in ready.prefix(Int(count)) {
                let readiness = Readiness(
                    isReadable: event.filter == Int16(EVFILT_READ),
                    isWritable: event.filter == Int16(EVFILT_WRITE),
                    hasHungUp: event.flags & UInt16(EV_EOF) != 0
                )
                emit(Event(token: UInt64(UInt(bitPattern: event.udata)) &- 1, readiness: readiness))
            }
            return Int(count)
        #endif
    }
}
