import CPolling
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// An object that a reactor notifies of its descriptors' readiness, its deadlines and its lookups.
protocol Watcher: AnyObject {
    /// Handles new readiness of the descriptor registered with `tag`.
    ///
    /// If no flag in `readiness` is set, the call results from ``Reactor/requeue(_:)``.
    func ready(_ tag: Int, _ readiness: Readiness)
    /// Handles a deadline that was scheduled for `tag`.
    func due(_ tag: Int)
    /// Handles the result of a name lookup.
    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>)
    /// Handles the progress of the write job `number`: `bytes` more bytes have been written.
    func delivered(_ tag: Int, _ number: Int, _ bytes: Int, _ progress: WriteJob.Progress)
}

extension Watcher {
    func due(_ tag: Int) {}
    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>) {}
    func delivered(_ tag: Int, _ number: Int, _ bytes: Int, _ progress: WriteJob.Progress) {}
}

/// The event loop of one thread: sockets, deadlines, and messages from other threads.
///
///       kernel                        one iteration                    Watcher
///     +---------+ events   +----------------------------+
///     | sockets |--------->| 1. wait in the poller      |---> ready(tag, readiness)
///     +---------+          |          |                 |
///                          | 2. pop the timer heap      |---> due(tag)
///                          |          |                 |
///                          | 3. drain the requeue list  |---> ready(tag, nothing new)
///     +---------+ messages |          |                 |
///     | threads |--------->| 4. empty the inbox         |---> resolved, delivered, worker tasks, stop
///     +---------+          +----------------------------+
///
/// The thread that calls ``run()`` repeats these steps until ``stop()``. It blocks in step 1 only: not at all if the
/// requeue list is not empty, otherwise until the earliest timer, and without limit if there is none. A short busy poll
/// (``BusyPolling``) may precede the wait. One wait returns at most 256 events. Every watcher is called on this thread
/// and must return without blocking: sockets never block, names are resolved on a Dispatch queue (``Resolver``), and
/// large writes are done by the thread of a ``BulkWriter``. Resolvers, bulk writers and the other reactors of a server
/// send their results through the inbox, whose eventfd or pipe is one of the polled descriptors.
///
/// A watcher that could read for a long time returns after a fixed number of calls and requeues itself, so that other
/// watchers are served. A registration is identified by a token. The token becomes invalid when the registration is
/// forgotten, and events, timers and messages that still arrive for it are dropped.
///
/// Confined to the thread that runs it; before that, to the thread that creates it.
package final class Reactor {
    /// A watcher's registration.
    ///
    /// A token consists of the slot's index and generation, so the token of a forgotten registration matches no slot.
    private struct Slot {
        /// The generation of the slot; starts at 1, so that no valid token is 0.
        var generation: UInt32 = 1
        var tag = 0
        var watcher: (any Watcher)?
        /// Whether the registration is in ``requeued``.
        var isRequeued = false
    }

    /// The maximum number of bytes per read: about as much as peers on loopback transfer at once.
    static let readSize = 512 * 1024

    package let mailbox: ReactorInbox
    /// The read buffer, shared by all connections on the thread.
    let scratch: UnsafeMutableRawBufferPointer
    let names = NameTable()
    let resolver: Resolver
    /// The thread that performs large writes for this reactor; started on first use.
    private(set) lazy var writer: BulkWriter = {
        hasWriter = true
        return BulkWriter(reportingTo: mailbox)
    }()
    private var hasWriter = false
    /// Tracks file descriptor usage across all threads of a server.
    let descriptors: DescriptorWatch

    private let poller: Poller
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var timers = DeadlineHeap()
    /// The tokens of watchers that stopped early for fairness and are called again in step 3 of the iteration.
    private var requeued: [UInt64] = []
    private let clock: MonotonicClock
    private var polling = BusyPolling()
    private var isStopped = false
    /// The thread that executes ``run()``; nil while the reactor is not running.
    private var thread: pthread_t?
    /// Whether the caller may use the reactor: true if it is not running, or is running on the caller's thread.
    var isConfined: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? true }
    /// The handlers for the inbox's messages, set by the object that uses this reactor.
    var onStop: () -> Void = {}
    var onWorkerTask: (@Sendable (ProxyWorkers) -> Void) -> Void = { _ in }
    var onEvents: () -> Void = {}
    var onBarrier: (Int) -> Void = { _ in }
    var onCall: (APICall) -> Void = { _ in }
    var hasForwardedAll: () -> Bool = { true }

    /// Creates a reactor with its own inbox.
    ///
    /// - Parameters:
    ///   - readSize: The maximum number of bytes per read.
    ///   - lookUp: Resolves host names.
    convenience init(
        readSize: Int = readSize,
        clock: MonotonicClock = MonotonicClock(),
        lookUp: @escaping Resolver.Lookup = Endpoint.resolve
    ) throws(SocketError) {
        try self.init(mailbox: ReactorInbox(), readSize: readSize, clock: clock, lookUp: lookUp)
    }

    /// Creates a reactor for `mailbox`. Call it on the thread that will run the reactor, because timer slack is set per
    /// thread.
    ///
    /// - Throws: `SocketError` if the process has no file descriptor left for the poller.
    init(
        mailbox: ReactorInbox,
        readSize: Int = readSize,
        clock: MonotonicClock,
        descriptors: DescriptorWatch = DescriptorWatch(),
        lookUp: @escaping Resolver.Lookup
    ) throws(SocketError) {
        poller = try Poller()
        self.descriptors = descriptors
        self.mailbox = mailbox
        self.clock = clock
        resolver = Resolver(mailbox: mailbox, lookup: lookUp)
        scratch = .allocate(byteCount: readSize, alignment: 4096)
        try poller.watch(mailbox.reading, token: .max)
    }

    deinit {
        if hasWriter { writer.stop() }
        poller.close()
        scratch.deallocate()
    }

    var now: Instant { clock.now }

    // MARK: - Registrations

    /// Registers a watcher without a descriptor, for deadlines and messages only. Returns its token.
    func register(_ watcher: any Watcher, tag: Int = 0) -> UInt64 {
        assert(isConfined)
        let index: Int
        if let reused = free.popLast() {
            index = reused
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].watcher = watcher
        slots[index].tag = tag
        return UInt64(slots[index].generation) << 32 | UInt64(index)
    }

    /// Registers a watcher for the readiness of `socket`. Returns the registration's token.
    ///
    /// - Throws: `SocketError` if the kernel rejects the registration.
    func watch(_ socket: SystemSocket, _ watcher: any Watcher, tag: Int = 0) throws(SocketError) -> UInt64 {
        let token = register(watcher, tag: tag)
        do {
            try poller.watch(socket.descriptor, token: token)
            return token
        } catch {
            forget(token)
            throw error
        }
    }

    /// Removes a registration: no more events are reported for `token`. The caller closes the descriptor.
    func forget(_ token: UInt64) {
        assert(isConfined)
        guard let index = index(of: token) else { return }
        slots[index].watcher = nil
        slots[index].isRequeued = false
        // The generation would wrap around to 0 only after four billion registrations in this slot.
        slots[index].generation &+= 1
        free.append(index)
    }

    private func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        guard slots.indices.contains(index), slots[index].generation == UInt32(token >> 32) else { return nil }
        return index
    }

    private func find(_ token: UInt64) -> Slot? { index(of: token).map { slots[$0] } }

    /// Schedules a call to ``Watcher/due(_:)``. A token may have many deadlines, and none can be cancelled.
    func schedule(_ token: UInt64, at due: Instant) {
        assert(isConfined)
        timers.insert(token, at: due)
    }

    /// Schedules one more call to ``Watcher/ready(_:_:)``, without new readiness, after the calls to other watchers.
    func requeue(_ token: UInt64) {
        assert(isConfined)
        guard let index = index(of: token), !slots[index].isRequeued else { return }
        slots[index].isRequeued = true
        requeued.append(token)
    }

    // MARK: - Running

    func stop() {
        isStopped = true
    }

    /// Runs the event loop until ``stop()`` is called.
    package func run() {
        thread = pthread_self()
        defer { thread = nil }
        while !isStopped { turn() }
    }

    private func turn() {
        var limit: Int64?
        if !requeued.isEmpty {
            limit = 0
        } else if let next = timers.next {
            limit = max(0, (next - now).nanoseconds)
        }
        let hasMail = wait(limit)
        // The clock is read once, so that the loop terminates: a deadline that a watcher schedules for now is handled
        // in the next iteration.
        let time = now
        while let token = timers.pop(through: time) {
            guard let slot = find(token) else { continue }
            slot.watcher?.due(slot.tag)
        }
        if !requeued.isEmpty {
            let tokens = requeued
            requeued.removeAll(keepingCapacity: true)
            for token in tokens {
                guard let index = index(of: token) else { continue }
                slots[index].isRequeued = false
                slots[index].watcher?.ready(slots[index].tag, Readiness())
            }
        }
        if hasMail { deliver() }
    }

    /// Waits for at most `limit` nanoseconds and reports readiness to the watchers.
    ///
    /// Returns whether the inbox has messages.
    private func wait(_ limit: Int64?) -> Bool {
        var hasMail = false
        func emit(_ event: Poller.Event) {
            guard event.token != .max else {
                hasMail = true
                return
            }
            guard let slot = find(event.token) else { return }
            slot.watcher?.ready(slot.tag, event.readiness)
        }
        if limit.map({ $0 > BusyPolling.pollDuration.nanoseconds }) ?? true, polling.isWorthwhile() {
            let end = now + BusyPolling.pollDuration
            repeat {
                guard poller.wait(0, emit) == 0 else {
                    polling.succeeded()
                    return hasMail
                }
            } while now < end
            polling.failed()
        }
        poller.wait(limit, emit)
        return hasMail
    }

    private func deliver() {
        for message in mailbox.collect() {
            switch message {
            case .stop: onStop()
            case .resolved(let token, let addresses):
                guard let slot = find(token) else { continue }
                slot.watcher?.resolved(slot.tag, addresses)
            case .delivered(let token, let number, let bytes, let progress):
                guard let slot = find(token) else { continue }
                slot.watcher?.delivered(slot.tag, number, bytes, progress)
            case .workerTask(let task): onWorkerTask(task)
            case .events: onEvents()
            case .barrier(let number): onBarrier(number)
            case .call(let call): onCall(call)
            case .hasForwardedAll(let emit): emit(hasForwardedAll())
            }
        }
    }
}
