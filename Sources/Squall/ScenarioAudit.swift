package import ScenarioModel
import Simulation
package import SquallCore
import TemporalLogic
import Trace

/// Checks a scenario for expectations that cannot fail and for verdicts that depend on the timing of events.
package enum ScenarioAudit {
    /// How long a run continues after its script. This is longer than a client keeps a silent connection open.
    private static let aftermath = TimeSpan.seconds(120)

    /// Returns warnings about `wait` steps whose condition is met immediately, and about durations that no run can
    /// reach or that make a case very long. Each location is reported once, even if several cases of a table share it.
    package static func findings(of scenarios: [Scenario]) -> [String] {
        var found: [String] = []
        for location in scenarios.flatMap(\.waitsDirectlyAfterKill) {
            let text =
                """
                \(location): this wait holds at once, since what the killed client showed stays until its process \
                starts again: wait for the change, 'wait: { next: { connection.state: connected } }'
                """
            if !found.contains(text) { found.append(text) }
        }
        for overlong in scenarios.flatMap(\.overlongSpans) {
            let text =
                overlong.isOfCase
                ? """
                \(overlong.location): the waits of this case take \(overlong.span), in every run and, for most clients, in \
                real time: was another unit meant?
                """
                : """
                \(overlong.location): \(overlong.span) is longer than a run can be, which is \(Scenario.longestSpan): was \
                another unit meant?
                """
            if !found.contains(text) { found.append(text) }
        }
        return found
    }

    /// Runs a scenario and returns warnings, each a line that begins with the source location.
    ///
    /// If `traces` is a folder, two traces of each racy case are written to it, one for each verdict.
    ///
    /// - Throws: ``SquallError`` if the traces cannot be written.
    package static func findings(
        of scenario: Scenario,
        seed: Seed,
        prove: Bool,
        races: Bool,
        traces: String? = nil
    ) throws(SquallError) -> [String] {
        // A scenario that needs frames missing from the profile is never run, and a live-only scenario cannot be
        // simulated.
        guard scenario.unsupportedFrames.isEmpty, scenario.allows(.sim) else { return [] }
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

    /// Returns the indices (`place`) of expectations that passed but proved nothing, with the reasons (`why`).
    static func unproven(_ plan: RunPlan, _ run: RunResult) -> [(place: Int, why: String)] {
        unprovable(plan.scenario, run) + tooEarly(plan) + immediate(plan.scenario, run)
    }

    private static func unprovable(_ scenario: Scenario, _ run: RunResult) -> [(place: Int, why: String)] {
        scenario.expectations.enumerated().compactMap { place, expectation in
            let word = expectation.formula.word
            return switch Prover(expectation).prove(run.recording) {
            case .falsifiable: nil
            case .unprovable: (place, "\(word): no change of the trace makes this fail; it proves nothing")
            case .notPassing(let outcome):
                (
                    place,
                    "\(word): passes in its run but is \(outcome) when judged from the trace alone; no change was tried"
                )
            }
        }
    }

    /// Returns, with the reasons, the expectations whose bound is measured from a client event that is reported in the
    /// same step as the expected result. Such a bound cannot be exceeded.
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

    /// Returns, with the reasons, the expectations that were met before the script first disturbed the state that they
    /// expect.
    ///
    /// A run normally ends as soon as all expectations are met. This run continues, so that the effects of the script
    /// become visible.
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
    /// The server actions that do not affect any connection.
    private static let harmless: Set = [
        "server.post", "server.history", "server.stream", "server.type", "server.presence", "server.identify",
        "server.started", "server.start", "server.up",
    ]

    /// Whether the event is a scripted action that disturbs the client, its device, the network or the server.
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
