import Foundations

/// Packets in the order in which they are due; those of one instant in the order in which they came.
struct DepartureQueue: Sendable {
    private struct Entry {
        var due: Instant
        var order: UInt64
        var packet: [UInt8]

        func isBefore(_ other: Entry) -> Bool {
            due != other.due ? due < other.due : order < other.order
        }
    }

    private var entries: [Entry] = []
    private var order: UInt64 = 0

    var count: Int { entries.count }
    var next: Instant? { entries.first?.due }

    mutating func insert(_ packet: [UInt8], due: Instant) {
        order += 1
        entries.append(Entry(due: due, order: order, packet: packet))
        var place = entries.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[place].isBefore(entries[parent]) else { return }
            entries.swapAt(place, parent)
            place = parent
        }
    }

    /// The first that is due; nil where none is.
    mutating func remove(at now: Instant) -> [UInt8]? {
        guard let first = entries.first, first.due <= now else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.packet }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].isBefore(entries[least]) { least = child }
            }
            guard least != place else { return first.packet }
            entries.swapAt(place, least)
            place = least
        }
    }
}
