import Foundation
import Foundations
import Sockets
import Synchronization

/// A thread that carries connections beside the one that accepts them.
final class Worker: Sendable {
    let load = Load()
    private let mailbox: Mailbox
    private let ended = DispatchSemaphore(value: 0)

    /// Runs from now on, until it is stopped.
    init(
        _ number: Int,
        _ clock: MonotonicClock,
        _ events: EventFunnel,
        descriptors: DescriptorWatch = DescriptorWatch(),
        lookUp: @escaping Resolver.Ask
    ) throws(SocketError) {
        mailbox = try Mailbox()
        let (mailbox, load, ended) = (mailbox, load, ended)
        let started = DispatchSemaphore(value: 0)
        let failure = Mailslot<SocketError>()
        let thread = Thread {
            Thread.current.name = "squall \(number)"
            do throws(SocketError) {
                // Made on its own thread: how punctually the kernel wakes is said for each.
                let reactor = try Reactor(mailbox: mailbox, clock: clock, descriptors: descriptors, lookUp: lookUp)
                let lanes = Lanes(on: reactor, load: load, events: events)
                reactor.onStop = {
                    lanes.closeAll()
                    reactor.stop()
                }
                reactor.onDeed = { $0(lanes) }
                started.signal()
                reactor.run()
                // It holds itself through what it does when it is told to stop.
                reactor.onStop = {}
                reactor.onDeed = { _ in }
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
    func post(_ deed: @escaping @Sendable (Lanes) -> Void) { mailbox.post(.deed(deed)) }

    /// Ends its connections and its thread, and waits for that.
    func stop() {
        mailbox.post(.stop)
        ended.wait()
        ended.signal()
    }
}

/// One thing that one thread leaves for another.
private final class Mailslot<Content: Sendable>: Sendable {
    private let content = Mutex<Content?>(nil)
    func put(_ new: Content) { content.withLock { $0 = new } }
    func take() -> Content? { content.withLock { $0 } }
}
