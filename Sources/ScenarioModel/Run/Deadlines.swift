import SquallCore

/// A fixed number of deadlines. Optimised for reading the earliest one, which happens far more often than any deadline
/// changes.
struct Deadlines: Sendable {
    private var times: [Instant]
    /// The earliest deadline and its index (the lowest index if several deadlines are equal). The time is
    /// ``SquallCore/Instant/never`` if no deadline is set.
    private(set) var first = (index: 0, time: Instant.never)

    /// Creates `count` deadlines, all of them ``SquallCore/Instant/never`` (not set).
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
