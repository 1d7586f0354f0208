import Foundations

/// Deadlines in the order of time; those of one instant in the order in which they were set.
struct TimerHeap {
    private struct Entry {
        var due: Instant
        var number: UInt64
        var token: UInt64

        func isBefore(_ other: Entry) -> Bool {
            due != other.due ? due < other.due : number < other.number
        }
    }

    private var entries: [Entry] = []
    private var count: UInt64 = 0

    var next: Instant? { entries.first?.due }

    mutating func insert(_ token: UInt64, at due: Instant) {
        count += 1
        entries.append(Entry(due: due, number: count, token: token))
        var place = entries.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[place].isBefore(entries[parent]) else { return }
            entries.swapAt(place, parent)
            place = parent
        }
    }

    mutating func pop(through now: Instant) -> UInt64? {
        guard let first = entries.first, first.due <= now else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.token }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].isBefore(entries[least]) { least = child }
            }
            guard least != place else { return first.token }
            entries.swapAt(place, least)
            place = least
        }
    }
}
