import ScenarioModel
import SquallCore
import TemporalLogic

/// A violated expectation of a scenario file, with all runs in which it was violated; seeds and worlds mostly repeat
/// the same violation.
struct Violation: Hashable, Sendable {
    var file: String
    var line: Int
    var title: String
    /// What was expected and what happened instead, in which runs, and the command that replays the first of them.
    var text: String

    /// All violations of a suite: differences of the worlds, failures, inconclusive expectations, stale known failures.
    static func all(of suite: SuiteResult) -> [Violation] {
        var order: [Key] = []
        var found: [Key: Found] = [:]
        // Failures come before expectations that could not be judged.
        for verdict in [CaseVerdict.fail, .inconclusive] {
            for run in suite.runs where run.verdict == verdict {
                let cause = CauseLine(of: run)
                for (place, part) in run.expectations.enumerated() where isShown(part, of: run, cause, at: place) {
                    let key = Key(location: part.location, heading: part.heading, title: run.title)
                    if found[key] == nil { order.append(key) }
                    found[key, default: Found(sentence: sentence(of: part, cause, at: place), first: run)].runs
                        .append("\(run.world.rawValue) seed \(run.seed.value)")
                }
            }
        }
        let differing = suite.differing.map { run, how in
            Violation(file: run.file, line: 1, title: run.title, text: how)
        }
        let stale = suite.staleKnownFailures.map { part in
            let (file, line) = (part.location.file, part.location.line)
            return Violation(file: file, line: line, title: part.word, text: part.why ?? part.word)
        }
        return differing + order.compactMap { key in found[key].map { violation(key, $0) } } + stale
    }

    private struct Key: Hashable {
        var location: SourceLocation
        var heading: String
        var title: String
    }

    private struct Found {
        var sentence: String
        var first: CaseResult
        var runs: [String] = []
    }

    /// The largest number of runs that are named.
    private static let named = 6

    private static func violation(_ key: Key, _ found: Found) -> Violation {
        var runs = found.runs.prefix(named).joined(separator: ", ")
        if found.runs.count > named { runs += " and \(found.runs.count - named) more" }
        let number = found.runs.count == 1 ? "1 run" : "\(found.runs.count) runs"
        return Violation(
            file: key.location.file,
            line: key.location.line,
            title: key.title,
            text: """
                \(found.sentence)
                in \(number): \(runs)
                replay: \(ReplayCommand.of(found.first, command: "squall run"))
                """
        )
    }

    /// Whether an expectation is listed: it has the verdict of its run, or is the cause of it.
    private static func isShown(_ part: ExpectationResult, of run: CaseResult, _ cause: CauseLine?, at place: Int)
        -> Bool
    {
        part.verdict == run.verdict || cause?.expectation == place
    }

    private static func sentence(of part: ExpectationResult, _ cause: CauseLine?, at place: Int) -> String {
        guard let cause else { return "\(part.heading): \(part.why ?? part.verdict.rawValue)" }
        if cause.expectation == place { return cause.sentence }
        let mark = cause.followers.contains(place) ? " (of the same cause as what failed first)" : ""
        return "\(part.heading): \(part.why ?? part.verdict.rawValue)\(mark)"
    }
}
