import ArgumentParser
import Exploration
import ScenarioModel
import Squall
import SquallCore

// The part of `squall run` that implements `--perturb`.

extension RunCommand {
    func validatePerturbing() throws {
        guard perturb != nil else {
            if sample != nil { throw ValidationError("--sample needs --perturb") }
            if findings != nil { throw ValidationError("--findings needs --perturb") }
            return
        }
        if let sample, sample < 1 { throw ValidationError("--sample must be at least 1, not \(sample)") }
        guard choice == .reference, world == nil || world == .sim else {
            throw ValidationError("--perturb plays Squall's own client in virtual time: leave out --client and --world")
        }
        let others: [(name: String, isGiven: Bool)] = [
            ("--last-failed", selected.lastFailed), ("--repeat", times != 1), ("--until-fail", limits.untilFail),
            ("--max-failures", limits.maxFailures != nil),
            ("--retries", limits.retries > 0), ("--budget", limits.budget != nil),
            ("--known-failures", knownFailures != nil),
            ("--profile", profile != nil), ("--report", report != nil), ("--junit", junit != nil), ("--pcap", pcap),
            ("--format", format != .text),
        ]
        if let other = others.first(where: \.isGiven) {
            throw ValidationError("\(other.name) cannot be used with --perturb")
        }
    }

    func play(_ scenarios: [Scenario], perturbedBy kinds: [PerturbationKind]) async throws -> ExitStatus {
        var options = PerturbOptions()
        (options.kinds, options.sample, options.seed, options.defects) = (kinds, sample, Seed(seed), defects)
        if let jobs { options.jobs = jobs }
        options.folder = findings ?? "found"
        let chosen = options
        let result = try await Interruption.cancels {
            let perturber = Perturber(scenarios, chosen) { step in
                ProgressLog.show(step)
            }
            return try await perturber.play()
        }
        return PerturbPrinter.print(result)
    }
}

/// A list of perturbation kinds on the command line, such as `kill,drop`.
struct PerturbationList: ExpressibleByArgument {
    let kinds: [PerturbationKind]

    init?(argument: String) {
        guard let kinds = try? PerturbationKind.list(argument), !kinds.isEmpty else { return nil }
        self.kinds = kinds
    }
}

/// Prints the results of perturbed runs.
enum PerturbPrinter {
    /// Prints the findings and a summary; returns the exit status.
    static func print(_ result: PerturbResult) -> ExitStatus {
        Terminal.progress("")
        for skipped in result.skipped { Terminal.print("SKIPPED  \(skipped.title): \(SanitizedText(skipped.why))") }
        for found in result.found { Terminal.print(lines(of: found)) }
        Terminal.print(summary(result))
        if !result.found.isEmpty { Terminal.print("make a finding smaller: squall explore shrink FILE") }
        if result.isInterrupted { return .interrupted }
        guard result.found.isEmpty else { return .failed }
        return result.runs == 0 ? .inconclusive : .passed
    }

    private static func lines(of found: PerturbResult.Found) -> String {
        let runs = found.count == 1 ? "1 run" : "\(found.count) runs"
        var lines = ["FOUND  \(found.cause.kind.rawValue), \(found.cause.judge): \(SanitizedText(found.why))"]
        lines.append("       \(SanitizedText(found.title)), \(found.place); \(runs) failed so")
        if let replay = found.replay { lines.append("       replay: \(replay)") }
        if !found.isConfirmed { lines.append("       its file does not fail when it is read and played again") }
        return lines.joined(separator: "\n")
    }

    private static func summary(_ result: PerturbResult) -> String {
        let rate = Double(result.runs) / max(Double(result.wall.milliseconds) / 1000, 0.001)
        let count = result.found.count
        let what = count == 0 ? "nothing found" : count == 1 ? "1 finding" : "\(count) findings"
        let skipped = result.skipped.isEmpty ? "" : ", \(result.skipped.count) skipped"
        let runs = result.runs == 1 ? "1 perturbed run" : "\(result.runs) perturbed runs"
        let cases = result.cases == 1 ? "1 case" : "\(result.cases) cases"
        return "\(runs) of \(cases) in "
            + "\(TimeSpan.seconds((result.wall.milliseconds + 500) / 1000)), \(Int(rate.rounded())) a second\(skipped): "
            + what
    }
}
