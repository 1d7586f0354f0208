import SquallCore

/// A queue that delays reports of changes by one second; used only with a planted defect.
struct DelayedReports {
    private static let span = TimeSpan.seconds(1)
    private var waiting: [(key: String, due: Instant)] = []

    var deadline: Instant? { waiting.first?.due }

    func isDue(at now: Instant) -> Bool { waiting.first.map { $0.due <= now } ?? false }

    /// Adds the `changed` keys to the queue; removes and returns the keys that are due.
    mutating func exchange(_ changed: [String], at now: Instant) -> [String] {
        for key in changed { waiting.append((key, now + Self.span)) }
        let due = waiting.prefix { $0.due <= now }.map(\.key)
        waiting.removeFirst(due.count)
        return due
    }
}
