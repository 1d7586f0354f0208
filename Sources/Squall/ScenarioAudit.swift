package import ScenarioModel
import Simulation
package import SquallCore
import TemporalLogic
import Trace

/// Looks for what is wrong with a scenario itself: expectations that nothing can flip, verdicts that hang on chance.
package enum ScenarioAudit {
    /// How long what a script did last is looked at: longer than a client believes in a silent connection.
    private static let aftermath = TimeSpan.seconds(120)

    /// What is found wanting, each in a line that begins with its place.
    ///
    /// With `traces`, a folder, two runs of each case whose verdict hangs on chance are left there, one of either verdict.
    package static func findings(
        of scenario: Scenario,
        seed: Seed,
        prove: Bool,
        races: Bool,
        traces: String? = nil
    ) throws(SquallError) -> [String] {
        // What the profile that was asked for has no frames for is not played at all, and what is for live alone not in virtual time.
        guard scenario.unspoken.isEmpty, scenario.allows(.sim) else { return [] }
        let plan = RunPlan(scenario, seed: seed)
        let run = SimulatedWorld.play(plan)
        let judged = CaseResult(run, of: plan, world: .sim, wall: .zero)
        guard judged.verdict == .pass else {
            let why = judged.cause.map { "\($0.location): \($0.why ?? $0.word)" } ?? judged.verdict.rawValue
            return ["\(scenario.file): \(judged.title) does not pass, so nothing can be said of it: \(why)"]
        }
        var findings: [String] = []
        if prove { findings += unprovable(scenario, run) + tooEarly(plan) }
        if races, let race = RaceSearch(plan, ideal: judged).race() {
            findings.append(race.text)
            if let traces { try race.write(to: traces) }
        }
        return findings
    }

    private static func unprovable(_ scenario: Scenario, _ run: RunResult) -> [String] {
        scenario.expectations.compactMap { expectation in
            let place = "\(expectation.location): \(expectation.formula.word)"
            return switch Prover(expectation).prove(run.recording) {
            case .flippable: nil
            case .unprovable: "\(place): no change of the trace makes this fail; it proves nothing"
            case .notPassing(let outcome):
                "\(place): passes in its run and is \(outcome) by its trace alone; nothing was tried"
            }
        }
    }

    /// Expectations that were met before the script had done anything, of states that it then took away.
    ///
    /// A run ends as soon as all is well; to see what the script has done, this one goes on.
    private static func tooEarly(_ plan: RunPlan) -> [String] {
        var plan = plan
        plan.scenario.playOn = max(plan.scenario.playOn, aftermath)
        let recording = SimulatedWorld.play(plan).recording
        return plan.scenario.expectations.compactMap { expectation in
            guard let early = Prover(expectation).earlyPass(in: recording, isDisturbance: \.isDisturbance) else {
                return nil
            }
            return
                "\(expectation.location): \(expectation.formula.word): held at \(early.met), before the first thing that the "
                + "script does to it, \(early.disturbance.deed) at \(early.disturbance.time): say after: or at: end"
        }
    }
}

extension TraceEvent {
    /// What the server is told that leaves every connection as it is.
    private static let harmless: Set = [
        "server.post", "server.history", "server.stream", "server.type", "server.presence", "server.identify",
        "server.started", "server.start", "server.up",
    ]

    /// Whether the script does something to the client's device, to the network or to the server with it.
    fileprivate var isDisturbance: Bool {
        guard observation.provenance == .injected else { return false }
        return name == "fault.began" || name == "client.killed" || name.hasPrefix("device.")
            || name.hasPrefix("server.") && !TraceEvent.harmless.contains(name)
    }

    /// What it is called in a script: `drop`, `restart`, `background`.
    fileprivate var deed: String {
        if name == "fault.began" { return fields?["fault"]?.stringValue ?? name }
        return String(name.drop { $0 != "." }.dropFirst())
    }
}
