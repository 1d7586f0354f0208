import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// The name and the comments of a finding's scenario file.
struct FindingText {
    let finding: Finding
    let options: ExploreOptions
    /// The path of the file, or its name if no files are written.
    let path: String

    var head: ScenarioWriter.Head {
        ScenarioWriter.Head(name: name, comments: comments)
    }

    /// The name of the scenario, such as `honest_ui is violated after open, refresh and open`.
    var name: String {
        let judge = finding.violation.cause.judge.split(separator: " ").last.map(String.init) ?? "the run"
        let verbs = finding.draft.skeleton.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
        let shown = verbs.suffix(Self.maximumVerbs).map { $0.replacing("_", with: " ") }
        let what =
            switch finding.violation.cause.judge {
            case "run": "The run is abandoned"
            case "parity": "The two worlds differ"
            case Cause.against: "The two clients differ"
            default: "\(judge) is violated"
            }
        guard let last = shown.last else { return "\(what) without any step" }
        let before = shown.dropLast().joined(separator: ", ")
        let ellipsis = verbs.count > shown.count ? "… " : ""
        return before.isEmpty ? "\(what) after \(last)" : "\(what) after \(ellipsis)\(before) and \(last)"
    }

    private static let maximumVerbs = 8

    private var comments: [String] {
        var lines = ["Found by squall \(SquallVersion.current) \(origin).", size]
        lines.append("")
        lines.append("\(finding.violation.cause.judge): \(finding.violation.why)")
        lines += finding.violation.story.map { "  \($0)" }
        lines.append("")
        lines.append("Replay: \(replay)")
        return lines
    }

    private var origin: String {
        var words = ["explore", "--seed \(options.seed.value)"]
        if options.isInBothWorlds { words.append("--world both") }
        words += options.clientOptions
        words += options.comparedOptions
        words += options.defects.map { "--defect \($0)" }
        words += options.profiles.map { "--profile \($0)" }
        if options.isSweep { words.append("--sweep") }
        words += options.starts.map { "--from \(ShellWord.quoted($0))" }
        if let corpus = options.corpus { words.append("--corpus \(ShellWord.quoted(corpus))") }
        let side = finding.isSideFind ? ", while another finding was being shrunk" : ""
        return "\(words.joined(separator: " ")), in run \(finding.run)\(side)"
    }

    private var size: String {
        let now = finding.draft.size
        let shrunk = "\(finding.foundSize) steps became \(now) in \(finding.tries) runs."
        guard finding.isMinimal else { return shrunk }
        return "\(shrunk) If any single step is removed, it passes."
    }

    /// The command that replays the finding.
    var replay: String {
        guard finding.violation.cause.judge == Cause.against else {
            return Self.replay(path, options, seed: finding.seed)
        }
        return Self.comparison(path, options, seed: finding.seed)
    }

    /// Returns the command that compares the exploration's two clients in a scenario file.
    static func comparison(_ path: String, _ options: ExploreOptions, seed: Seed) -> String {
        let command = "squall explore compare \(ShellWord.quoted(path))"
        let words = [command] + options.clientOptions + options.comparedOptions
        return (words + options.defects.map { "--defect \($0)" } + ["--seed \(seed.value)"]).joined(separator: " ")
    }

    /// Returns the command that runs a scenario file with the exploration's client and defects.
    static func replay(_ path: String, _ options: ExploreOptions, seed: Seed) -> String {
        let isInBoth = options.isInBothWorlds
        let world = options.client == .reference ? [isInBoth ? "--world both" : "--world sim"] : options.clientOptions
        let defects = options.defects.map { "--defect \($0)" }
        let command = "squall run \(ShellWord.quoted(path))"
        return ([command] + world + defects + ["--seed \(seed.value)"]).joined(separator: " ")
    }
}
