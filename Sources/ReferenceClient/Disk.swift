import Faults
import SquallCore

/// The keys on disk, and the actions that wait until numbered writes have reached the disk.
struct Disk {
    private var keys: Set<String>
    private var count = 0
    private var waiting: [(number: Int, what: OnceStored, link: ConnectionID?)] = []

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

    /// Registers actions that wait for the next writes, and returns the number of these writes.
    mutating func await(_ what: [OnceStored], over link: ConnectionID?) -> Int {
        count += 1
        for what in what { waiting.append((count, what, link)) }
        return count
    }

    /// Returns the actions whose writes are on disk; writes complete in order, so earlier numbers are done, too.
    mutating func done(_ number: Int) -> [(what: OnceStored, link: ConnectionID?)] {
        let done = waiting.prefix { $0.number <= number }
        waiting.removeFirst(done.count)
        return done.map { ($0.what, $0.link) }
    }
}
