import ReferenceClient
import SquallCore

/// The store of a simulated client: the data on disk, and the pending writes, which are lost if the process is killed.
struct SimulatedDisk {
    private(set) var image: StoreImage
    private var pending: [(number: Int, writes: [StoreWrite])] = []

    init(_ image: StoreImage = StoreImage()) {
        self.image = image
    }

    mutating func begin(_ number: Int, _ writes: [StoreWrite]) {
        pending.append((number, writes))
    }

    /// Performs the writes of job `number` and of all earlier jobs, because a disk preserves the order of writes.
    ///
    /// Returns false if the writes were discarded because the process was killed, or had already been performed.
    mutating func complete(_ number: Int) -> Bool {
        guard pending.contains(where: { $0.number == number }) else { return false }
        while let next = pending.first, next.number <= number {
            for write in next.writes { image.apply(write) }
            pending.removeFirst()
        }
        return true
    }

    /// Discards the pending writes, as happens when the process is killed.
    mutating func discardPendingWrites() {
        pending.removeAll()
    }
}
