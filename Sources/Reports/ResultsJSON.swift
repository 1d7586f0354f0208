package import Foundations
package import ScenarioModel
import TemporalLogic

/// A suite's results as `run --format json` prints them, schema 1.
package enum ResultsJSON {
    package static func render(_ suite: SuiteResult) -> JSON {
        [
            "schema": 1,
            "scenarios": .array(suite.runs.map(scenario)),
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
    }

    private static func scenario(_ run: CaseResult) -> JSON {
        var json: JSON = [
            "file": .string(run.file),
            "name": .string(run.name),
            "case": run.variant.map { .string($0) } ?? .null,
            "world": .string(run.world.rawValue),
            "client": .string(run.client),
            "profile": .string(run.profile),
            "seed": .integer(Int64(bitPattern: run.seed.value)),
            "verdict": .string(run.verdict.rawValue),
            "virtual_ns": .integer(run.simulated.nanoseconds),
            "wall_ns": .integer(run.wall.nanoseconds),
            "digest": .string(run.digest),
            "skipped_parts": .integer(Int64(run.skippedCount)),
            "expectations": .array(run.expectations.map(expectation)),
        ]
        if let cause = run.cause {
            json.set("cause", to: .string("\(cause.location): \(cause.why ?? cause.word)"))
        }
        return json
    }

    private static func expectation(_ part: ExpectationResult) -> JSON {
        var json: JSON = [
            "line": .integer(Int64(part.location.line)),
            "word": .string(part.word),
            "covers": .array(part.covers.map { .string($0) }),
            "verdict": .string(part.verdict.rawValue),
        ]
        if let why = part.why { json.set("why", to: .string(why)) }
        return json
    }
}
