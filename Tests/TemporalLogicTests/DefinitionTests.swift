import SquallCore
import TemporalLogic
import Testing

/// Compares the monitors with direct definitions of the operators, on thousands of small random traces in which many
/// entries have the same time.
///
/// The definitions examine a whole trace at once, instant by instant, and share no code with the monitors.
@Suite struct DefinitionTests {
    @Test("The monitors give the verdicts of the formal definitions on random traces", arguments: 0..<8)
    func agree(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        for round in 0..<800 {
            let trace = SmallTrace(&generator)
            let claim = SmallClaim(&generator)
            let judged = judge(
                claim.formula,
                claim.scope.scope,
                within: claim.bound.map { .milliseconds($0) },
                trace.entries,
                end: ms(trace.end)
            )
            let defined = trace.defined(claim)
            #expect(
                judged.outcome == defined,
                "seed \(seed), round \(round): \(claim) on \(trace.steps), \(judged.reason)"
            )
            guard judged.outcome == defined else { return }
        }
    }
}

/// A trace with one observable, `s`, whose values are 0 and 1, and the events `a` to `d`.
private struct SmallTrace {
    enum Step {
        case value(Int64)
        case event(String)
    }

    var steps: [(time: Int64, step: Step)] = []
    var end: Int64

    init(_ generator: inout SeededGenerator) {
        var time: Int64 = 0
        for _ in 0..<generator.below(12) {
            time += Int64(generator.below(3))
            let step: Step =
                generator.below(2) == 0
                ? .value(Int64(generator.below(2))) : .event(["a", "b", "c", "d"][Int(generator.below(4))])
            steps.append((time, step))
        }
        end = time + Int64(generator.below(6))
    }

    var entries: [Entry] {
        steps.map { time, step in
            switch step {
            case .value(let value): set(ms(time), "s", .integer(value))
            case .event(let name): event(ms(time), name)
            }
        }
    }

    /// Returns the value of `s` at the end of an instant, or nil before its first value.
    func value(at time: Int64) -> Int64? {
        var last: Int64?
        for (when, step) in steps where when <= time {
            if case .value(let value) = step { last = value }
        }
        return last
    }

    /// The times at which `s` became 1, each with the index of the change.
    var rises: [(index: Int, time: Int64)] {
        var found: [(index: Int, time: Int64)] = []
        for time in 0...end where value(at: time) == 1 && value(at: time - 1) != 1 {
            var turn = -1
            for (index, entry) in steps.enumerated().reversed() where entry.time == time {
                guard case .value(let value) = entry.step else { continue }
                if value == 0 { break }
                turn = index
            }
            found.append((turn, time))
        }
        return found
    }

    func times(of name: String, after start: Int, before end: Int) -> [(index: Int, time: Int64)] {
        steps.indices.compactMap { index in
            guard index > start, index < end, case .event(name) = steps[index].step else { return nil }
            return (index, steps[index].time)
        }
    }
}

private struct SmallClaim: CustomStringConvertible {
    enum Kind: CaseIterable {
        case eventuallyEvent, eventuallyState, always, neverEvent, neverState, until, leadsToEvent, leadsToState
        case countExactly, countMost, countWindow, countWithState
    }

    enum Extent: CaseIterable {
        case run, after, between, afterState, fromState, toState, beforeState

        var scope: Scope {
            switch self {
            case .run: .run
            case .after: .after(happens("c"))
            case .between: .between(happens("c"), happens("d"))
            case .afterState: .after(level("s", 1))
            case .fromState: .between(level("s", 1), happens("d"))
            case .toState: .between(happens("c"), level("s", 1))
            case .beforeState: .before(level("s", 1))
            }
        }
    }

    var kind: Kind
    var scope: Extent
    var bound: Int64?

    init(_ generator: inout SeededGenerator) {
        kind = Kind.allCases[Int(generator.below(UInt64(Kind.allCases.count)))]
        scope = Extent.allCases[Int(generator.below(UInt64(Extent.allCases.count)))]
        bound = Int64(generator.below(6))
        switch kind {
        case .always, .neverEvent, .neverState, .countExactly, .countMost, .countWithState:
            if generator.below(2) == 0 { bound = nil }
        case .countWindow: bound = nil
        default: break
        }
    }

    var description: String { "\(kind) \(scope) \(bound.map(String.init) ?? "-")" }

    private var isOne: Condition { level("s", 1) }
    private var withState: Condition { Condition(event: EventPattern("a"), state: state("s", 1)) }

    var formula: Formula {
        switch kind {
        case .eventuallyEvent: .eventually(happens("a"))
        case .eventuallyState: .eventually(isOne)
        case .always: .always(state("s", 1))
        case .neverEvent: .never(happens("a"))
        case .neverState: .never(isOne)
        case .until: .until(state("s", 1), happens("a"))
        case .leadsToEvent: .leadsTo(when: happens("a"), then: happens("b"))
        case .leadsToState: .leadsTo(when: happens("a"), then: isOne)
        case .countExactly: .count(happens("a"), .exactly(1), inAny: nil)
        case .countMost: .count(happens("a"), .atMost(1), inAny: nil)
        case .countWithState: .count(withState, .exactly(1), inAny: nil)
        case .countWindow: .count(happens("a"), .atMost(1), inAny: .milliseconds(2))
        }
    }
}

