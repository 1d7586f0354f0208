import Faults
import SquallCore

/// Tracks which keys are on disk, and which actions wait until a write has completed. Writes are numbered from 1.
struct Disk {
    private var keys: Set<String>
    private var count = 0
    private var waiting: [(number: Int, what: DeferredAction, link: ConnectionID?)] = []
    /// The writes in progress, by number.
    private var inFlight: [(number: Int, writes: [StoreWrite])] = []
    /// The failed writes, in order; they are retried before any other writes.
    private var refused: [StoreWrite] = []
    /// The instant at which the failed writes are retried; nil if no write has failed.
    private(set) var deadline: Instant?

    /// The delay before a failed write is retried.
    private static let pause = TimeSpan.seconds(2)

    init(_ store: StoreImage) {
        keys = Set(store.entries.map(\.key))
    }

    mutating func note(_ writes: [StoreWrite]) {
        for write in writes {
            if write.value == nil { keys.remove(write.key) } else { keys.insert(write.key) }
        }
    }

    /// Removes every key that does not begin with one of the prefixes in `kept`, including keys that `step` has
    /// written.
    mutating func forget(allBut kept: [String], _ step: inout Step) {
        // The keys that this step writes may not be on disk yet, so they are first added to `keys`.
        note(step.writes)
        for key in keys.sorted() where !kept.contains(where: key.hasPrefix) { step.store(key, nil) }
    }

    /// Whether failed writes are waiting for a retry.
    var hasRefused: Bool { !refused.isEmpty }

    /// The keys of the failed writes, and of the writes that are queued behind them.
    var refusedKeys: Set<String> { Set(refused.map(\.key)) }

    func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Starts writing, first all failed writes and then `writes`; the actions `what` are deferred until all of these
    /// writes are on disk.
    mutating func write(
        _ writes: [StoreWrite],
        once what: [DeferredAction],
        over link: ConnectionID?
    ) -> (number: Int, writes: [StoreWrite]) {
        count += 1
        for what in what { waiting.append((count, what, link)) }
        inFlight.append((count, refused + writes))
        refused = []
        deadline = nil
        return inFlight[inFlight.endIndex - 1]
    }

    /// Queues `writes` behind the failed writes, which must reach the disk first; the actions `what` are deferred until
    /// `writes` are on disk.
    mutating func hold(_ writes: [StoreWrite], once what: [DeferredAction], over link: ConnectionID?) {
        count += 1
        for what in what { waiting.append((count, what, link)) }
        refused += writes
    }

    /// Handles the failure of the writes with this number, and schedules a retry.
    mutating func failed(_ number: Int, at now: Instant) {
        guard let index = inFlight.firstIndex(where: { $0.number == number }) else { return }
        refused += inFlight.remove(at: index).writes
        deadline = now + Self.pause
    }

    /// Whether writes are in progress.
    var isWriting: Bool { !inFlight.isEmpty }

    /// Registers actions that wait for the writes in progress.
    mutating func awaitWrites(_ what: [DeferredAction], over link: ConnectionID?) {
        for what in what { waiting.append((count, what, link)) }
    }

    /// Returns the actions that waited for the writes up to `number`. Writes complete in order, so all of these writes
    /// are on disk.
    mutating func done(_ number: Int) -> [(what: DeferredAction, link: ConnectionID?)] {
        inFlight.removeAll { $0.number <= number }
        let done = waiting.prefix { $0.number <= number }
        waiting.removeFirst(done.count)
        return done.map { ($0.what, $0.link) }
    }
}
