import Adapter
import ChatWire
import FakeServer
import Faults
import SquallCore
import TemporalLogic

/// A scenario reduced to the steps that a given client can perform and the expectations that can be checked for it.
///
/// A command that the client does not support is omitted, together with every expectation that may depend on it. A wait
/// for an event or observable that the client does not report ends the script, because later steps would be performed
/// at the wrong time. Everything that is omitted is reported as skipped, with the reason. The meaning of all other
/// steps and expectations is unchanged.
package struct ScenarioFitting: Sendable {
    package private(set) var scenario: Scenario
    /// The omitted steps and expectations, in file order.
    package private(set) var skipped: [ExpectationResult] = []

    /// The foreign client; nil for Squall's own client.
    private let plan: ForeignPlan?
    private let hasOwnServer: Bool
    private let observability: Observability
    /// The verbs of the commands that were omitted.
    private var undone: [String] = []
    /// The number of steps that a person performs for each client.
    private var manualSteps: [ClientID: Int] = [:]
    /// Labels that no message will have because a step was omitted, each with the reason.
    private var lostLabels: [String: String] = [:]
    /// The client activity that may be invisible on the wire, as of the current step.
    private var hiding: UnobservableActivity
    /// The reason why the script ends early; nil if all of its steps are run.
    private var cut: String?

    package init(_ scenario: Scenario, to plan: ForeignPlan?, hasOwnServer: Bool = true) {
        self.scenario = scenario
        self.plan = plan
        self.hasOwnServer = hasOwnServer
        observability = Observability(of: plan, hasOwnServer: hasOwnServer)
        hiding = UnobservableActivity(underTLS: scenario.profile.server.tls)
        fitScript()
        fitExpectations()
        skipped.sort { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
    }

    // MARK: - The script

    private mutating func fitScript() {
        var steps: [Step] = []
        for step in scenario.script {
            if step.anchor == nil, cut != nil { continue }
            steps += fit(step)
        }
        scenario.script = steps
    }

    private mutating func fit(_ step: Step) -> [Step] {
        if case .event(let anchor)? = step.anchor, let why = whyUnobservable(anchor) {
            skip("at", step.location, why)
            cut = cut ?? "line \(step.location.line) depends on something that cannot be observed: \(why)"
            return []
        }
        switch step.kind {
        case .pause: return [step]
        case .act(let stimulus):
            if plan != nil { hiding.begins(with: stimulus) }
            if let wait = manualWait(for: stimulus, in: step) { return [step, wait] }
            guard let why = whyUndone(stimulus) else { return [step] }
            guard stimulus.verb != "open" else {
                // Keep this step even if the client does not support it: it determines the conversation to which the
                // user's next messages belong.
                undone.append("open")
                return [step]
            }
            skip(stimulus.name.replacingDot, step.location, why)
            undone.append(stimulus.verb)
            if ClientCommand.declaration(of: stimulus.verb)?.affects == nil {
                cut = cut ?? "the script was played up to line \(step.location.line) only: \(why)"
            }
            if let label = stimulus.label { lostLabels[label] = why }
            return []
        case .wait(let condition, let next, let within):
            if let seen = wireEquivalent(of: condition) {
                var fitted = step
                fitted.kind = .wait(seen, next: next, within: within)
                return [fitted]
            }
            guard let why = whyUnobservable(condition) ?? whyUnchanging(condition) else { return [step] }
            skip("wait", step.location, why)
            cut = "the script was played up to line \(step.location.line) only: \(why)"
            return []
        }
    }

    /// Returns a step that waits until a person has performed the user's step; nil if Squall does not ask a person to
    /// perform it.
    private mutating func manualWait(for stimulus: Stimulus, in step: Step) -> Step? {
        guard plan?.home == .attended, step.anchor == nil, case .client(let command) = stimulus.operation,
            ManualStep(command) != nil
        else { return nil }
        let clients = stimulus.clients.isEmpty ? scenario.clients : stimulus.clients
        guard clients.count == 1 else { return nil }
        manualSteps[clients[0], default: 0] += 1
        let wait = ManualStep.wait(for: clients[0], ordinal: manualSteps[clients[0], default: 0])
        return Step(wait, location: step.location)
    }

    /// Returns the wire condition that is equivalent to being connected, for a client that does not report its state;
    /// nil for other conditions.
    private func wireEquivalent(of condition: Condition) -> Condition? {
        guard !observability.sees("connection.state"), condition.event == nil, condition.state.levels.count == 1,
            let level = condition.state.levels.first, level.observable.name == "connection.state",
            level.predicate == .equals("connected")
        else { return nil }
        var observable = level.observable
        observable.name = "link.state"
        var seen = condition
        seen.state = StateCondition([ObservablePredicate(observable, level.predicate)])
        return seen
    }

    private func whyUndone(_ stimulus: Stimulus) -> String? {
        switch stimulus.operation {
        case .begin, .heal, .healAll, .replayLogin: return nil
        case .server: return hasOwnServer ? nil : "the upstream server does not take actions"
        case .client(let command):
            guard let plan else { return nil }
            switch command {
            // Squall performs these commands itself, on the client's process or network.
            case .start, .kill, .reboot: return whyUnended(plan)
            case .suspend: return whyUnpaused(plan) ?? whyUnended(plan)
            case .portalLogin: return nil
            default: break
            }
            guard !plan.offer.takes(stimulus.verb) else { return nil }
            if plan.home == .elsewhere, ManualStep(command) != nil {
                return "a person runs this client, and only --by-hand asks for '\(stimulus.verb)'"
            }
            return plan.offer.takes.isEmpty
                ? "this client takes no commands, so it cannot perform '\(stimulus.verb)'"
                : "the client does not take '\(stimulus.verb)'"
        }
    }

    private func whyUnpaused(_ plan: ForeignPlan) -> String? {
        switch plan.home {
        case .process, .elsewhere, .attended: nil
        case .here: "this client runs within the test's process, which cannot be frozen"
        case .app: "this client is an app, which Squall cannot freeze"
        }
    }

    private func whyUnended(_ plan: ForeignPlan) -> String? {
        switch plan.home {
        case .process: nil
        case .elsewhere, .attended: "a person runs this client, not Squall"
        case .here:
            plan.offer.takes("kill") ? nil : "the client runs within the test's process and does not take 'kill'"
        case .app:
            plan.offer.takes("restart") || plan.offer.takes("kill")
                ? nil : "the app takes neither 'restart' nor 'kill', so it cannot be ended"
        }
    }

    // MARK: - Expectations

    private mutating func fitExpectations() {
        var longest = TimeSpan.zero
        scenario.expectations = scenario.expectations.filter { expectation in
            guard let why = whyUnevaluated(expectation) else { return true }
            longest = max(longest, expectation.bound ?? .zero)
            skipped.append(
                ExpectationResult(
                    location: expectation.location,
                    word: expectation.formula.word,
                    name: expectation.name,
                    covers: expectation.covers,
                    verdict: .skipped,
                    why: why,
                    evidence: []
                )
            )
            return false
        }
        // Do not shorten the run when expectations are omitted, because the remaining expectations are evaluated at its
        // end.
        if scenario.expectations.contains(where: \.dependsOnRunEnd) { scenario.playOn = max(scenario.playOn, longest) }
    }

    private func whyUnevaluated(_ expectation: Expectation) -> String? {
        if let cut { return cut }
        return whyUnobservable(expectation) ?? whyUnchanging(expectation)
    }

    /// Returns the reason why a condition that depends on an omitted command may never hold; nil if the condition
    /// depends on no such command.
    private func whyUnchanging(_ condition: Condition) -> String? {
        whyUnchanging(Expectation(.never(condition), location: SourceLocation(file: scenario.file, line: 1, column: 1)))
    }

    private func whyUnchanging(_ expectation: Expectation) -> String? {
        for verb in undone {
            guard let affected = ClientCommand.declaration(of: verb)?.affects else { continue }
            let touched = expectation.names.first { name in affected.contains { name == $0 || name.hasSuffix(".\($0)") }
            }
            if let touched { return "\(touched) depends on '\(verb)', which this client does not support" }
        }
        return nil
    }

    private func whyUnobservable(_ expectation: Expectation) -> String? {
        let names = expectation.requiredNames
        if let blind = names.first(where: { !observability.sees($0) }) {
            return observability.reasonUnobserved(to: blind)
        }
        for name in names where !observability.isShown(name) {
            if let why = hiding.hides(name) { return why }
        }
        for words in expectation.words(of: "connection.state") where !words.contains(where: observability.hasState) {
            return "the client's states do not include connection.state \(words.joined(separator: " or "))"
        }
        for key in expectation.keys {
            if let why = lostLabels[key] { return "nothing has the label '\(key)': \(why)" }
        }
        return nil
    }

    private func whyUnobservable(_ condition: Condition) -> String? {
        let location = SourceLocation(file: scenario.file, line: 1, column: 1)
        return whyUnobservable(Expectation(.never(condition), location: location))
    }

    private mutating func skip(_ word: String, _ location: SourceLocation, _ why: String) {
        skipped.append(
            ExpectationResult(location: location, word: word, covers: [], verdict: .skipped, why: why, evidence: [])
        )
    }
}

extension String {
    /// The name of an action in the form that scripts use, such as `user: send` for `user.send`.
    fileprivate var replacingDot: String {
        split(separator: ".", maxSplits: 1).joined(separator: ": ")
    }
}
