import Foundation
import Sockets
import SquallCore
import Synchronization

/// A thread with its own reactor that relays connections, in addition to the accepting thread.
final class WorkerThread: Sendable {
    let load = Load()
    private let mailbox: ReactorInbox
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread and blocks until its reactor exists.
    ///
    /// - Throws: `SocketError` if the process has no file descriptors left for the reactor.
    init(
        _ number: Int,
        _ clock: MonotonicClock,
        _ events: EventCollector,
        descriptors: DescriptorWatch = DescriptorWatch(),
        lookUp: @escaping Resolver.Lookup
    ) throws(SocketError) {
        mailbox = try ReactorInbox()
        let (mailbox, load, ended) = (mailbox, load, ended)
        let started = DispatchSemaphore(value: 0)
        let failure = SharedValue<SocketError>()
        let thread = Thread {
            Thread.current.name = "squall \(number)"
            do throws(SocketError) {
                // The reactor is created on its own thread, because the kernel's timer slack is a per-thread setting.
                let reactor = try Reactor(mailbox: mailbox, clock: clock, descriptors: descriptors, lookUp: lookUp)
                let proxyWorkers = ProxyWorkers(on: reactor, load: load, events: events)
                reactor.onStop = {
                    proxyWorkers.closeAll()
                    reactor.stop()
                }
                reactor.onWorkerTask = { $0(proxyWorkers) }
                started.signal()
                reactor.run()
                // The handlers retain the reactor. Clearing them breaks the retain cycle.
                reactor.onStop = {}
                reactor.onWorkerTask = { _ in }
            } catch {
                failure.put(error)
                started.signal()
            }
            ended.signal()
        }
        thread.start()
        started.wait()
        if let error = failure.take() { throw error }
    }

    /// Posts a task to the thread. Tasks run in the order in which they are posted.
    func post(_ task: @escaping @Sendable (ProxyWorkers) -> Void) { mailbox.post(.workerTask(task)) }

    /// Closes all connections and ends the thread, blocking until it has ended. Further calls have no effect.
    func stop() {
        mailbox.post(.stop)
        ended.wait()
        ended.signal()
    }
}

/// A mutex-protected value that one thread stores and another reads.
private final class SharedValue<Content: Sendable>: Sendable {
    private let content = Mutex<Content?>(nil)
    func put(_ new: Content) { content.withLock { $0 = new } }
    func take() -> Content? { content.withLock { $0 } }
}
