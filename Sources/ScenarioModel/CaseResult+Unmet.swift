import FakeServer
import Faults
import Foundations
import TemporalLogic
package import Trace

/// Faults and actions of the script that met nothing: what is judged under them proves nothing.
extension CaseResult {
    /// A part for each that was aimed at something and never met it, in the order of the file.
    ///
    /// Where the client was not given a command of the user's, that may be why: then it is skipped.
    package static func unmet(_ recording: Recording, of plan: RunPlan) -> [ExpectationResult] {
        let leftOut = plan.skipped.first { $0.word.hasPrefix("user: ") }
        return (unmetFaults(recording, of: plan.scenario) + unmetActions(recording, of: plan.scenario))
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
    package var isUnmet: Bool { [Actor.network, .server].map(\.rawValue).contains(word) }

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

extension FaultTarget {
    /// What there was none of.
    fileprivate var absence: String {
        switch self {
        case .connection: "no connection was there"
        case .byte: "no connection came to its byte"
        case .message: "no message was the one that it is for"
        }
    }
}
