package import SquallCore
package import TemporalLogic
package import Trace

/// The environment in which a case is run: simulated, or live with real sockets.
package enum World: String, Hashable, Sendable, CaseIterable {
    case sim, live
}

/// The verdict on a run, or on a single check of a run, in reports.
package enum CaseVerdict: String, Hashable, Sendable, CaseIterable {
    case pass, fail, inconclusive, skipped
    case knownFailure = "known_failure"
    /// A live run failed and then passed when it was repeated with the same seed.
    case flaky

    package init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .pass: .pass
            case .fail: .fail
            case .inconclusive: .inconclusive
            case .skipped: .skipped
            }
    }
}

/// The result of one expectation, invariant or script step in a report.
package struct ExpectationResult: Hashable, Sendable {
    package var location: SourceLocation
    /// The keyword of the expectation (`eventually`, `delivered`, …); for other checks, `wait` if the check is a step
    /// of the script, or `invariant` followed by the invariant's name.
    package var word: String
    /// The name that the scenario's author gave the expectation, a sentence for reports; nil if the expectation has no
    /// name.
    package var name: String?
    package var covers: [String]
    package var verdict: CaseVerdict
    /// The reason for the verdict: the expected observation with its deadline, and what was observed instead; nil for a
    /// pass.
    package var why: String?
    /// The indices of the trace events that decided the verdict.
    package var evidence: [Int]
    /// The missed deadline, including the tolerance; nil if no deadline was missed.
    package var expectedBy: Instant?
    /// The values observed while waiting for the expected value, in order.
    package var seen: [ObservedValue] = []

    package init(
        location: SourceLocation,
        word: String,
        name: String? = nil,
        covers: [String],
        verdict: CaseVerdict,
        why: String?,
        evidence: [Int],
        expectedBy: Instant? = nil
    ) {
        self.location = location
        self.word = word
        self.name = name
        self.covers = covers
        self.verdict = verdict
        self.why = why
        self.evidence = evidence
        self.expectedBy = expectedBy
    }

    /// Describes the values observed while waiting for the expected value: `banner.text was null from 0.000, "Offline"
    /// from 5.012 (nearest), null from 10.002`; nil if no observable had more than one value.
    package var observedText: String? {
        let values = seen.filter { value in seen.contains { $0.subject == value.subject && $0 != value } }
        guard !values.isEmpty else { return nil }
        var subjects: [String] = []
        for value in values where !subjects.contains(value.subject) { subjects.append(value.subject) }
        return subjects.map { subject in
            let own = values.filter { $0.subject == subject }
            let nearest = own.firstIndex(where: \.isNearest)
            let shown = own.indices.filter { $0 < Self.maximumObserved || $0 == nearest || $0 == own.count - 1 }
            let words = shown.map { index in
                let mark = own[index].isNearest ? " (nearest)" : ""
                return "\(own[index].text) from \(own[index].since)\(mark)"
            }
            let rest = own.count > shown.count ? " and \(own.count - shown.count) more" : ""
            return "\(subject) was \(words.joined(separator: ", "))\(rest)"
        }.joined(separator: "; ")
    }

    /// The maximum number of an observable's values in a report line, not counting the nearest and the last value.
    private static let maximumObserved = 6

    /// The text with which the check's line in a report begins: `eventually`, or `It arrives in time (eventually)` if
    /// the expectation has a name.
    package var heading: String {
        guard let name else { return word }
        return "\(name.split(whereSeparator: \.isNewline).joined(separator: " ")) (\(word))"
    }
}

