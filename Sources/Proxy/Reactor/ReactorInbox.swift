import CPolling
import Sockets
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// How other threads reach a reactor: they leave a message and wake it.
package final class ReactorInbox: Sendable {
    package enum Message: Sendable {
        /// End in order.
        case stop
        /// A name has been looked up, for whoever holds this token.
        case resolved(UInt64, Result<[SystemAddress], AddressError>)
        /// So much more of a parcel is written, and how far that is, for whoever holds this token.
        case delivered(UInt64, number: Int, bytes: Int, WriteJob.Progress)
        /// For a worker: something to be done to its lanes.
        case workerTask(@Sendable (ProxyWorkers) -> Void)
        /// For the thread that has the API: events wait to be collected.
        case events
        /// For the same: a worker has done all that it was posted before it was asked for this.
        case barrier(Int)
        /// For the same: whether what came to sockets of others' binding has been passed on, to the end.
        case hasForwardedAll(@Sendable (Bool) -> Void)
    }

    private let messages = Mutex<[Message]>([])
    /// The reactor reads the one and others write to the other; one and the same on Linux.
    let reading: Int32
    private let writing: Int32

    init() throws(SocketError) {
        #if os(Linux)
            reading = squall_waker()
            writing = reading
            guard reading >= 0 else { throw SocketError("make a mailbox") }
        #else
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SocketError("make a mailbox") }
            (reading, writing) = (ends[0], ends[1])
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                // No process that this one begins holds it.
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        #endif
    }

    deinit {
        SystemSocket(reading).close()
        if writing != reading { SystemSocket(writing).close() }
    }

    package func post(_ message: Message) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        // Whoever left the first has woken the reader, or is about to.
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = write(writing, &one, 8)
    }

    func collect() -> [Message] {
        var scratch = [UInt8](repeating: 0, count: 64)
        while read(reading, &scratch, scratch.count) == scratch.count {}
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
