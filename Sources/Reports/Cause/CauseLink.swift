import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Whether a trace shows that two violations have to do with one another: that one came soon after the other shows nothing.
struct CauseLink {
    private let events: [TraceEvent]
    private let faults: [FaultSpan]
    private let everyone: Set<ClientID>

    init(_ events: [TraceEvent], _ faults: [FaultSpan]) {
        self.events = events
        self.faults = faults
        let seen = Set(events.compactMap(\.client))
        everyone = seen.isEmpty ? [.only] : seen
    }

    /// Whether the first of them, violated at that time, and the other hang together.
    func joins(_ one: ExpectationResult, _ other: ExpectationResult, at time: Instant) -> Bool {
        // That something met nothing has its reason in the script.
        if one.isUnmet || other.isUnmet { return false }
        if isShownTogether(one, other) { return true }
        let shared = clients(of: one).intersection(clients(of: other))
        return shared.contains { isUnderFault($0, at: time) }
    }

    /// Whether both rest on one event, or what one rests on led to what the other does.
    ///
    /// What the script did leads to everything, and shows nothing.
    private func isShownTogether(_ one: ExpectationResult, _ other: ExpectationResult) -> Bool {
        let (left, right) = (telling(one), telling(other))
        return !roots(of: left).isDisjoint(with: right) || !roots(of: right).isDisjoint(with: left)
    }

    private func telling(_ part: ExpectationResult) -> Set<Int> {
        Set(
            part.evidence.filter {
                events.indices.contains($0) && (!events[$0].isDeed || events[$0].name.hasPrefix("fault."))
            }
        )
    }

    /// Events and all that led to them.
    private func roots(of places: Set<Int>) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = Array(places)
        while let place = waiting.popLast() {
            guard events.indices.contains(place), found.insert(place).inserted else { continue }
            if let cause = events[place].cause { waiting.append(cause) }
        }
        return found
    }

    /// Whom a violation is about: those of its evidence, and in a run of one client that one.
    private func clients(of part: ExpectationResult) -> Set<ClientID> {
        let shown = Set(part.evidence.filter { events.indices.contains($0) }.compactMap { events[$0].client })
        return shown.isEmpty && everyone.count <= 1 ? everyone : shown
    }

    /// Whether a fault was on then on the client's link, or the client had not come back from one.
    private func isUnderFault(_ client: ClientID, at time: Instant) -> Bool {
        faults.contains { fault in
            guard fault.client == nil || fault.client == client, events[fault.began].time <= time else { return false }
            guard let ended = fault.ended, events[ended].time < time else { return true }
            return !events[ended...].contains { $0.time <= time && $0.client == client && $0.isReturn }
        }
    }
}

extension TraceEvent {
    /// Whether its client is connected from then on.
    fileprivate var isReturn: Bool {
        if name == "client.connected" { return true }
        guard name == "connection.state", case .set(let value) = observation.change else { return false }
        return value.stringValue == "connected"
    }
}