/// The result of one case in one world (simulated or live), from which all reports are generated.
package struct CaseResult: Sendable {
    package var file: String
    package var name: String
    package var variant: String?
    /// The tags by which the case can be selected.
    package var tags: [String]
    package var world: World
    package var client: String
    /// How many times the case was run before it passed, including the run that passed; 1 if it was not repeated.
    package var plays = 1
    /// The command-line options that select this client; empty for Squall's own client.
    package var clientOptions: [String] = []
    /// Instructions for repeating the run if no command can repeat it; nil if a command can.
    package var replay: String?
    package var profile: String
    /// Whether a profile specified on the command line replaced the one that the scenario names.
    package var isProfileForced: Bool
    package var seed: Seed
    package var verdict: CaseVerdict
    /// The reason in the list of known failures if the run is a known failure; otherwise nil.
    package var knownReason: String?
    /// The duration of the run on its own clock. In simulation, this is virtual time.
    package var simulated: TimeSpan
    /// The duration of the run in real time.
    package var wall: TimeSpan
    package var digest: String
    package var expectations: [ExpectationResult]
    package var recording: Recording
    /// Whether the recording contains all events. It is `false` if most events were dropped, or if the result was read
    /// from files without a trace.
    package var hasWholeTrace = true
    /// The metrics at the end of the run, as read from result files; nil if the result was not read from files.
    package var savedMetrics: JSON?
    package var tolerance: Tolerance
    /// The captured packets; nil if they were not requested or could not be captured.
    package var capture: RunCapture?
    /// Whether the case was run; a case that was skipped entirely has no trace.
    package var wasPlayed: Bool { !digest.isEmpty }

    /// Creates the result of a finished run. The verdict is the worst of its checks' verdicts, where fail is worse than
    /// inconclusive, and inconclusive is worse than pass.
    package init(_ result: RunResult, of plan: RunPlan, world: World, wall: TimeSpan) {
        file = plan.scenario.file
        name = plan.scenario.name
        variant = plan.scenario.variant
        tags = plan.scenario.tags
        self.world = world
        client = plan.client.name
        profile = plan.scenario.profile.name
        isProfileForced = plan.scenario.isProfileForced
        seed = plan.seed
        simulated = result.recording.end - .zero
        self.wall = wall
        digest = result.digest
        recording = result.recording
        tolerance = plan.tolerance
        expectations = result.judgements
        if let script = ExpectationResult(result.recording.ending, file: plan.scenario.file) {
            expectations.insert(script, at: 0)
        } else {
            expectations.insert(contentsOf: Self.unmet(result.recording, of: plan), at: 0)
        }
        if !plan.skipped.isEmpty {
            expectations += plan.skipped
            // Insert the skipped checks in file order. The script and the invariants are at line 1, so they stay first.
            expectations = expectations.enumerated()
                .sorted { ($0.element.location.line, $0.offset) < ($1.element.location.line, $1.offset) }
                .map(\.element)
        }
        let isInterrupted = result.recording.ending.isInterrupted
        verdict = isInterrupted ? .inconclusive : Self.overall(expectations)
        if verdict == .fail, let unreached = Self.unreached(result.recording, of: plan, expectations) {
            verdict = .inconclusive
            expectations.insert(unreached, at: 0)
        }
        if plan.clock != .sim, !isInterrupted { markInconclusive("the event loop was", late: result.lateness) }
    }

    /// Makes a run that did not pass inconclusive if a component of Squall was late by more than the tolerance.
    ///
    /// `whatWas` is the beginning of the message, such as `the event loop was`.
    package mutating func markInconclusive(_ whatWas: String, late lateness: TimeSpan) {
        let allowed = tolerance.fixed
        guard verdict == .fail || verdict == .inconclusive, lateness > allowed else { return }
        verdict = .inconclusive
        expectations.insert(
            ExpectationResult(
                location: SourceLocation(file: file, line: 1, column: 1),
                word: "lateness",
                covers: [],
                verdict: .inconclusive,
                why:
                    "\(whatWas) \(lateness.milliseconds) ms late, more than the \(allowed.milliseconds) ms "
                    + "allowed: the machine was too busy for a reliable verdict",
                evidence: []
            ),
            at: 0
        )
    }

    private static func overall(_ parts: [ExpectationResult]) -> CaseVerdict {
        if parts.contains(where: { $0.verdict == .fail }) { return .fail }
        if parts.contains(where: { $0.verdict == .inconclusive }) { return .inconclusive }
        // If all written expectations are skipped, the run has proven nothing. A scenario with only a script passes,
        // because its script was run.
        let written = parts.filter { !$0.isInvariant }
        if !written.isEmpty, written.allSatisfy({ $0.verdict == .skipped }) { return .skipped }
        return .pass
    }

    /// Whether the run is inconclusive because the machine, rather than the client, was too slow.
    package var isInvalidatedByLateness: Bool {
        verdict == .inconclusive && expectations.contains { $0.word == "lateness" }
    }

    /// The failed check that reports give as the reason for the verdict: the one that failed first.
    ///
    /// If the run was ended early or the upstream server could not be reached, the check that reports this takes
    /// precedence, because it explains all other failures.
    package var cause: ExpectationResult? {
        expectations.first { ["run", "upstream"].contains($0.word) && $0.verdict != .pass } ?? first(.fail)
            ?? first(.knownFailure) ?? first(.inconclusive)
    }

    private func first(_ verdict: CaseVerdict) -> ExpectationResult? {
        var found: ExpectationResult?
        for part in expectations where part.verdict == verdict {
            if let earlier = found, divergenceTime(of: earlier) <= divergenceTime(of: part) { continue }
            found = part
        }
        return found
    }

    /// Returns the instant at which a run diverged from an expectation: the missed deadline, the time of the event that
    /// decided the verdict, or the end of the run.
    package func divergenceTime(of part: ExpectationResult) -> Instant {
        let events = recording.events
        // A message counts as lost only at the end of the run, even if it was sent much earlier.
        if part.word == "delivered", part.expectedBy == nil { return recording.end }
        let shown = part.evidence.last { events.indices.contains($0) }.map { events[$0].time }
        return part.expectedBy ?? shown ?? recording.end
    }

    /// Whether the run ended early for a reason outside the scenario, such as an interruption.
    package var wasCutShort: Bool { expectations.contains { $0.word == "run" && $0.verdict != .pass } }

    /// The number of checks that could not be evaluated.
    package var skippedCount: Int { expectations.count { $0.verdict == .skipped } }

    /// The scenario's name, followed in parentheses by the case of the `with` table, if there is a table.
    package var title: String {
        variant.map { "\(name) (\($0))" } ?? name
    }
}

