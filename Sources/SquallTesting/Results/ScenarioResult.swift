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

    /// The worst of its parts, in the order fail, inconclusive, pass; skipped where all were.
    public var verdict: ScenarioVerdict { ScenarioVerdict(run.verdict) }
    /// Name and case.
    public var title: String { run.title }
    /// Who was judged: `reference`, or the client's own name.
    public var client: String { run.client }
    /// The seed of the run.
    public var seed: UInt64 { run.seed.value }
    /// How long the run was on its own clock.
    public var played: Duration { Duration(run.simulated) }
    /// All that was judged or skipped, in the order of the file; standing invariants only where they were broken or said nothing.
    public var parts: [Part] { run.expectations.map { Part($0) } }
    /// Everything that was seen of the run.
    public var trace: ScenarioTrace { ScenarioTrace(run.recording) }

    /// What the command prints of it: what was due and when, what was the case instead, the last fault, what was broken besides, what went on
    /// around it, and how it is played again. For a case that passed, its title alone; for a skipped one the reason.
    public var message: String {
        TerminalReport(colour: false).story(of: run)
    }

    /// One expectation, wait or invariant.
    public struct Part: Hashable, Sendable {
        /// Where it stands, as messages name it.
        public let file: String
        /// From 1.
        public let line: Int
        /// From 1.
        public let column: Int
        /// `eventually`, `delivered`, …, `wait` for the script's own, or `invariant` and its name.
        public let word: String
        /// What its author calls it.
        public let name: String?
        /// The audit rows that it covers.
        public let covers: [String]
        /// The verdict of this part.
        public let verdict: ScenarioVerdict
        /// For everything but a pass: what was due, by when, and what was the case instead.
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
    /// What leads the story.
    var cause: ExpectationResult? {
        if let cause = CauseLine(of: run) { return run.expectations[cause.expectation] }
        return run.expectations.first { ScenarioVerdict($0.verdict) == verdict }
    }
}
