import SquallCore
import TemporalLogic
import Trace

/// Runs a script: issues the stimuli in order, waits for times and conditions, and detects when the script is stuck.
struct Director: Sendable {
    /// A stimulus to apply now, and the index of the event that caused it.
    struct PendingStimulus {
        var stimulus: Stimulus
        var cause: Int?
    }

    /// A step that runs in order, and the index of the watch for its condition.
    private struct Place {
        var index: Int
        var step: Step
        var watch: Int?
    }

    /// A step with `at:`, which runs out of order, and the index of the watch for the event that triggers it.
    private struct TriggeredStep {
        var index: Int
        var step: Step
        var watch: Int?
        var isDone = false
    }

    private enum Waiting {
        case no
        case until(Instant)
        case condition(since: Instant, order: Int, deadline: Instant)
    }

    private var sequence: [Place]
    private var anchored: [TriggeredStep]
    /// The earliest time specified by `at:` in a step that has not been run yet.
    private var nextAnchor = Instant.never
    private var board: ConditionWatches
    private var cursor = 0
    private var waiting = Waiting.no
    private var due: [PendingStimulus] = []
    /// Whether a stimulus has been issued since the script last advanced.
    private var hasActed = false
    private var now = Instant.zero
    private var lastIndex = -1
    private var begun = false
    var hasBegun: Bool { begun }
    private var stuck: (location: SourceLocation, why: String, time: Instant)?
    private var ended: Instant?
    private let goesOn: Bool
    /// The completed steps, in order of completion.
    private(set) var played: [PlayedStep] = []

    /// Creates a director for the scenario's script.
    ///
    /// - Parameter goesOn: Whether the script continues after a `wait` times out, and counts as finished even if the
    ///   event that an `at:` step waits for has not occurred.
    init(_ scenario: Scenario, goesOn: Bool = false) {
        self.goesOn = goesOn
        var conditions: [Condition] = []
        func watch(_ condition: Condition) -> Int {
            conditions.append(condition)
            return conditions.count - 1
        }
        sequence = scenario.script.enumerated().filter { $0.element.anchor == nil }.map { index, step in
            guard case .wait(let condition, _, _) = step.kind else { return Place(index: index, step: step) }
            return Place(index: index, step: step, watch: watch(condition))
        }
        anchored = scenario.script.enumerated().filter { $0.element.anchor != nil }.map { index, step in
            guard case .event(let condition)? = step.anchor else { return TriggeredStep(index: index, step: step) }
            return TriggeredStep(index: index, step: step, watch: watch(condition))
        }
        board = ConditionWatches(conditions, clients: scenario.clients)
        findNextAnchor()
    }

    private mutating func findNextAnchor() {
        nextAnchor = .never
        for entry in anchored where !entry.isDone {
            if case .time(let time)? = entry.step.anchor { nextAnchor = min(nextAnchor, time) }
        }
    }

    /// The instant at which the script was finished or got stuck; nil while it is running.
    var end: Instant? { ended }

    /// Whether a `wait` has timed out, so that the script cannot continue.
    var isStuck: Bool { stuck != nil }

    var outcome: RunEnding.Script {
        if let stuck { return .stuck(at: stuck.location, why: stuck.why, by: stuck.time) }
        if ended == nil, sequence.indices.contains(cursor) { return .unfinished(at: sequence[cursor].step.location) }
        if !goesOn, let missed = anchored.first(where: { !$0.isDone }) {
            let what = missed.watch.map { board[$0].text } ?? "its time"
            return .anchorMissing(at: missed.step.location, what: what)
        }
        return .finished
    }

    var nextDeadline: Instant? {
        guard begun else { return nil }
        var earliest = board.nextDue ?? .never
        switch waiting {
        case .no: break
        case .until(let time): earliest = min(earliest, time)
        case .condition(_, _, let deadline): earliest = min(earliest, deadline)
        }
        earliest = min(earliest, nextAnchor)
        return earliest == .never ? nil : earliest
    }

    // MARK: - Input

    /// Starts the script; later calls have no effect.
    mutating func begin(at now: Instant) {
        guard !begun else { return }
        begun = true
        self.now = now
        proceed()
    }

    mutating func observe(_ event: TraceEvent, _ route: EventRoute, state: ObservedState) {
        lastIndex = event.index
        now = max(now, event.time)
        board.observe(event, route, in: state)
    }

    mutating func advance(to time: Instant) {
        now = max(now, time)
        board.advance(to: time)
        proceed()
    }

    /// Removes and returns the next stimulus to apply at this instant; nil if no stimulus is due. The run must call
    /// this after each of its steps.
    mutating func nextDue() -> PendingStimulus? {
        if due.isEmpty, board.settle() || hasActed {
            hasActed = false
            proceed()
        }
        guard !due.isEmpty else { return nil }
        hasActed = true
        return due.removeFirst()
    }

    // MARK: - Playing

    private mutating func proceed() {
        guard begun else { return }
        for index in anchored.indices where !anchored[index].isDone && isDue(anchored[index]) {
            anchored[index].isDone = true
            played.append(PlayedStep(index: anchored[index].index, time: now))
            let watch = anchored[index].watch
            if case .act(let stimulus) = anchored[index].step.kind {
                due.append(PendingStimulus(stimulus: stimulus, cause: watch.flatMap { board[$0].evidence }))
            }
            if let watch { board.retire(watch) }
            findNextAnchor()
        }
        while due.isEmpty, ended == nil {
            guard sequence.indices.contains(cursor) else {
                // The script is not finished while a step with a known time is still pending.
                if !anchored.contains(where: isCertain) { ended = now }
                return
            }
            guard take(sequence[cursor]) else { return }
            played.append(PlayedStep(index: sequence[cursor].index, time: now))
            if let watch = sequence[cursor].watch { board.retire(watch) }
            waiting = .no
            cursor += 1
        }
    }

    private func isDue(_ entry: TriggeredStep) -> Bool {
        if case .time(let time)? = entry.step.anchor { return now >= time }
        return entry.watch.map { board[$0].wasMet(after: -1) } ?? false
    }

    /// Returns whether a step with `at:` will certainly be run, even if no further event occurs.
    private func isCertain(_ entry: TriggeredStep) -> Bool {
        if entry.isDone { return false }
        if case .time? = entry.step.anchor { return true }
        return entry.watch.flatMap { board[$0].nextDue } != nil
    }

    /// Runs a step; returns `false` while it is not complete.
    private mutating func take(_ place: Place) -> Bool {
        switch place.step.kind {
        case .act(let stimulus):
            due.append(PendingStimulus(stimulus: stimulus, cause: nil))
            return true
        case .pause(let span):
            guard case .until(let time) = waiting else {
                waiting = .until(now + span)
                return span <= .zero
            }
            return now >= time
        case .wait(_, let next, let within):
            guard let watch = place.watch.map({ board[$0] }) else { return true }
            guard case .condition(let since, let order, let deadline) = waiting else {
                waiting = .condition(since: now, order: lastIndex, deadline: now + within)
                return !next && watch.holds
            }
            if next ? watch.wasMet(after: order) : watch.holds { return true }
            if now >= deadline, goesOn { return true }
            if now >= deadline {
                stuck = (place.step.location, "\(watch.shortfall(from: since, to: now)) within \(within)", deadline)
                ended = now
                waiting = .no
            }
            return false
        }
    }
}
