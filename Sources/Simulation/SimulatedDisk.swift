import Foundations
import ReferenceClient

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

    /// Carries out the writes of `number`; false if a kill came between.
    mutating func complete(_ number: Int) -> Bool {
        guard let place = pending.firstIndex(where: { $0.number == number }) else { return false }
        for write in pending.remove(at: place).writes { image.apply(write) }
        return true
    }

    mutating func loseUnfinished() {
        pending.removeAll()
    }
}
