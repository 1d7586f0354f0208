import ReferenceClient
import SquallCore

/// What a client has stored: what is on disk, and what is on its way there and would be lost by a kill.
struct SimulatedDisk {
    private(set) var image: StoreImage
    private var pending: [(number: Int, writes: [StoreWrite])] = []

    init(_ image: StoreImage = StoreImage()) {
        self.image = image
    }

    mutating func begin(_ number: Int, _ writes: [StoreWrite]) {
        pending.append((number, writes))
    }

    /// Carries out the writes of `number` and all before it, for a disk keeps the order of what it is given; false if a
    /// kill came between, or they are done already.
    mutating func complete(_ number: Int) -> Bool {
        guard pending.contains(where: { $0.number == number }) else { return false }
        while let next = pending.first, next.number <= number {
            for write in next.writes { image.apply(write) }
            pending.removeFirst()
        }
        return true
    }

    mutating func loseUnfinished() {
        pending.removeAll()
    }
}
