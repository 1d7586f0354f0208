import SquallCore

/// A fixed number of deadlines, with the earliest one available in constant time, because it is read far more often
/// than a deadline changes.
struct Deadlines: Sendable {
    private var times: [Instant]
    /// The earliest deadline and its index (the lowest, if several are equal); the time is ``SquallCore/Instant/never``
    /// if there is none.
    private(set) var first = (index: 0, time: Instant.never)

    /// Creates deadlines that are all ``SquallCore/Instant/never``.
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
