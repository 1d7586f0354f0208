import CPolling
import Sockets
import SquallCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Something that waits for descriptors and deadlines.
protocol Watcher: AnyObject {
    /// `tag` says which of its descriptors.
    func ready(_ tag: Int, _ readiness: Readiness)
    /// A deadline that it set has come.
    func due(_ tag: Int)
    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>)
    /// So many more bytes of a ``WriteJob`` are written.
    func delivered(_ tag: Int, _ number: Int, _ bytes: Int, _ progress: WriteJob.Progress)
}

extension Watcher {
    func due(_ tag: Int) {}
    func resolved(_ tag: Int, _ addresses: Result<[SystemAddress], AddressError>) {}
    func delivered(_ tag: Int, _ number: Int, _ bytes: Int, _ progress: WriteJob.Progress) {}
}

/// One thread's event loop: sockets, deadlines, and what other threads post.
///
/// Confined to the thread that runs it.
package final class Reactor {
    /// Where ``Watcher`` and tag of a registration are found again; stale ones find nothing.
    private struct Slot {
        /// From 1: a token of 0 is none.
        var generation: UInt32 = 1
        var tag = 0
        var watcher: (any Watcher)?
        /// Whether it is to be told once more in this turn.
        var isRequeued = false
    }

    /// One read of a connection; what peers on loopback move at once.
    static let readSize = 512 * 1024

    package let mailbox: ReactorInbox
    /// Where every read lands first.
    let scratch: UnsafeMutableRawBufferPointer
    let names = NameTable()
    let resolver: Resolver
    /// Who writes in bulk for it; its thread begins with its first use.
    private(set) lazy var writer: BulkWriter = {
        hasWriter = true
        return BulkWriter(reportingTo: mailbox)
    }()
    private var hasWriter = false
    /// Shared by all threads of a server.
    let descriptors: DescriptorWatch

    private let poller: Poller
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var timers = DeadlineHeap()
    /// Ready still, and passed over so that others have their turn.
    private var requeued: [UInt64] = []
    private let clock: MonotonicClock
    private var polling = BusyPolling()
    private var isStopped = false
    /// What other threads may ask of whoever runs on this one.
    var onStop: () -> Void = {}
    var onWorkerTask: (@Sendable (ProxyWorkers) -> Void) -> Void = { _ in }
    var onEvents: () -> Void = {}
    var onBarrier: (Int) -> Void = { _ in }
    var hasForwardedAll: () -> Bool = { true }

    /// With `readSize` the most that one read takes, in bytes, and `lookUp` whom to ask for the addresses of names.
    convenience init(
        readSize: Int = readSize,
        clock: MonotonicClock = MonotonicClock(),
        lookUp: @escaping Resolver.Ask = Endpoint.ask
    ) throws(SocketError) {
        try self.init(mailbox: ReactorInbox(), readSize: readSize, clock: clock, lookUp: lookUp)
    }

    /// To be made on the thread that runs it.
    init(
        mailbox: ReactorInbox,
        readSize: Int = readSize,
        clock: MonotonicClock,
        descriptors: DescriptorWatch = DescriptorWatch(),
        lookUp: @escaping Resolver.Ask
    ) throws(SocketError) {
        poller = try Poller()
        self.descriptors = descriptors
        self.mailbox = mailbox
        self.clock = clock
        resolver = Resolver(mailbox: mailbox, ask: lookUp)
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

    /// A registration that no descriptor needs: for deadlines and look-ups.
    func register(_ watcher: any Watcher, tag: Int = 0) -> UInt64 {
        let place: Int
        if let reused = free.popLast() {
            place = reused
        } else {
            place = slots.count
            slots.append(Slot())
        }
        slots[place].watcher = watcher
        slots[place].tag = tag
        return UInt64(slots[place].generation) << 32 | UInt64(place)
    }

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

    /// Nothing more comes for this token; its descriptor is closed by whoever has it.
    func forget(_ token: UInt64) {
        guard let place = place(of: token) else { return }
        slots[place].watcher = nil
        slots[place].isRequeued = false
        slots[place].generation &+= 1
        free.append(place)
    }

    private func place(of token: UInt64) -> Int? {
        let place = Int(token & 0xFFFF_FFFF)
        guard slots.indices.contains(place), slots[place].generation == UInt32(token >> 32) else { return nil }
        return place
    }

    private func find(_ token: UInt64) -> Slot? { place(of: token).map { slots[$0] } }

    /// Has ``Watcher/due(_:)`` called then; a token may have many deadlines.
    func schedule(_ token: UInt64, at due: Instant) {
        timers.insert(token, at: due)
    }

    /// Has ``Watcher/ready(_:_:)`` called once more, with nothing new, after the others.
    func requeue(_ token: UInt64) {
        guard let place = place(of: token), !slots[place].isRequeued else { return }
        slots[place].isRequeued = true
        requeued.append(token)
    }

    // MARK: - Running

    func stop() {
        isStopped = true
    }

    /// Turns until it is stopped.
    package func run() {
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
        let time = now
        while let token = timers.pop(through: time) {
            guard let slot = find(token) else { continue }
            slot.watcher?.due(slot.tag)
        }
        if !requeued.isEmpty {
            let tokens = requeued
            requeued.removeAll(keepingCapacity: true)
            for token in tokens {
                guard let place = place(of: token) else { continue }
                slots[place].isRequeued = false
                slots[place].watcher?.ready(slots[place].tag, Readiness())
            }
        }
        if hasMail { deliver() }
    }

    /// Has everything that is ready told so; whether mail is.
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
        if limit.map({ $0 > BusyPolling.span.nanoseconds }) ?? true, polling.isWorthwhile() {
            let end = now + BusyPolling.span
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
            case .hasForwardedAll(let emit): emit(hasForwardedAll())
            }
        }
    }
}
