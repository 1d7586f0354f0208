import CPolling
import Sockets
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The messages that other threads send to a reactor; posting one wakes the reactor's thread.
package final class ReactorInbox: Sendable {
    package enum Message: Sendable {
        /// Ends all connections, then stops the event loop.
        case stop
        /// The result of a name lookup for the watcher with this token.
        case resolved(UInt64, Result<[SystemAddress], AddressError>)
        /// The progress of a write job, for the watcher with this token: `bytes` more bytes have been written.
        case delivered(UInt64, number: Int, bytes: Int, WriteJob.Progress)
        /// A task to be run on a worker thread, given the thread's ``ProxyWorkers``.
        case workerTask(@Sendable (ProxyWorkers) -> Void)
        /// A notification for the API's thread: other threads have added events to the event collector.
        case events
        /// A notification for the API's thread: a worker has run every task that was posted to it before the barrier
        /// with this number.
        case barrier(Int)
        /// An API call to be answered by the API's thread.
        case call(APICall)
        /// A request to the API's thread to report whether all data that arrived at sockets bound by the caller has
        /// been forwarded.
        case hasForwardedAll(@Sendable (Bool) -> Void)
    }

    private let messages = Mutex<[Message]>([])
    /// The descriptor that the reactor polls. Other threads write to `writing`; on Linux both are the same eventfd.
    let reading: Int32
    private let writing: Int32

    init() throws(SocketError) {
        #if os(Linux)
            reading = squall_waker()
            writing = reading
            guard reading >= 0 else { throw SocketError("create a reactor's inbox") }
        #else
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SocketError("create a reactor's inbox") }
            (reading, writing) = (ends[0], ends[1])
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                // A child process must not inherit the descriptor.
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        #endif
    }

    deinit {
        SystemSocket(reading).close()
        if writing != reading { SystemSocket(writing).close() }
    }

    /// Adds a message, and wakes the reactor if the inbox was empty. Can be called from any thread.
    package func post(_ message: Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        // The reactor has been woken, or is about to be, by the thread that posted the first message.
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = write(writing, &one, 8)
    }

    /// Clears the wake-up signal, and removes and returns all messages in the order they were posted.
    func collect() -> [Message] {
        var scratch = [UInt8](repeating: 0, count: 64)
        while read(reading, &scratch, scratch.count) == scratch.count {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
