import SquallCore

/// What is shown late; only a defect has anything be.
struct Lag {
    private static let span = TimeSpan.seconds(1)
    private var waiting: [(key: String, due: Instant)] = []

    var deadline: Instant? { waiting.first?.due }

    func isDue(at now: Instant) -> Bool { waiting.first.map { $0.due <= now } ?? false }

    /// Holds what has changed, and gives what has waited long enough.
    mutating func exchange(_ changed: [String], at now: Instant) -> [String] {
        for key in changed { waiting.append((key, now + Self.span)) }
        let due = waiting.prefix { $0.due <= now }.map(\.key)
        waiting.removeFirst(due.count)
        return due
    }
}
