import Foundation
import ScenarioLanguage
import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// Saved traces: shown, compared, judged again.
package enum TraceFiles {
    /// The trace for reading: time, whose, what.
    package static func show(_ file: String, names prefix: String) throws(SquallError) -> String {
        let recording = try read(file)
        let header = recording.header
        var lines = [
            "\(header.scenario)\(header.variant.map { ", case \"\($0)\"" } ?? ""), profile \(header.profile), seed \(header.seed.value), \(header.clock.rawValue)"
        ]
        for event in recording.events where event.name.hasPrefix(prefix) { lines.append("\(event)") }
        lines.append("\(recording.end)  the end")
        return shown(lines)
    }

    /// Names, keys and texts in a trace are a peer's, or whoever's who wrote the file: no more than text, a line each.
    private static func shown(_ lines: [String]) -> String {
        lines.map { "\(ShownText($0))" }.joined(separator: "\n")
    }

    /// The first event in which two traces differ, in context; nil where they are the same.
    ///
    /// Of runs in virtual time every event is compared. What real time has a part in is never the same twice: there the first value in
    /// which the runs part is told, as the two worlds are compared.
    package static func difference(_ left: String, _ right: String) throws(SquallError) -> String? {
        let (left, right) = (try read(left), try read(right))
        guard left.header.clock == .sim, right.header.clock == .sim else {
            let (mine, theirs) = (
                ParityProjection(of: left, rule: Registry.parity), ParityProjection(of: right, rule: Registry.parity)
            )
            return mine.firstDifference(from: theirs, left, right).map { "\(ShownText(lines: "\($0)"))" }
        }
        return TraceDiff.between(left, right).map { "\(ShownText(lines: "\($0)"))" }
    }

    /// Judges a trace by the scenario that its header names, or another, under the profile that it was made under.
    package static func judge(_ file: String, scenario: String?) throws(SquallError) -> (
        text: String, exitStatus: ExitStatus
    ) {
        let recording = try read(file)
        let source = scenario ?? recording.header.scenario
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue {
            throw .usage(
                "'\(source)' is a folder; name the scenario file that '\(file)' is to be judged by, with --scenario"
            )
        }
        let cases = try Suite.load(SuiteSelection(paths: [source], profile: recording.header.profile))
        guard let chosen = cases.first(where: { $0.variant == recording.header.variant }) else {
            throw .usage("'\(source)' has no case '\(recording.header.variant ?? "")', which '\(file)' is a trace of")
        }
        let plan = try plan(of: chosen, as: recording.header, in: file)
        let judgement = MonitorSet.judge(
            recording,
            plan.scenario.expectations,
            invariants: plan.invariantSettings,
            clients: plan.scenario.clients,
            tolerance: plan.tolerance
        )
        let script = ExpectationResult(recording.ending, file: chosen.file)
        let parts =
            (script.map { [$0] } ?? CaseResult.unmet(recording, of: plan))
            + zip(plan.scenario.expectations, judgement.expectations).map { ExpectationResult($0, $1) } + plan.skipped
            + judgement.invariants.map { ExpectationResult($0, file: chosen.file) }
        let lines = parts.filter { $0.verdict != .skipped }.map { part in
            let word = part.verdict.rawValue + String(repeating: " ", count: 13 - part.verdict.rawValue.count)
            return "\(word)\(part.location)  \(part.heading)" + (part.why.map { ": \($0)" } ?? "")
        }
        return (shown(lines), exitStatus(parts, isInterrupted: recording.ending.isInterrupted))
    }

    /// What an interrupted run came to by then proves nothing.
    private static func exitStatus(_ parts: [ExpectationResult], isInterrupted: Bool) -> ExitStatus {
        if !isInterrupted, parts.contains(where: { $0.verdict == .fail }) { return .failed }
        return isInterrupted || parts.contains { $0.verdict == .inconclusive } ? .inconclusive : .passed
    }

    /// How the scenario is judged of the client whose trace it is.
    private static func plan(of scenario: Scenario, as header: TraceHeader, in file: String) throws(SquallError)
        -> RunPlan
    {
        let plan = RunPlan(scenario, seed: header.seed, clock: header.clock)
        guard let client = header.client else { return plan.clock == .wall ? plan.live() : plan }
        guard let foreign = ForeignPlan(client) else {
            throw .usage("'\(file)' does not say in its header what its client can show and do")
        }
        return plan.judging(foreign, speaking: scenario.profile.wire)
    }

    /// A trace, or the folder of the run that it lies in.
    private static func read(_ path: String) throws(SquallError) -> Recording {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let file = isThere && isFolder.boolValue ? "\(path)/trace.jsonl" : path
        guard let data = FileManager.default.contents(atPath: file) else { throw .usage("'\(file)' cannot be read") }
        do {
            return try TraceCodec.decode(Array(data))
        } catch {
            throw .usage("'\(file)' is no trace: \(error)")
        }
    }
}
