import Reports
import ScenarioModel
import Squall
import SquallCore
import TemporalLogic
import Trace

/// The result of one case: the verdict, its parts, and the trace from which they were judged.
public struct ScenarioResult: Sendable {
    let run: CaseResult
    let origin: ScenarioCase.Origin

    init(_ run: CaseResult, origin: ScenarioCase.Origin) {
        self.run = run
        self.origin = origin
    }

    /// The worst verdict of the case's parts, in the order fail, inconclusive, pass; skipped if all parts were skipped.
    public var verdict: ScenarioVerdict { ScenarioVerdict(run.verdict) }
    /// The scenario's name, followed by the name of the case if there are several.
    public var title: String { run.title }
    /// The name of the client that was judged; `reference` for Squall's own.
    public var client: String { run.client }
    /// The seed of the run.
    public var seed: UInt64 { run.seed.value }
    /// The length of the run on the run's simulated clock.
    public var played: Duration { Duration(run.simulated) }
    /// The parts that were judged or skipped, in the order of the file, and the standing invariants that were broken or
    /// inconclusive.
    public var parts: [Part] { run.expectations.map { Part($0) } }
    /// The trace of the run.
    public var trace: ScenarioTrace { ScenarioTrace(run.recording) }

    /// The text that `squall run` prints: what was expected and by when, what happened instead, the last fault, other
    /// failures, the surrounding events, and the command that repeats the run. For a case that passed it is only the
    /// title, for a skipped one the reason.
    public var message: String {
        TerminalReport(colour: false).story(of: run)
    }

    /// The result of one expectation, wait or invariant of the case.
    public struct Part: Hashable, Sendable {
        /// The path of the scenario file, as shown in messages.
        public let file: String
        /// The line of the part in the file, from 1.
        public let line: Int
        /// The column of the part in the line, from 1.
        public let column: Int
        /// The operator (`eventually`, `delivered`, …), `wait` for a step of the script, or `invariant` with its name.
        public let word: String
        /// The name that the scenario's author gave the part; nil if it has none.
        public let name: String?
        /// The audit rows that the part covers.
        public let covers: [String]
        /// The verdict of this part.
        public let verdict: ScenarioVerdict
        /// The expectation, its deadline, and what happened instead; nil if the part passed.
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
    /// The verdict, then the ``message``.
    public var description: String { "\(verdict.rawValue): \(message)" }
}

extension ScenarioResult {
    /// The part that determined the verdict; nil if there is none.
    var cause: ExpectationResult? {
        if let cause = CauseLine(of: run) { return run.expectations[cause.expectation] }
        return run.expectations.first { ScenarioVerdict($0.verdict) == verdict }
    }
}
