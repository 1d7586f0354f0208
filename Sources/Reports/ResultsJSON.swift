package import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// Renders a suite's results as JSON (schema 1), as printed by `run --format json`.
package enum ResultsJSON {
    package static func render(_ suite: SuiteResult) -> JSON {
        var json: JSON = [
            "schema": 1,
            "interrupted": .bool(suite.stopReason != nil),
            "not_played": .integer(Int64(suite.unplayed)),
            "scenarios": .array(suite.cases.flatMap { report in report.runs.map { scenario($0, report.parity) } }),
            "totals": .object(
                CaseVerdict.allCases.map { JSONMember($0.rawValue, .integer(Int64(suite.count($0)))) }
            ),
            "parity": [
                "compared": .integer(Int64(suite.parity.compared)),
                "equal": .integer(Int64(suite.parity.equal)),
                "schedule_dependent": .integer(Int64(suite.parity.scheduleDependent)),
                "differs": .integer(Int64(suite.parity.differs)),
            ],
        ]
        if let origin = suite.origin { json.set("run", to: OriginJSON.encode(origin)) }
        json.set("wall_ns", to: .integer(suite.wall.nanoseconds))
        if let limit = suite.failureLimit { json.set("failure_limit", to: .integer(Int64(limit))) }
        if suite.isEmptyPart { json.set("empty_part", to: true) }
        if !suite.leftOut.isEmpty { json.set("left_out", to: .array(suite.leftOut.map { .string($0) })) }
        if let reason = suite.stopReason { json.set("broken_off_by", to: .string(reason.rawValue)) }
        if !suite.staleKnownFailures.isEmpty {
            let stale = suite.staleKnownFailures.map { part -> JSON in
                [
                    "file": .string(part.location.file), "line": .integer(Int64(part.location.line)),
                    "column": .integer(Int64(part.location.column)), "why": .string(part.why ?? part.word),
                ]
            }
            json.set("stale_known_failures", to: .array(stale))
        }
        return json
    }

    /// Renders a run on one line, as printed by `run --format jsonl`.
    package static func line(of run: CaseResult) -> String {
        var json: JSON = ["type": "run"]
        for member in scenario(run, nil).members ?? [] { json.set(member.name, to: member.value) }
        return String(decoding: json.encode(), as: UTF8.self)
    }

    /// Renders the results without the runs: the last line of `run --format jsonl`.
    package static func summary(of suite: SuiteResult) -> String {
        var json: JSON = ["type": "summary"]
        for member in render(suite).members ?? [] where member.name != "scenarios" {
            json.set(member.name, to: member.value)
        }
        json.set("exit_status", to: .integer(Int64(suite.exitStatus.code)))
        return String(decoding: json.encode(), as: UTF8.self)
    }

    private static func scenario(_ run: CaseResult, _ parity: WorldComparison?) -> JSON {
        var json: JSON = [
            "file": .string(run.file),
            "name": .string(run.name),
            "case": run.variant.map { .string($0) } ?? .null,
            "tags": .array(run.tags.map { .string($0) }),
            "world": .string(run.world.rawValue),
            "client": .string(run.client),
            "profile": .string(run.profile),
            "seed": JSON(unsigned: run.seed.value),
            "clock": .string(run.recording.header.clock.rawValue),
            "verdict": .string(run.verdict.rawValue),
            "virtual_ns": .integer(run.simulated.nanoseconds),
            "wall_ns": .integer(run.wall.nanoseconds),
            "digest": .string(run.digest),
            "skipped_parts": .integer(Int64(run.skippedCount)),
        ]
        if let capture = run.capture {
            json.set(
                "capture",
                to: [
                    "packets": .integer(Int64(capture.packets)), "dropped": .integer(Int64(capture.dropped)),
                    "left_out": .integer(Int64(capture.leftOut)),
                ]
            )
        }
        if run.isProfileForced { json.set("profile_forced", to: true) }
        if !run.clientOptions.isEmpty {
            json.set("client_options", to: .array(run.clientOptions.map { .string($0) }))
        }
        if let reason = run.knownReason { json.set("known_reason", to: .string(reason)) }
        if let replay = run.replay { json.set("replay", to: .string(replay)) }
        if run.tolerance.fixed > .zero { json.set("tolerance_ns", to: .integer(run.tolerance.fixed.nanoseconds)) }
        if run.plays > 1 { json.set("plays", to: .integer(Int64(run.plays))) }
        if let parity { json.set("parity", to: Self.parity(parity)) }
        if let metrics = FinalMetrics.json(of: run) { json.set("metrics", to: metrics) }
        let cause = CauseLine(of: run)
        let parts = run.expectations.enumerated().map { index, part in
            expectation(part, of: run, follows: cause?.followers.contains(index) ?? false)
        }
        json.set("expectations", to: .array(parts))
        if let cause { json.set("cause", to: .string(cause.located(in: run))) }
        return json
    }

    private static func parity(_ parity: WorldComparison) -> JSON {
        switch parity {
        case .equal: ["verdict": "equal"]
        case .scheduleDependent(let how): ["verdict": "schedule_dependent", "why": .string(how)]
        case .differs(let how): ["verdict": "differs", "why": .string(how)]
        }
    }

    private static func expectation(_ part: ExpectationResult, of run: CaseResult, follows: Bool) -> JSON {
        var json: JSON = [
            "line": .integer(Int64(part.location.line)),
            "column": .integer(Int64(part.location.column)),
            "word": .string(part.word),
            "covers": .array(part.covers.map { .string($0) }),
            "verdict": .string(part.verdict.rawValue),
        ]
        if let name = part.name { json.set("name", to: .string(name)) }
        if part.location.file != run.file { json.set("file", to: .string(part.location.file)) }
        if let why = part.why { json.set("why", to: .string(why)) }
        if !part.evidence.isEmpty {
            json.set("evidence", to: .array(part.evidence.map { .integer(Int64($0)) }))
        }
        if let due = part.expectedBy { json.set("expected_by_ns", to: .integer(due.nanoseconds)) }
        if !part.seen.isEmpty {
            let values = part.seen.map { value -> JSON in
                [
                    "subject": .string(value.subject), "value": .string(value.text),
                    "since_ns": .integer(value.since.nanoseconds), "event": .integer(Int64(value.event)),
                    "nearest": .bool(value.isNearest),
                ]
            }
            json.set("seen", to: .array(values))
        }
        if follows { json.set("follows_cause", to: .bool(true)) }
        return json
    }
}
