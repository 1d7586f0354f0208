import Reports
import ScenarioModel
import Squall
import SquallCore
import TemporalLogic
import Trace

/// The result of one case: the verdict, the results of the case's parts, and the trace on which they are based.
public struct ScenarioResult: Sendable {
    let run: CaseResult
    let origin: ScenarioCase.Origin

    init(_ run: CaseResult, origin: ScenarioCase.Origin) {
        self.run = run
        self.origin = origin
    }

    /// The worst verdict among the case's parts, where fail is worse than inconclusive and inconclusive worse than
    /// pass; skipped if all parts were skipped.
    public var verdict: ScenarioVerdict { ScenarioVerdict(run.verdict) }
    /// The scenario's name, followed by the name of the case if the scenario has several cases.
    public var title: String { run.title }
    /// The name of the client that was tested; `reference` for Squall's own client.
    public var client: String { run.client }
    /// The seed of the run.
    public var seed: UInt64 { run.seed.value }
    /// The duration of the run on its simulated clock.
    public var played: Duration { Duration(run.simulated) }
    /// The results of the case's parts, in file order, followed by the standing invariants (those that hold for every
    /// scenario) that were violated or inconclusive.
    public var parts: [Part] { run.expectations.map { Part($0) } }
    /// The trace of the run.
    public var trace: ScenarioTrace { ScenarioTrace(run.recording) }

    /// The text that `squall run` prints: the expectation and its deadline, the observed behaviour, the last fault,
    /// other failures, the surrounding events, and the command that repeats the run. If the case passed, the text is
    /// only the title; if it was skipped, the text is the reason.
    public var message: String {
        TerminalReport(colour: false).story(of: run)
    }

    /// The result of one expectation, wait or invariant in the case.
    public struct Part: Hashable, Sendable {
        /// The path of the scenario file, as shown in messages.
        public let file: String
        /// The line, counted from 1, on which the expectation, wait or invariant begins.
        public let line: Int
        /// The column, counted from 1, at which the expectation, wait or invariant begins.
        public let column: Int
        /// The operator (`eventually`, `delivered`, …), `wait` for a step of the script, or `invariant` with its name.
        public let word: String
        /// The name that the scenario's author gave the part; nil if it has none.
        public let name: String?
        /// The audit rows (requirements) that the expectation covers.
        public let covers: [String]
        /// The verdict of this part.
        public let verdict: ScenarioVerdict
        /// A description of the expectation, its deadline and the observed behaviour; nil if the part passed.
        public let why: String?

        init(_ part: ExpectationResult) {
            file = part.location.file
            line = part.location.line
            column = part.location.column
            word = part.word
            name = part.name
            covers = part.covers
            verdict = ScenarioVerdict(part.verdict)
            why = part.why
        }
    }
}

extension ScenarioResult: CustomStringConvertible {
    /// The verdict, followed by the ``message``.
    public var description: String { "\(verdict.rawValue): \(message)" }
}

extension ScenarioResult {
    /// The part (expectation, wait or invariant) that determined the verdict; nil if there is none.
    var cause: ExpectationResult? {
        if let cause = CauseLine(of: run) { return run.expectations[cause.expectation] }
        return run.expectations.first { ScenarioVerdict($0.verdict) == verdict }
    }
}
