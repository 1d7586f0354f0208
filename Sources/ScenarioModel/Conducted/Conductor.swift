import SquallCore
import TemporalLogic
import Trace

/// Waits on behalf of somebody outside the run: a program that does things and looks what comes of them, as a script does.
///
/// Such a program says what it waits for when it may long have happened. So `next` counts from what was done last, or from the
/// event that the last `next` was met by: between two such calls nothing can be missed.
struct Conductor: Sendable {
    private struct Waiting {
        var number: Int
        var wait: ConductedWait
        var board: ConditionWatches
        /// The last event that does not count.
        var order: Int
        var since: Instant
        var deadline: Instant
    }

    private let clients: [ClientID]
    private var events: [TraceEvent] = []
    /// How many events there were at the end of each step that added some.
    private var steps: [Int] = []
    private var state = ObservedState()
    private var waiting: [Waiting] = []
    private var cursor = -1
    /// How many events whoever watches has been told of; nil where nobody watches.
    private var told: Int?
    /// When there was nothing more to come.
    private(set) var end: Instant?

    init(clients: [ClientID]) {
        self.clients = clients
    }

    /// When ``advance(to:)`` is due.
    var nextDeadline: Instant? {
        waiting.map { min($0.deadline, $0.board.nextDue ?? .never) }.min()
    }

    // MARK: - From the run

    mutating func observe(_ event: TraceEvent) {
        events.append(event)
        let route = state.apply(event)
        for place in waiting.indices { waiting[place].board.observe(event, route, in: state) }
    }

    /// A step of the run is over, or time has come to this instant.
    mutating func advance(to now: Instant) -> [ConductorOutput] {
        if events.count > steps.last ?? 0 { steps.append(events.count) }
        var outputs: [ConductorOutput] = []
        if let known = told, known < events.count {
            outputs.append(.saw(Array(events[known...])))
            told = events.count
        }
        waiting = waiting.compactMap { entry in
            var entry = entry
            entry.board.advance(to: now)
            _ = entry.board.settle()
            guard let output = outcome(of: entry, at: now) else { return entry }
            outputs.append(output)
            return nil
        }
        return outputs
    }

    private mutating func outcome(of entry: Waiting, at now: Instant) -> ConductorOutput? {
        let watch = entry.board[0]
        if entry.wait.next ? watch.wasMet(after: entry.order) : watch.holds {
            let met = watch.evidence.flatMap { events.indices.contains($0) ? events[$0] : nil }
            if entry.wait.next, let met { cursor = max(cursor, met.index) }
            return .met(entry.number, met)
        }
        guard now >= entry.deadline else { return nil }
        return .missed(entry.number, why: "\(watch.shortfall(from: entry.since, to: now)) within \(entry.wait.within)")
    }

    // MARK: - From outside

    /// Something is about to be done: what comes of it is after this.
    mutating func acts() { cursor = events.count - 1 }

    mutating func begin(_ number: Int, _ wait: ConductedWait, at now: Instant) {
        var board = ConditionWatches([wait.condition], clients: clients)
        // It may be about what has been: the condition is told of all of it, step by step.
        var past = ObservedState()
        var read = 0
        for step in steps + [events.count] {
            for event in events[read..<max(read, step)] {
                board.advance(to: event.time)
                board.observe(event, past.apply(event), in: past)
            }
            read = max(read, step)
            _ = board.settle()
        }
        // What was waited for is counted from what has been seen, and timed from now.
        let since = wait.next && cursor >= 0 && cursor < events.count ? events[cursor].time : now
        let deadline = now + wait.within
        waiting.append(
            Waiting(number: number, wait: wait, board: board, order: cursor, since: since, deadline: deadline)
        )
    }

    mutating func watch() { told = told ?? 0 }

    mutating func withdraw(_ number: Int) { waiting.removeAll { $0.number == number } }

    mutating func end(at now: Instant) { end = end ?? now }
}
