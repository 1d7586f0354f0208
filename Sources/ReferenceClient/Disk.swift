import Faults
import SquallCore

/// The keys on disk, and the actions that wait until numbered writes have reached the disk.
struct Disk {
    private var keys: Set<String>
    private var count = 0
    private var waiting: [(number: Int, what: OnceStored, link: ConnectionID?)] = []
    /// The writes on their way to the disk, by number.
    private var inFlight: [(number: Int, writes: [StoreWrite])] = []
    /// The writes that the disk has refused, in order. They go to the disk again before any others.
    private var refused: [StoreWrite] = []
    /// The instant of the next attempt to write what was refused; nil if nothing was.
    private(set) var deadline: Instant?

    /// From a refusal to the next attempt.
    private static let pause = TimeSpan.seconds(2)

    init(_ store: StoreImage) {
        keys = Set(store.entries.map(\.key))
    }

    mutating func note(_ writes: [StoreWrite]) {
        for write in writes {
            if write.value == nil { keys.remove(write.key) } else { keys.insert(write.key) }
        }
    }

    /// Removes every key that has none of the prefixes `kept`, including keys that this step has written.
    mutating func forget(allBut kept: [String], _ step: inout Step) {
        // The keys of this step's own writes count as well.
        note(step.writes)
        for key in keys.sorted() where !kept.contains(where: key.hasPrefix) { step.store(key, nil) }
    }

    /// Whether the disk has refused writes that it has not stored since.
    var hasRefused: Bool { !refused.isEmpty }

    func isDue(at now: Instant) -> Bool { deadline.map { $0 <= now } ?? false }

    /// Puts writes on their way to the disk, after those that it has refused, with the actions that wait for them.
    mutating func write(
        _ writes: [StoreWrite],
        once what: [OnceStored],
        over link: ConnectionID?
    ) -> (number: Int, writes: [StoreWrite]) {
        count += 1
        for what in what { waiting.append((count, what, link)) }
        inFlight.append((count, refused + writes))
        refused = []
        deadline = nil
        return inFlight[inFlight.endIndex - 1]
    }

    /// Keeps writes for the next attempt, because the disk has refused earlier ones.
    mutating func hold(_ writes: [StoreWrite], once what: [OnceStored], over link: ConnectionID?) {
        count += 1
        for what in what { waiting.append((count, what, link)) }
        refused += writes
    }

    /// Keeps writes that the disk has refused for the next attempt, with everything that waits for them.
    mutating func failed(_ number: Int, at now: Instant) {
        guard let place = inFlight.firstIndex(where: { $0.number == number }) else { return }
        refused += inFlight.remove(at: place).writes
        deadline = now + Self.pause
    }

    /// Whether writes are under way.
    var isWriting: Bool { !inFlight.isEmpty }

    /// Registers actions that wait for the writes that are under way.
    mutating func awaitWrites(_ what: [OnceStored], over link: ConnectionID?) {
        for what in what { waiting.append((count, what, link)) }
    }

    /// Returns the actions whose writes are on disk; writes complete in order, so earlier numbers are done, too.
    mutating func done(_ number: Int) -> [(what: OnceStored, link: ConnectionID?)] {
        inFlight.removeAll { $0.number <= number }
        let done = waiting.prefix { $0.number <= number }
        waiting.removeFirst(done.count)
        return done.map { ($0.what, $0.link) }
    }
}
