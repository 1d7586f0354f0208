import SquallCore

/// A queue of elements that the client handles only after a fixed delay; used only with a planted defect.
struct Delayed<Element: Sendable>: Sendable {
    private let delay: TimeSpan
    private var waiting: [(element: Element, due: Instant)] = []

    init(by delay: TimeSpan) {
        self.delay = delay
    }

    var deadline: Instant? { waiting.first?.due }

    func isDue(at now: Instant) -> Bool { waiting.first.map { $0.due <= now } ?? false }

    mutating func add(_ element: Element, at now: Instant) { waiting.append((element, now + delay)) }

    /// Removes and returns the elements that are due, oldest first.
    mutating func takeDue(at now: Instant) -> [Element] {
        let due = waiting.prefix { $0.due <= now }.map(\.element)
        waiting.removeFirst(due.count)
        return due
    }

    /// Adds the elements; removes and returns those that are due.
    mutating func exchange(_ elements: [Element], at now: Instant) -> [Element] {
        for element in elements { add(element, at: now) }
        return takeDue(at: now)
    }
}
