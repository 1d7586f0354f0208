import Faults
import SquallCore

/// What lies on the disk, by its keys, and what waits for it, by the number of the writes.
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

    /// Removes all that does not begin in one of these ways, this step's own writes among it.
    mutating func forget(allBut kept: [String], _ step: inout Step) {
        note(step.writes)
        for key in keys.sorted() where !kept.contains(where: key.hasPrefix) { step.store(key, nil) }
    }

    /// The number of the next writes.
    mutating func await(_ what: [OnceStored], over link: ConnectionID?) -> Int {
        count += 1
        for what in what { waiting.append((count, what, link)) }
        return count
    }

    /// Writes are carried out in order: those before are done, too.
    mutating func done(_ number: Int) -> [(what: OnceStored, link: ConnectionID?)] {
        let done = waiting.prefix { $0.number <= number }
        waiting.removeFirst(done.count)
        return done.map { ($0.what, $0.link) }
    }
}
