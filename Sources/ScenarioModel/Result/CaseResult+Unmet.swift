import ChatWire
import FakeServer
import Faults
import SquallCore
import TemporalLogic
package import Trace

/// Faults, actions and touches of the script that met nothing: what is judged under them proves nothing.
extension CaseResult {
    /// A part for each that was aimed at something and never met it, in the order of the file.
    ///
    /// Where the client was not given a command of the user's, that may be why: then it is skipped.
    package static func unmet(_ recording: Recording, of plan: RunPlan) -> [ExpectationResult] {
        let leftOut = plan.skipped.first { $0.word.hasPrefix("user: ") }
        return
            (unmetFaults(recording, of: plan.scenario) + unmetActions(recording, of: plan.scenario)
            + unmetTouches(recording, of: plan.scenario) + unboundNames(recording, of: plan.scenario))
            .sorted { $0.location.line < $1.location.line }
            .map { part in
                guard let leftOut else { return part }
                var part = part
                part.verdict = .skipped
                part.why = (part.why ?? "") + "; \(leftOut.word) was left out: \(leftOut.why ?? "")"
                return part
            }
    }

    /// A fault that hits only a share of the connections, by chance, is left alone.
    private static func unmetFaults(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        var aimed = scenario.begun.filter { $0.fault.target != nil && $0.fault.toxicity == .always }
        guard !aimed.isEmpty else { return [] }
        var open: [(event: TraceEvent, location: SourceLocation, target: FaultTarget)] = []
        for event in recording.events {
            switch event.name {
            case "fault.began":
                let verb = event.fields?["fault"]?.stringValue
                // The step of this name; where several are, in the order of the script.
                guard
                    let place = aimed.firstIndex(where: {
                        $0.fault.verb == verb && ($0.label == nil || $0.label == event.key)
                    }),
                    let target = aimed[place].fault.target
                else { continue }
                open.append((event, aimed.remove(at: place).location, target))
            case "fault.hit":
                guard let place = open.lastIndex(where: { $0.event.key == event.key }) else { continue }
                open.remove(at: place)
            default: break
            }
        }
        return open.map { event, location, target in
            let name = event.key ?? "of the network"
            let why = "the fault \(name), begun at \(event.time), met nothing: \(target.absence)"
            return unmet(.network, why, at: location, evidence: [event.index])
        }
    }

    private static func unmetActions(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        let aimed = scenario.aimedActions
        guard !aimed.isEmpty else { return [] }
        let hits = Set(recording.events.lazy.filter { $0.name == "server.action.hit" }.map(\.fields))
        // Where a script could not go on, what stands behind was never done.
        var done = Dictionary(grouping: recording.events.lazy.map(\.name).filter { $0.hasPrefix("server.") }) { $0 }
            .mapValues(\.count)
        let performed = aimed.filter { action in
            guard let left = done[action.name], left > 0 else { return false }
            done[action.name] = left - 1
            return true
        }
        return performed.filter { !hits.contains($0.aim.fields) }.map { aim, _, location in
            unmet(.server, "'\(aim.verb): \(aim.target)' met nothing: \(aim.absence)", at: location)
        }
    }

    /// Notifications that the user was to tap or to answer, and that were not there.
    private static func unmetTouches(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        var touches = scenario.touches
        guard !touches.isEmpty else { return [] }
        return recording.events.filter { $0.name == "client.notification_absent" }.compactMap { event in
            // The step that named it; where several did, in the order of the script.
            let deed = event.cause.flatMap { recording.events.indices.contains($0) ? recording.events[$0].name : nil }
            guard let place = touches.firstIndex(where: { $0.name == deed && $0.wanted == event.key }) else {
                return nil
            }
            let (_, wanted, location) = touches.remove(at: place)
            let why = "there was no notification \(wanted.map { "'\($0)' " } ?? "")on the phone at \(event.time)"
            return unmet(.user, why, at: location, evidence: [event.index])
        }
    }

    /// Names that a push was to give to a message which has one already: nothing ever bears them.
    private static func unboundNames(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        scenario.script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .server(.push(let order)) = stimulus.deed,
                order.back != nil, let label = order.label,
                let event = recording.events.first(where: { event in
                    ["server.pushed", "server.push_undeliverable"].contains(event.name)
                        && event.fields?["label"]?.stringValue == label
                }),
                let name = event.key, name != label
            else { return nil }
            let why = "the message that was pushed as '\(label)' is called '\(name)' already"
            return unmet(.server, why, at: step.location, evidence: [event.index])
        }
    }

    private static func unmet(
        _ word: Actor,
        _ why: String,
        at location: SourceLocation,
        evidence: [Int] = []
    ) -> ExpectationResult {
        ExpectationResult(
            location: location,
            word: word.rawValue,
            covers: [],
            verdict: .inconclusive,
            why: why,
            evidence: evidence
        )
    }
}

extension ExpectationResult {
    /// Whether it tells that something in the script met nothing.
    package var isUnmet: Bool { [Actor.network, .server, .user].map(\.rawValue).contains(word) }

    /// Whether it is a standing invariant's, and nobody has written it.
    package var isInvariant: Bool { word.hasPrefix("invariant ") }
}

extension Scenario {
    /// What the script has the server do to something that must be there, and where.
    fileprivate var aimedActions: [(aim: ActionAim, name: String, location: SourceLocation)] {
        script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .server(let action) = stimulus.deed, let aim = action.aim
            else { return nil }
            return (aim, stimulus.name, step.location)
        }
    }
}

extension Scenario {
    /// What the script has the user do to notifications: by which deed, to whose, and where.
    fileprivate var touches: [(name: String, wanted: String?, location: SourceLocation)] {
        var touches: [(name: String, wanted: String?, location: SourceLocation)] = []
        for step in script {
            guard case .act(let stimulus) = step.kind, case .client(let command) = stimulus.deed else { continue }
            switch command {
            case .tap(let label, push: _), .reply(to: let label, text: _, label: _, push: _):
                touches.append((stimulus.name, label, step.location))
            default: break
            }
        }
        return touches
    }
}

extension FaultTarget {
    /// What there was none of.
    fileprivate var absence: String {
        switch self {
        case .connection: "no connection was there"
        case .byte: "no connection came to its byte"
        case .message: "no message was the one that it is for"
        case .arrival: "no connection came in that it is for"
        }
    }
}
