import ScenarioModel
package import SquallCore
import Trace

/// Renders a comparison as JSON (schema 1), as printed by `squall compare --format json`.
package enum ComparisonJSON {
    package static func render(_ comparison: SuiteComparison, old: String, new: String) -> JSON {
        [
            "schema": 1,
            "old": origin(comparison.old, report: old),
            "new": origin(comparison.new, report: new),
            "notes": .array(comparison.notes.map { .string($0) }),
            "totals": .object(
                CaseChange.allCases.map { JSONMember($0.rawValue, .integer(Int64(comparison.count($0)))) }
            ),
            "cases": .array(comparison.cases.filter { $0.change != .unchanged }.map(compared)),
        ]
    }

    static func origin(_ suite: SuiteResult, report: String) -> JSON {
        ["report": .string(report), "run": suite.origin.map(OriginJSON.encode) ?? .null]
    }

    private static func compared(_ item: ComparedCase) -> JSON {
        var json: JSON = [
            "file": .string(item.key.file),
            "case": item.key.variant.map { .string($0) } ?? .null,
            "name": .string((item.new ?? item.old)?.run.name ?? ""),
            "worlds": .array(item.worlds.map { .string($0.rawValue) }),
            "change": .string(item.change.rawValue),
            "old": item.old.map(side) ?? .null,
            "new": item.new.map(side) ?? .null,
        ]
        if item.hasOtherCause { json.set("other_cause", to: true) }
        if let slowdown = item.slowdown {
            json.set(
                "slower",
                to: [
                    "clock": .string(slowdown.isOfRun ? "run" : "real"),
                    "old_ns": .integer(slowdown.old.nanoseconds), "new_ns": .integer(slowdown.new.nanoseconds),
                ]
            )
        }
        if let divergence = item.divergence { json.set("divergence", to: self.divergence(divergence)) }
        return json
    }

    private static func side(_ side: ComparedCase.Side) -> JSON {
        var json: JSON = [
            "verdict": .string(side.verdict.rawValue),
            "runs": .integer(Int64(side.count)),
            "of": .integer(Int64(side.total)),
            "seed": JSON(unsigned: side.run.seed.value),
            "digest": .string(side.run.digest),
        ]
        if let cause = CauseLine(of: side.run) { json.set("cause", to: .string(cause.located(in: side.run))) }
        return json
    }

    private static func divergence(_ divergence: TraceDivergence) -> JSON {
        [
            "time_ns": .integer(divergence.time.nanoseconds),
            "old_event": divergence.left.map { .integer(Int64($0)) } ?? .null,
            "new_event": divergence.right.map { .integer(Int64($0)) } ?? .null,
            "what": .string(divergence.summary),
        ]
    }
}
