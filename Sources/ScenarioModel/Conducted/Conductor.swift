import SquallCore
import TemporalLogic
import Trace

/// Waits for conditions on behalf of an external program that controls the run. The program applies stimuli and waits,
/// as a script does.
///
/// The program may begin a wait after the expected event has already occurred. A wait with `next` therefore counts all
/// events since the last action, or since the event that satisfied the previous wait with `next`, and misses none.
struct Conductor: Sendable {
    private struct Waiting {
        var number: Int
        var wait: ConductedWait
        var board: ConditionWatches
        /// The index of the last event that the wait ignores; only later events can satisfy a wait with `next`.
        var order: Int
        var since: Instant
        var deadline: Instant
    }

    private let clients: [ClientID]
    private var events: [TraceEvent] = []
    /// The total number of recorded events after each step (the handling of one input) that recorded any.
    private var steps: [Int] = []
    private var state = ObservedState()
    private var waiting: [Waiting] = []
    private var cursor = -1
    /// The number of events reported to the program so far; nil until the program sends `watch`.
    private var reported: Int?
    /// The instant at which the program stopped controlling the run; nil until then.
    private(set) var end: Instant?

    init(clients: [ClientID]) {
        self.clients = clients
    }

    /// The next instant at which ``advance(to:)`` must be called; nil if no wait is pending.
    var nextDeadline: Instant? {
        waiting.map { min($0.deadline, $0.board.nextDue ?? .never) }.min()
    }

    // MARK: - Input from the run

    mutating func observe(_ event: TraceEvent) {
        events.append(event)
        let route = state.apply(event)
        for index in waiting.indices { waiting[index].board.observe(event, route, in: state) }
    }

    /// Returns the answers to all waits that are satisfied or have timed out. The run calls this after each of its
    /// steps and at each deadline.
    mutating func advance(to now: Instant) -> [ConductorOutput] {
        if events.count > steps.last ?? 0 { steps.append(events.count) }
        var outputs: [ConductorOutput] = []
        if let known = reported, known < events.count {
            outputs.append(.saw(Array(events[known...])))
            reported = events.count
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

    // MARK: - Input from the program

    /// Records that a stimulus is about to be applied, so that waits with `next` count only later events.
    mutating func acts() { cursor = events.count - 1 }

    mutating func begin(_ number: Int, _ wait: ConductedWait, at now: Instant) {
        var board = ConditionWatches([wait.condition], clients: clients)
        // The condition can refer to past events, so first feed the whole recording to the watch, step by step.
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
        // A wait with `next` counts events since the cursor, but its time limit starts now.
        let since = wait.next && cursor >= 0 && cursor < events.count ? events[cursor].time : now
        let deadline = now + wait.within
        waiting.append(
            Waiting(number: number, wait: wait, board: board, order: cursor, since: since, deadline: deadline)
        )
    }

    mutating func watch() { reported = reported ?? 0 }

    mutating func cancelWait(_ number: Int) { waiting.removeAll { $0.number == number } }

    mutating func end(at now: Instant) { end = end ?? now }
}
