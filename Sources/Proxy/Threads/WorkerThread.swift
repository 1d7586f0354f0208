import Foundation
import Sockets
import SquallCore
import Synchronization

/// A thread that carries connections beside the one that accepts them.
final class WorkerThread: Sendable {
    let load = Load()
    private let mailbox: ReactorInbox
    private let ended = DispatchSemaphore(value: 0)

    /// Runs from now on, until it is stopped.
    init(
        _ number: Int,
        _ clock: MonotonicClock,
        _ events: EventFunnel,
        descriptors: DescriptorWatch = DescriptorWatch(),
        lookUp: @escaping Resolver.Ask
    ) throws(SocketError) {
        mailbox = try ReactorInbox()
        let (mailbox, load, ended) = (mailbox, load, ended)
        let started = DispatchSemaphore(value: 0)
        let failure = HandoverQueue<SocketError>()
        let thread = Thread {
            Thread.current.name = "squall \(number)"
            do throws(SocketError) {
                // Made on its own thread: how punctually the kernel wakes is said for each.
                let reactor = try Reactor(mailbox: mailbox, clock: clock, descriptors: descriptors, lookUp: lookUp)
                let proxyWorkers = ProxyWorkers(on: reactor, load: load, events: events)
                reactor.onStop = {
                    proxyWorkers.closeAll()
                    reactor.stop()
                }
                reactor.onWorkerTask = { $0(proxyWorkers) }
                started.signal()
                reactor.run()
                // It holds itself through what it does when it is told to stop.
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

    /// In the order in which they are posted.
    func post(_ task: @escaping @Sendable (ProxyWorkers) -> Void) { mailbox.post(.workerTask(task)) }

    /// Ends its connections and its thread, and waits for that.
    func stop() {
        mailbox.post(.stop)
        ended.wait()
        ended.signal()
    }
}

/// One thing that one thread leaves for another.
private final class HandoverQueue<Content: Sendable>: Sendable {
    private let content = Mutex<Content?>(nil)
    func put(_ new: Content) { content.withLock { $0 = new } }
    func take() -> Content? { content.withLock { $0 } }
}
