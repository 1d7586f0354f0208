package import ScenarioModel
import SquallCore
import TemporalLogic

/// A scenario's steps, each paired with the draft move from which it was created so that both are modified together.
package struct PlayableScript: Sendable {
    /// A move of the draft and the steps that were created from it.
    struct Item: Sendable {
        var move: Move
        var steps: [Step]

        /// Creates an item from a move that can be converted without parsing YAML; returns nil if the move is invalid
        /// or is a `wait`.
        init?(_ move: Move) {
            switch move.kind {
            case .wait: return nil
            case .rest(let span): steps = [Step(.pause(span), location: Self.nowhere)]
            case .act(let entry, let arguments):
                guard let made = try? Stimulus.make(entry, arguments, clients: move.clients) else { return nil }
                steps = made.map { Step(.act($0), location: Self.nowhere) }
            }
            self.move = move
        }

        init(_ move: Move, _ steps: [Step]) {
            (self.move, self.steps) = (move, steps)
        }

        private static let nowhere = SourceLocation(file: "", line: 1, column: 1)

        /// Returns the time of the event that triggered an item performed at `time`, which is `time` minus the offset
        /// in the item's `at:`. Returns `time` if no event triggered the item.
        func cause(ofStepAt time: Instant) -> Instant {
            guard case .event(let condition)? = steps.first?.anchor else { return time }
            return time - condition.offset
        }

        /// Whether the item is performed after an event rather than at a fixed time.
        var isConditional: Bool {
            if case .wait = move.kind { return true }
            return move.anchor != nil
        }
    }

    /// An item that was performed, and the time.
    struct Played: Hashable, Sendable {
        var item: Int
        var time: Instant
    }

    let items: [Item]
    /// The moves of the calm, the fault-free period that follows the script: all faults are healed, and then no user or
    /// device acts.
    let calm: [Item]
    /// The scenario, including the final fault-free period (calm).
    package let scenario: Scenario
    /// For each step of the script, the index of the item to which it belongs. The steps of the final fault-free period
    /// (calm) are not included.
    private let places: [Int]

    /// Creates a script from these items and appends the final fault-free period (calm).
    ///
    /// - Parameter base: The scenario whose script is replaced.
    init(_ items: [Item], of base: Scenario) {
        var storm = Draft(clients: base.clients, ending: .none)
        storm.body = items.map(\.move)
        calm = Calm(after: storm, base.profile).moves.compactMap { Item($0) }
        self.items = items
        places = items.enumerated().flatMap { index, item in item.steps.map { _ in index } }
        var scenario = base
        scenario.script = (items + calm).flatMap(\.steps)
        scenario.expectations = []
        self.scenario = scenario
    }

    /// Returns the items that a run has performed, in order, each with the time of its first step.
    func played(_ steps: [PlayedStep]) -> [Played] {
        var seen: Set<Int> = []
        return steps.compactMap { step in
            guard places.indices.contains(step.index), seen.insert(places[step.index]).inserted else { return nil }
            return Played(item: places[step.index], time: step.time)
        }
    }

    /// Returns moves that replay the script. The first `kept` items are unchanged. Later actions are performed at their
    /// times in `order` instead of waiting for conditions.
    func moves(_ order: [Played], after kept: Int) -> [Move] {
        var moves = items.prefix(kept).map(\.move)
        let before = order.filter { $0.item < kept }
        var now = before.last { items[$0.item].move.anchor == nil }?.time ?? .zero
        func pause(until time: Instant) {
            guard time > now else { return }
            moves.append(.rest(time - now))
            now = time
        }
        for entry in order where entry.item >= kept {
            var move = items[entry.item].move
            guard move.name != nil else { continue }
            let isAfter = order.contains { other in
                other.time == entry.time && other.item <= entry.item && other.item >= kept
                    && items[other.item].isConditional
            }
            pause(until: entry.time + (isAfter ? Self.instant : .zero))
            move.anchor = nil
            moves.append(move)
        }
        pause(until: order.map(\.time).max() ?? .zero)
        return moves
    }

    /// The smallest duration. A step delayed by it runs after everything else scheduled for the original instant.
    static let instant = TimeSpan(nanoseconds: 1)
}

extension Step {
    /// Delays the step by `span` if it has a fixed time or if it follows an event and `afterEvent` is true.
    mutating func postpone(by span: TimeSpan, afterEvent: Bool) {
        switch anchor {
        case .time(let time)?: anchor = .time(time + span)
        case .event(var condition)? where afterEvent:
            condition.offset = condition.offset + span
            anchor = .event(condition)
        case .event?, nil: break
        }
    }
}
