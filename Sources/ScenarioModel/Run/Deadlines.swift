import SquallCore

/// When each of some wants to be woken, and who is the first: asked far more often than one of them changes his mind.
struct Deadlines: Sendable {
    private var times: [Instant]
    /// Of several at one instant the lowest index; ``Instant/never`` where nobody wants anything.
    private(set) var first = (index: 0, time: Instant.never)

    /// Nobody wants anything yet.
    init(count: Int) {
        times = Array(repeating: .never, count: count)
    }

    mutating func set(_ index: Int, to time: Instant) {
        guard times[index] != time else { return }
        times[index] = time
        if time < first.time || (time == first.time && index < first.index) {
            first = (index, time)
        } else if index == first.index {
            findFirst()
        }
    }

    private mutating func findFirst() {
        first = (0, .never)
        for index in times.indices where times[index] < first.time { first = (index, times[index]) }
    }
}
