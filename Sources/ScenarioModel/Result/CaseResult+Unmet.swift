import ChatWire
import FakeServer
import Faults
import SquallCore
package import TemporalLogic
package import Trace

// The script's faults, server actions and user steps that had no effect. Expectations that depend on them prove
// nothing.

extension CaseResult {
    /// Returns a result, in file order, for each step that lacked the target it needed, such as an open connection.
    ///
    /// The results are skipped if a user command was omitted for this client, because that may be the reason.
    package static func unmet(_ recording: Recording, of plan: RunPlan) -> [ExpectationResult] {
        let leftOut = plan.skipped.first { $0.word.hasPrefix("user: ") }
        return
            (unmetFaults(recording, of: plan.scenario) + unmetActions(recording, of: plan.scenario)
            + missedTaps(recording, of: plan.scenario) + missedPrompts(recording, of: plan.scenario)
            + unassignedLabels(recording, of: plan.scenario))
            .sorted { $0.location.line < $1.location.line }
            .map { part in
                guard let leftOut else { return part }
                var part = part
                part.verdict = .skipped
                part.why = (part.why ?? "") + "; \(leftOut.word) was left out: \(leftOut.why ?? "")"
                return part
            }
    }

    /// Returns a result for each fault that had no effect. Does not check faults that affect only a random share of the
    /// connections.
    private static func unmetFaults(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        var aimed = scenario.startedFaults.filter { $0.fault.target != nil && $0.fault.toxicity == .always }
        guard !aimed.isEmpty else { return [] }
        var open: [(event: TraceEvent, location: SourceLocation, target: FaultTarget)] = []
        for event in recording.events {
            switch event.name {
            case "fault.began":
                let verb = event.fields?["fault"]?.stringValue
                // Find the first step for this fault that has not been matched to an event yet.
                guard
                    let index = aimed.firstIndex(where: {
                        $0.fault.verb == verb && ($0.label == nil || $0.label == event.key)
                    }),
                    let target = aimed[index].fault.target
                else { continue }
                open.append((event, aimed.remove(at: index).location, target))
            case "fault.hit":
                guard let index = open.lastIndex(where: { $0.event.key == event.key }) else { continue }
                open.remove(at: index)
            default: break
            }
        }
        return open.map { event, location, target in
            let name = event.key ?? "of the network"
            let why = "the fault \(name), begun at \(event.time), had no effect: \(target.absence)"
            return unmet(.network, why, at: location, evidence: [event.index])
        }
    }

    private static func unmetActions(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        let aimed = scenario.aimedActions
        guard !aimed.isEmpty else { return [] }
        let hits = Set(recording.events.lazy.filter { $0.name == "server.action.hit" }.map(\.fields))
        // Count how often each action was performed, because the script may have got stuck before some of the steps.
        var done = Dictionary(grouping: recording.events.lazy.map(\.name).filter { $0.hasPrefix("server.") }) { $0 }
            .mapValues(\.count)
        let performed = aimed.filter { action in
            guard let left = done[action.name], left > 0 else { return false }
            done[action.name] = left - 1
            return true
        }
        return performed.filter { !hits.contains($0.aim.fields) }.map { aim, _, location in
            unmet(.server, "'\(aim.verb): \(aim.target)' had no effect: \(aim.absence)", at: location)
        }
    }

    /// Returns a result for each tap on, or reply to, a notification that was not on the screen.
    private static func missedTaps(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        var touches = scenario.touches
        guard !touches.isEmpty else { return [] }
        return recording.events.filter { $0.name == "client.notification_absent" }.compactMap { event in
            // Find the first step about this notification that has not been matched to an event yet.
            let operation = event.cause.flatMap {
                recording.events.indices.contains($0) ? recording.events[$0].name : nil
            }
            guard let index = touches.firstIndex(where: { $0.name == operation && $0.wanted == event.key }) else {
                return nil
            }
            let (_, wanted, location) = touches.remove(at: index)
            let why = "there was no notification \(wanted.map { "'\($0)' " } ?? "")on the phone at \(event.time)"
            return unmet(.user, why, at: location, evidence: [event.index])
        }
    }

    /// Returns a result for each step that answered a prompt when no prompt was on the screen.
    private static func missedPrompts(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        let answers = scenario.script.filter { step in
            guard case .act(let stimulus) = step.kind, case .client(.answerPrompt) = stimulus.operation else {
                return false
            }
            return true
        }
        guard !answers.isEmpty else { return [] }
        return recording.events.filter { $0.name == "client.prompt_absent" }.map { event in
            let earlier = recording.events.prefix(event.cause ?? 0)
                .count { $0.name == "user.answer_prompt" && $0.client == event.client }
            let why = "there was no prompt on the phone at \(event.time)"
            return unmet(.user, why, at: answers[min(earlier, answers.count - 1)].location, evidence: [event.index])
        }
    }

    /// Returns a result for each push whose label could not be assigned to the pushed message, because that message
    /// already had another label.
    private static func unassignedLabels(_ recording: Recording, of scenario: Scenario) -> [ExpectationResult] {
        scenario.script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .server(.push(let order)) = stimulus.operation,
                order.back != nil, let label = order.label,
                let event = recording.events.first(where: { event in
                    ["server.pushed", "server.push_undeliverable"].contains(event.name)
                        && event.fields?["label"]?.stringValue == label
                }),
                let name = event.key, name != label
            else { return nil }
            let why = "the message that was pushed as '\(label)' already has the label '\(name)'"
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
    /// Whether this result reports that a step of the script had no effect.
    package var isUnmet: Bool { [Actor.network, .server, .user].map(\.rawValue).contains(word) }

    /// Whether this is the result of an invariant, which is checked in every run, rather than of an expectation in the
    /// file.
    package var isInvariant: Bool { word.hasPrefix(Self.invariantPrefix) }
    private static let invariantPrefix = "invariant "

    /// The invariant to which this result belongs; nil if it belongs to an expectation in the file.
    package var invariant: InvariantName? {
        isInvariant ? InvariantName(rawValue: String(word.dropFirst(Self.invariantPrefix.count))) : nil
    }
}

extension Scenario {
    /// The script's server actions that need a target, such as an open connection, with their locations.
    fileprivate var aimedActions: [(aim: ActionAim, name: String, location: SourceLocation)] {
        script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .server(let action) = stimulus.operation,
                let aim = action.aim
            else { return nil }
            return (aim, stimulus.name, step.location)
        }
    }
}

extension Scenario {
    /// The script's taps on, and replies to, notifications: the event's name, the notification's label and the
    /// location.
    fileprivate var touches: [(name: String, wanted: String?, location: SourceLocation)] {
        var touches: [(name: String, wanted: String?, location: SourceLocation)] = []
        for step in script {
            guard case .act(let stimulus) = step.kind, case .client(let command) = stimulus.operation else { continue }
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
    /// The reason why a fault with this target had no effect.
    fileprivate var absence: String {
        switch self {
        case .connection: "there was no connection"
        case .byte: "no connection reached its byte"
        case .message: "no message matched it"
        case .arrival: "no matching connection arrived"
        }
    }
}
