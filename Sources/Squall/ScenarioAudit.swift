package import ScenarioModel
import Simulation
package import SquallCore
import TemporalLogic
import Trace

/// Audits a scenario itself: finds expectations that cannot fail and verdicts that depend on the schedule.
package enum ScenarioAudit {
    /// How long a run continues after its script: longer than a client keeps a silent connection open.
    private static let aftermath = TimeSpan.seconds(120)

    /// Waits that hold at once, which their author hardly meant; a case of a table is named once.
    package static func findings(of scenarios: [Scenario]) -> [String] {
        var found: [String] = []
        for location in scenarios.flatMap(\.waitsBesideKills) {
            let text =
                """
                \(location): this wait holds at once, since what the killed client showed stays until its process \
                starts again: wait for the change, 'wait: { next: { connection.state: connected } }'
                """
            if !found.contains(text) { found.append(text) }
        }
        return found
    }

    /// Plays a scenario and returns its findings, each a line that begins with its place.
    ///
    /// With `traces`, a folder, two traces of each racy case are written there, one with each verdict.
    ///
    /// - Throws: ``SquallError`` when the traces cannot be written.
    package static func findings(
        of scenario: Scenario,
        seed: Seed,
        prove: Bool,
        races: Bool,
        traces: String? = nil
    ) throws(SquallError) -> [String] {
        // A scenario whose frames the chosen profile lacks is never played; one for live only is not simulated.
        guard scenario.unspoken.isEmpty, scenario.allows(.sim) else { return [] }
        let plan = RunPlan(scenario, seed: seed)
        let run = SimulatedWorld.play(plan)
        let judged = CaseResult(run, of: plan, world: .sim, wall: .zero)
        guard judged.verdict == .pass else {
            let why = judged.cause.map { "\($0.location): \($0.why ?? $0.word)" } ?? judged.verdict.rawValue
            return ["\(scenario.file): \(judged.title) does not pass, so it cannot be checked further: \(why)"]
        }
        var findings: [String] = []
        if prove {
            findings += unproven(plan, run).map { "\(scenario.expectations[$0.place].location): \($0.why)" }
        }
        if races, let race = RaceSearch(plan, ideal: judged).race() {
            findings.append(race.text)
            if let traces { try race.write(to: traces) }
        }
        return findings
    }

    /// The expectations that prove nothing in a passing run of a plan, by their place in the scenario, with the reason.
    static func unproven(_ plan: RunPlan, _ run: RunResult) -> [(place: Int, why: String)] {
        unprovable(plan.scenario, run) + tooEarly(plan) + immediate(plan.scenario, run)
    }

    private static func unprovable(_ scenario: Scenario, _ run: RunResult) -> [(place: Int, why: String)] {
        scenario.expectations.enumerated().compactMap { place, expectation in
            let word = expectation.formula.word
            return switch Prover(expectation).prove(run.recording) {
            case .flippable: nil
            case .unprovable: (place, "\(word): no change of the trace makes this fail; it proves nothing")
            case .notPassing(let outcome):
                (
                    place,
                    "\(word): passes in its run but is \(outcome) when judged from the trace alone; no change was tried"
                )
            }
        }
    }

    /// Finds bounds that begin with a report of the client which it makes in the same step as the expected answer.
    private static func immediate(_ scenario: Scenario, _ run: RunResult) -> [(place: Int, why: String)] {
        scenario.expectations.enumerated().compactMap { place, expectation in
            guard let name = Prover(expectation).immediateTrigger(in: run.recording) else { return nil }
            return (
                place,
                "\(expectation.formula.word): the client reports \(name) and the answer in one step, so 'within' "
                    + "measures nothing: begin with what the user, device, server or network did"
            )
        }
    }

    /// Finds expectations that were met before the script's first disturbance of the state that they expect.
    ///
    /// A run normally ends as soon as all expectations are met; this one goes on, so that the effects of the script
    /// show.
    private static func tooEarly(_ plan: RunPlan) -> [(place: Int, why: String)] {
        var plan = plan
        plan.scenario.playOn = max(plan.scenario.playOn, aftermath)
        let recording = SimulatedWorld.play(plan).recording
        return plan.scenario.expectations.enumerated().compactMap { place, expectation in
            guard let early = Prover(expectation).earlyPass(in: recording, isDisturbance: \.isDisturbance) else {
                return nil
            }
            return (
                place,
                "\(expectation.formula.word): held at \(early.met), before the script's first disturbance, "
                    + "\(early.disturbance.action) at \(early.disturbance.time): add after: or at: end"
            )
        }
    }
}

extension TraceEvent {
    /// Actions of the server that affect no connection.
    private static let harmless: Set = [
        "server.post", "server.history", "server.stream", "server.type", "server.presence", "server.identify",
        "server.started", "server.start", "server.up",
    ]

    /// Whether the event is an action of the script that disturbs the client, its device, the network or the server.
    fileprivate var isDisturbance: Bool {
        guard observation.provenance == .injected else { return false }
        return name == "fault.began" || name == "client.killed" || name.hasPrefix("device.")
            || name.hasPrefix("server.") && !TraceEvent.harmless.contains(name)
    }

    /// The action's name in scripts, such as `drop`, `restart` or `background`.
    fileprivate var action: String {
        if name == "fault.began" { return fields?["fault"]?.stringValue ?? name }
        return String(name.drop { $0 != "." }.dropFirst())
    }
}
