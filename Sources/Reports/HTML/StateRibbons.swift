import SquallCore
import Trace

/// The sequence of values of one observable over a run.
struct StateRibbon: Hashable, Sendable {
    var name: String
    var key: String?
    var client: ClientID?
    /// The values with the times at which they began, repeats merged; each lasted until the next.
    var steps: [Step]
    /// Whether there were more steps than are kept.
    var isCut = false

    struct Step: Hashable, Sendable {
        var time: Instant
        var value: JSON
    }
}

/// Chooses the observables that are drawn over time, and collects their values from the whole trace.
struct StateRibbons {
    /// The largest number of ribbons of one name; more would be hard to read.
    static let limitPerName = 6
    /// The largest number of values that a ribbon keeps.
    static let limitOfSteps = 1_000

    private(set) var ribbons: [StateRibbon] = []
    /// How many ribbons were left out because of ``limitPerName``.
    private(set) var leftOut = 0

    /// Chooses the connection's state and the banner, the observables in the evidence of failed expectations, and then
    /// the messages' statuses.
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
        // Delivered messages come last: they are the least interesting.
        func order(_ index: Int) -> (Int, Int, Int, Int) {
            let isSettled = all[index].steps.last?.value == "delivered"
            return (Self.rank(all[index].name) ?? 1, isEvidence[index] ? 0 : 1, isSettled ? 1 : 0, index)
        }
        var counts: [String: Int] = [:]
        for index in all.indices.sorted(by: { order($0) < order($1) }) {
            // A ribbon without a value, such as a banner that was never shown, is left out.
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

    /// Where the ribbons of an observable are, from the top; nil if the observable is drawn only as evidence.
    static func rank(_ name: String) -> Int? {
        switch name {
        case "connection.state", "link.state": 0
        case "banner.kind": 2
        case "message.status": 3
        default: nil
        }
    }
}
