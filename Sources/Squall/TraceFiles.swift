import Adapter
import Foundation
import ScenarioLanguage
import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// Prints, compares and evaluates saved traces.
package enum TraceFiles {
    /// Renders a trace as text, one event per line; only events whose names begin with `prefix` are included.
    package static func show(_ file: String, names prefix: String) throws(SquallError) -> String {
        let recording = try read(file)
        let header = recording.header
        var lines = [
            """
            \(header.scenario)\(header.variant.map { ", case \"\($0)\"" } ?? ""), profile \(header.profile), seed \
            \(header.seed.value), \(header.clock.rawValue)
            """
        ]
        for event in recording.events where event.name.hasPrefix(prefix) { lines.append("\(event)") }
        lines.append("\(recording.end)  the end")
        return shown(lines)
    }

    /// Joins lines and escapes control characters, because the contents of a trace are untrusted.
    private static func shown(_ lines: [String]) -> String {
        lines.map { "\(SanitizedText($0))" }.joined(separator: "\n")
    }

    /// Describes the first difference between two traces, with context; returns nil if the traces are equal.
    ///
    /// Traces of runs in virtual time are compared event by event. Runs in real time never repeat exactly, so their
    /// traces are compared by the values of their observables, as when a simulated run is compared with a live one.
    package static func difference(_ left: String, _ right: String) throws(SquallError) -> String? {
        TraceDivergence.between(try read(left), try read(right), rule: Registry.parity)
            .map { "\(SanitizedText(lines: "\($0)"))" }
    }

    /// Evaluates a trace with `scenario` or, if it is nil, with the scenario named in the trace's header. The profile
    /// is always taken from the header.
    ///
    /// - Throws: ``SquallError`` if a file cannot be read or the scenario has no case that corresponds to the trace.
    package static func judge(_ file: String, scenario: String?) throws(SquallError) -> (
        text: String, exitStatus: ExitStatus
    ) {
        let recording = try read(file)
        let source = scenario ?? recording.header.scenario
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), isFolder.boolValue {
            throw .usage(
                "'\(source)' is a folder; give the scenario file to judge '\(file)' by with --scenario"
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

    /// Returns the exit status for the verdicts of `parts`. The result of an interrupted run is always inconclusive.
    private static func exitStatus(_ parts: [ExpectationResult], isInterrupted: Bool) -> ExitStatus {
        if !isInterrupted, parts.contains(where: { $0.verdict == .fail }) { return .failed }
        return isInterrupted || parts.contains { $0.verdict == .inconclusive } ? .inconclusive : .passed
    }

    /// Plans the evaluation of a scenario for the client described in the header of the trace file `file`.
    private static func plan(of scenario: Scenario, as header: TraceHeader, in file: String) throws(SquallError)
        -> RunPlan
    {
        let plan = RunPlan(scenario, seed: header.seed, clock: header.clock)
        guard let client = header.client else { return plan.clock == .wall ? plan.live() : plan }
        guard var foreign = ForeignPlan(client) else {
            throw .usage("the header of '\(file)' does not list the observables and commands of its client")
        }
        foreign.clock = header.clock == .leaping ? .virtual : .wall
        return plan.judging(foreign, speaking: scenario.profile.wire)
    }

    /// Reads a trace file, or the trace in a run's folder.
    static func read(_ path: String) throws(SquallError) -> Recording {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let file = isThere && isFolder.boolValue ? "\(path)/trace.jsonl" : path
        guard let data = FileManager.default.contents(atPath: file) else {
            let run = isFolder.boolValue ? firstRun(below: path) : nil
            throw .usage(
                run.map { "'\(path)' has no trace; name the folder of one run, such as '\($0)'" }
                    ?? "'\(file)' cannot be read"
            )
        }
        do {
            return try TraceCodec.decode(Array(data))
        } catch {
            throw .usage("'\(file)' is not a trace: \(error)")
        }
    }

    /// Returns a run's folder in a report; nil if the report has no traces.
    private static func firstRun(below report: String) -> String? {
        FileManager.default.subpaths(atPath: report)?.sorted().first { $0.hasSuffix("/trace.jsonl") }
            .map { "\(report)/\($0.dropLast("/trace.jsonl".count))" }
    }
}
