import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Decides from a trace whether two violations are connected; being close in time is not enough.
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

    /// Returns whether `one`, violated at `time`, is connected to `other`: either their evidence is connected, or there
    /// was a fault on the link of a client that both violations concern.
    func joins(_ one: ExpectationResult, _ other: ExpectationResult, at time: Instant) -> Bool {
        // If a fault or a step had no effect, the script is at fault, so the violations are not connected.
        if one.isUnmet || other.isUnmet { return false }
        if isShownTogether(one, other) { return true }
        let shared = clients(of: one).intersection(clients(of: other))
        return shared.contains { isUnderFault($0, at: time) }
    }

    /// Returns whether the two violations share an event in their evidence, or whether an event in one's evidence
    /// caused an event in the other's.
    ///
    /// The script's actions are ignored, because they cause everything.
    private func isShownTogether(_ one: ExpectationResult, _ other: ExpectationResult) -> Bool {
        let (left, right) = (relevantEvidence(of: one), relevantEvidence(of: other))
        return !roots(of: left).isDisjoint(with: right) || !roots(of: right).isDisjoint(with: left)
    }

    /// Returns the evidence for a violation, without the script's actions but with the faults that they inject.
    private func relevantEvidence(of part: ExpectationResult) -> Set<Int> {
        Set(
            part.evidence.filter {
                events.indices.contains($0) && (!events[$0].isOperation || events[$0].name.hasPrefix("fault."))
            }
        )
    }

    /// Returns the events at these indices and all events that caused them, directly or indirectly.
    private func roots(of places: Set<Int>) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = Array(places)
        while let place = waiting.popLast() {
            guard events.indices.contains(place), found.insert(place).inserted else { continue }
            if let cause = events[place].cause { waiting.append(cause) }
        }
        return found
    }

    /// Returns the clients that a violation concerns: the clients in its evidence or, if there are none, the run's
    /// client if it has only one.
    private func clients(of part: ExpectationResult) -> Set<ClientID> {
        let shown = Set(part.evidence.filter { events.indices.contains($0) }.compactMap { events[$0].client })
        return shown.isEmpty && everyone.count <= 1 ? everyone : shown
    }

    /// Returns whether a fault was active on the client's link at `time`, or the client had yet to reconnect after one.
    private func isUnderFault(_ client: ClientID, at time: Instant) -> Bool {
        faults.contains { fault in
            let isOnLink = fault.clients.isEmpty || fault.clients.contains(client)
            guard isOnLink, events[fault.began].time <= time else { return false }
            guard let ended = fault.ended, events[ended].time < time else { return true }
            return !events[ended...].contains { $0.time <= time && $0.client == client && $0.isReturn }
        }
    }
}

extension TraceEvent {
    /// Whether the event shows that its client has reconnected.
    fileprivate var isReturn: Bool {
        if name == "client.connected" { return true }
        guard name == "connection.state", case .set(let value) = observation.change else { return false }
        return value.stringValue == "connected"
    }
}