/// The truth value of an operator in one interval of its scope.
private enum Truth {
    case met, broken, vacuous, cut
}

private struct Stretch {
    var start: Int64
    var order: Int
    /// The event that closes the interval; nil if the interval lasts until the end of the run.
    var close: (index: Int, time: Int64)?
}

extension SmallTrace {
    func defined(_ claim: SmallClaim) -> Outcome {
        if claim.scope == .beforeState, rises.isEmpty { return .inconclusive }
        let truths = stretches(claim.scope).map { truth(claim, in: $0) }
        if truths.contains(.broken) { return .fail }
        if truths.contains(.cut) { return .inconclusive }
        return truths.contains(.met) ? .pass : .inconclusive
    }

    private func stretches(_ scope: SmallClaim.Extent) -> [Stretch] {
        let openings = scope == .afterState || scope == .fromState ? rises : times(of: "c", after: -1, before: .max)
        let closings = scope == .toState ? rises : times(of: "d", after: -1, before: .max)
        switch scope {
        case .run: return [Stretch(start: 0, order: -1)]
        case .beforeState: return [Stretch(start: 0, order: -1, close: rises.first)]
        case .after, .afterState: return openings.prefix(1).map { Stretch(start: $0.time, order: $0.index) }
        case .between, .fromState, .toState:
            var found: [Stretch] = []
            for opening in openings {
                if let last = found.last {
                    guard let close = last.close, close.index < opening.index else { continue }
                }
                let close = closings.first { $0.index > opening.index }
                found.append(Stretch(start: opening.time, order: opening.index, close: close))
            }
            return found
        }
    }

    private func truth(_ claim: SmallClaim, in stretch: Stretch) -> Truth {
        let deadline = claim.bound.map { stretch.start + $0 }
        let lastInstant = stretch.close.map { $0.time - 1 } ?? end
        let instants = Array(stride(from: stretch.start, through: min(lastInstant, deadline ?? .max), by: 1))
        let events = times(of: "a", after: stretch.order, before: stretch.close?.index ?? .max)
        let inTime = events.filter { $0.time <= deadline ?? .max }
        // Once the bound has passed or the scope has closed, no later event can change the result for the interval.
        let isOver = stretch.close != nil || deadline.map { $0 <= end } ?? true
        switch claim.kind {
        case .eventuallyEvent: return !inTime.isEmpty ? .met : isOver ? .broken : .cut
        case .eventuallyState: return instants.contains { value(at: $0) == 1 } ? .met : isOver ? .broken : .cut
        case .always:
            if instants.contains(where: { value(at: $0) == 0 }) { return .broken }
            guard isOver else { return .cut }
            return instants.contains { value(at: $0) == 1 } ? .met : .vacuous
        case .neverEvent: return !inTime.isEmpty ? .broken : isOver ? .met : .cut
        case .neverState: return instants.contains { value(at: $0) == 1 } ? .broken : isOver ? .met : .cut
        case .until:
            let until = inTime.first?.time
            if instants.contains(where: { $0 < until ?? .max && value(at: $0) == 0 }) { return .broken }
            guard let until else { return isOver ? .broken : .cut }
            return instants.contains { $0 < until && value(at: $0) == 1 } ? .met : .vacuous
        case .leadsToEvent, .leadsToState: return answers(claim, to: events, in: stretch)
        case .countExactly:
            if inTime.count > 1 { return .broken }
            return !isOver ? .cut : inTime.count == 1 ? .met : .broken
        case .countWithState:
            let counted = inTime.filter { value(at: $0.time) == 1 }
            if counted.count > 1 { return .broken }
            return !isOver ? .cut : counted.count == 1 ? .met : .broken
        case .countMost: return inTime.count > 1 ? .broken : isOver ? .met : .cut
        case .countWindow:
            return zip(events, events.dropFirst()).contains { $1.time - $0.time <= 2 } ? .broken : .met
        }
    }

    private func answers(
        _ claim: SmallClaim,
        to triggers: [(index: Int, time: Int64)],
        in stretch: Stretch
    ) -> Truth {
        guard !triggers.isEmpty else { return .vacuous }
        var isCut = false
        for trigger in triggers {
            let latest = trigger.time + (claim.bound ?? 0)
            let isAnswered: Bool
            if claim.kind == .leadsToEvent {
                isAnswered = times(of: "b", after: trigger.index, before: stretch.close?.index ?? .max)
                    .contains { $0.time <= latest }
            } else {
                let last = min(latest, stretch.close.map { $0.time - 1 } ?? end)
                isAnswered = stride(from: trigger.time, through: last, by: 1).contains { value(at: $0) == 1 }
            }
            guard !isAnswered else { continue }
            if stretch.close != nil || latest <= end { return .broken }
            isCut = true
        }
        return isCut ? .cut : .met
    }
}
