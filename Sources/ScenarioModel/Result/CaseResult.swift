package import SquallCore
package import TemporalLogic
package import Trace

/// Which of the two worlds played a run.
package enum World: String, Hashable, Sendable, CaseIterable {
    case sim, live
}

/// What a run, or one part of it, comes to in a report.
package enum CaseVerdict: String, Hashable, Sendable, CaseIterable {
    case pass, fail, inconclusive, skipped
    case knownFailure = "known_failure"

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

/// One expectation or invariant as a report shows it.
package struct ExpectationResult: Hashable, Sendable {
    package var location: SourceLocation
    /// `eventually`, `delivered`, …, `wait` for the script's own, or an invariant's name.
    package var word: String
    /// What its author calls it: a sentence for reports.
    package var name: String?
    package var covers: [String]
    package var verdict: CaseVerdict
    /// For everything but a pass: what was due, by when, and what was the case instead.
    package var why: String?
    /// The trace events that decided it, by index.
    package var evidence: [Int]
    /// The instant by which it was due, tolerance included; nil where no bound was missed.
    package var expectedBy: Instant?

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

    /// What a line of a report begins with: `eventually`, or `It arrives in time (eventually)`.
    package var heading: String {
        guard let name else { return word }
        return "\(name.split(whereSeparator: \.isNewline).joined(separator: " ")) (\(word))"
    }
}

/// What became of one case in one world, as every report tells it.
package struct CaseResult: Sendable {
    package var file: String
    package var name: String
    package var variant: String?
    /// What the case can be selected by.
    package var tags: [String]
    package var world: World
    package var client: String
    /// What the command needs to play it with the same client: empty for Squall's own.
    package var clientOptions: [String] = []
    /// How it is played again, where no command can; nil where one can.
    package var replay: String?
    package var profile: String
    /// Whether somebody asked for the profile in place of the scenario's own.
    package var isProfileForced: Bool
    package var seed: Seed
    package var verdict: CaseVerdict
    /// How long the run was on its own clock.
    package var simulated: TimeSpan
    /// How long it took.
    package var wall: TimeSpan
    package var digest: String
    package var expectations: [ExpectationResult]
    package var recording: Recording
    package var tolerance: Tolerance
    /// Its packets, where they were wanted and could be seen.
    package var capture: RunCapture?
    /// False for one that was skipped as a whole, which has no trace.
    package var wasPlayed: Bool { !digest.isEmpty }

    /// Judges a finished run as a whole: the worst of its parts, in the order fail, inconclusive, pass.
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
            // In the order of the file, what was skipped among the rest; the script's own and the invariants stay in front.
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
        if plan.clock != .sim, !isInterrupted { excuse("the event loop was", late: result.lateness) }
    }

    /// Takes what did not pass for nothing where whatever a run needs was late beyond its tolerance.
    package mutating func excuse(_ whatWas: String, late lateness: TimeSpan) {
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
                    + "allowed: this machine was too busy to judge by",
                evidence: []
            ),
            at: 0
        )
    }

    private static func overall(_ parts: [ExpectationResult]) -> CaseVerdict {
        if parts.contains(where: { $0.verdict == .fail }) { return .fail }
        if parts.contains(where: { $0.verdict == .inconclusive }) { return .inconclusive }
        // Of a client that shows none of what is expected nothing was proven; where a script is all there is, it was played.
        let written = parts.filter { !$0.isInvariant }
        if !written.isEmpty, written.allSatisfy({ $0.verdict == .skipped }) { return .skipped }
        return .pass
    }

    /// Whether the machine, and not the client, may be why it does not pass.
    package var cameTooLate: Bool { verdict == .inconclusive && expectations.contains { $0.word == "lateness" } }

    /// The part that was violated first: what the case's line in a report tells.
    ///
    /// What ended the run itself, or kept its server from it, explains everything else.
    package var cause: ExpectationResult? {
        expectations.first { ["run", "upstream"].contains($0.word) && $0.verdict != .pass } ?? first(.fail)
            ?? first(.inconclusive)
    }

    private func first(_ verdict: CaseVerdict) -> ExpectationResult? {
        var found: ExpectationResult?
        for part in expectations where part.verdict == verdict {
            if let earlier = found, divergenceTime(of: earlier) <= divergenceTime(of: part) { continue }
            found = part
        }
        return found
    }

    /// When a run parted from what was expected of it: what was due by, or the event that shows it, or the run's end.
    package func divergenceTime(of part: ExpectationResult) -> Instant {
        let events = recording.events
        // What is lost is so at the end, whenever it was sent.
        if part.word == "delivered", part.expectedBy == nil { return recording.end }
        let shown = part.evidence.last { events.indices.contains($0) }.map { events[$0].time }
        return part.expectedBy ?? shown ?? recording.end
    }

    /// Whether something other than the scenario ended it.
    package var wasCutShort: Bool { expectations.contains { $0.word == "run" && $0.verdict != .pass } }

    /// How many of its parts could not be judged.
    package var skippedCount: Int { expectations.count { $0.verdict == .skipped } }

    /// Name and case, as one title.
    package var title: String {
        variant.map { "\(name) (\($0))" } ?? name
    }
}

extension ExpectationResult {
    /// What the end of a run has to say itself; nil where its script simply ended.
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
            case .anchorNeverCame(let location, let what):
                self.init("at", .inconclusive, at: location, "\(what) never happened, and this step waits for it")
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
