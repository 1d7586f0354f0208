import SquallCore
import Trace

/// The sequence of values of one observable during a run.
struct StateRibbon: Hashable, Sendable {
    var name: String
    var key: String?
    var client: ClientID?
    /// The values and the times at which they began; each value lasted until the next value began. Consecutive equal
    /// values are merged.
    var steps: [Step]
    /// Whether values were dropped because there were more than ``StateRibbons/limitOfSteps``.
    var isCut = false

    struct Step: Hashable, Sendable {
        var time: Instant
        var value: JSON
    }
}

/// Selects the observables that are drawn as ribbons (bars that show a value over time), and collects their values from
/// the whole trace.
struct StateRibbons {
    /// The maximum number of ribbons for one observable name; more ribbons would be hard to read.
    static let limitPerName = 6
    /// The maximum number of values in a ribbon (a bar that shows a value over time).
    static let limitOfSteps = 1_000

    private(set) var ribbons: [StateRibbon] = []
    /// The number of ribbons that were omitted because of ``limitPerName``.
    private(set) var leftOut = 0

    /// Selects the connection state and the banner, then the observables in the evidence of failed expectations, then
    /// the statuses of messages.
    init(_ events: [TraceEvent], evidence: Set<Int>) {
        var found: [ObservedName: Int] = [:]
        var all: [StateRibbon] = []
        var isEvidence: [Bool] = []
        for (place, event) in events.enumerated() {
            guard case .set(let value) = event.observation.change else { continue }
            let name = ObservedName(client: event.client, name: event.name, key: event.key)
            let index: Int
            if let known = found[name] {
                index = known
            } else {
                guard Self.rank(event.name) != nil || evidence.contains(place) else { continue }
                index = all.count
                found[name] = index
                all.append(StateRibbon(name: event.name, key: event.key, client: event.client, steps: []))
                isEvidence.append(false)
            }
            if evidence.contains(place) { isEvidence[index] = true }
            guard all[index].steps.last?.value != value else { continue }
            if all[index].steps.count < Self.limitOfSteps {
                all[index].steps.append(StateRibbon.Step(time: event.time, value: value))
            } else {
                all[index].isCut = true
            }
        }
        choose(from: all, isEvidence)
    }

    private mutating func choose(from all: [StateRibbon], _ isEvidence: [Bool]) {
        // Delivered messages are last, because they are the least relevant to a failure.
        func order(_ index: Int) -> (Int, Int, Int, Int) {
            let isSettled = all[index].steps.last?.value == "delivered"
            return (Self.rank(all[index].name) ?? 1, isEvidence[index] ? 0 : 1, isSettled ? 1 : 0, index)
        }
        var counts: [String: Int] = [:]
        for index in all.indices.sorted(by: { order($0) < order($1) }) {
            // Omit a ribbon that never has a value, such as one for a banner that was never displayed.
            guard all[index].steps.contains(where: { !$0.value.isNull }) else { continue }
            let count = counts[all[index].name, default: 0]
            guard count < Self.limitPerName else {
                leftOut += 1
                continue
            }
            counts[all[index].name] = count + 1
            ribbons.append(all[index])
        }
    }

    /// Returns the position, counted from the top of the diagram, of an observable's ribbons; nil if the observable is
    /// drawn only when it is evidence.
    static func rank(_ name: String) -> Int? {
        switch name {
        case "connection.state", "link.state": 0
        case "banner.kind": 2
        case "message.status": 3
        default: nil
        }
    }
}