extension ExpectationResult {
    /// Creates a result for the outcome of a run's script; returns nil if the script ran to completion.
    package init?(_ ending: RunEnding, file: String) {
        let top = SourceLocation(file: file, line: 1, column: 1)
        if ending.isInterrupted {
            self.init("run", .inconclusive, at: top, "interrupted")
        } else if let reason = ending.abandoned {
            self.init("run", .fail, at: top, reason)
        } else {
            switch ending.script {
            case .finished: return nil
            case .stuck(let location, let why, let due): self.init("wait", .fail, at: location, why, by: due)
            case .unfinished(let location):
                self.init("script", .inconclusive, at: location, "the run ended before this step")
            case .anchorMissing(let location, let what):
                self.init("at", .inconclusive, at: location, "\(what) never happened, so this step was not played")
            }
        }
    }

    private init(
        _ word: String,
        _ verdict: CaseVerdict,
        at location: SourceLocation,
        _ why: String,
        by due: Instant? = nil
    ) {
        self.init(location: location, word: word, covers: [], verdict: verdict, why: why, evidence: [], expectedBy: due)
    }

    package init(_ expectation: Expectation, _ verdict: Verdict) {
        self.init(
            location: expectation.location,
            word: expectation.formula.word,
            name: expectation.name,
            covers: expectation.covers,
            verdict: CaseVerdict(verdict.outcome),
            why: verdict.outcome == .pass ? nil : verdict.reason.text,
            evidence: verdict.reason.events,
            expectedBy: verdict.outcome == .fail ? verdict.reason.expectedBy : nil
        )
        seen = verdict.outcome == .fail ? verdict.reason.seen : []
    }

    package init(_ invariant: InvariantVerdict, file: String) {
        self.init(
            location: SourceLocation(file: file, line: 1, column: 1),
            word: "invariant \(invariant.name.rawValue)",
            covers: [],
            verdict: CaseVerdict(invariant.verdict.outcome),
            why: invariant.verdict.outcome == .pass ? nil : invariant.verdict.reason.text,
            evidence: invariant.verdict.reason.events,
            expectedBy: invariant.verdict.outcome == .fail ? invariant.verdict.reason.expectedBy : nil
        )
    }
}
