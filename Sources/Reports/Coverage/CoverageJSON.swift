package import ScenarioModel
package import SquallCore
import TemporalLogic

/// Renders coverage as JSON (schema 1), as printed by `coverage --format json`.
package enum CoverageJSON {
    package static func render(_ result: CoverageResult) -> JSON {
        [
            "schema": 1,
            "worlds": .array(result.worlds.map { .string($0.rawValue) }),
            "rows": [
                "total": count(result.rows),
                "testable": count(result.testable),
                "proven": count(result.proven),
                "tested": count(result.tested),
                "conformant": count(result.conformant),
                "unverified": names(result.unverified.map(\.row.id)),
                "unproven": .array(result.unproven.map(unproven)),
                "killed": .object(
                    RowStatus.Kill.allCases.map { kill in
                        JSONMember(kill.rawValue, names(result.proven(killed: kill).map(\.row.id)))
                    }
                ),
            ],
            "defects": [
                "total": count(result.built),
                "killed": count(result.killed),
                "survivors": names(result.survivors.map(\.name)),
                "not_built": names(result.notBuilt.map(\.name)),
            ],
            "unprovable_expectations": .array(result.unprovable.map(weak)),
            "unbroken_expectations": .array(result.unbroken.map(weak)),
        ]
    }

    private static func weak(_ expectation: CoverageResult.Weak) -> JSON {
        [
            "file": .string(expectation.location.file),
            "line": .integer(Int64(expectation.location.line)),
            "word": .string(expectation.word),
            "case": .string(expectation.title),
            "covers": names(expectation.covers),
        ]
    }

    private static func unproven(_ status: RowStatus) -> JSON {
        [
            "id": .string(status.row.id),
            "title": .string(status.row.title),
            "why": .string(status.reasons.map(String.init(describing:)).joined(separator: "; ")),
            "defects": names(status.row.defects),
            "asserts": names(status.row.asserts.map(String.init(describing:))),
            "covered_at": names(status.coveredAt.map(String.init(describing:))),
        ]
    }

    private static func count(_ items: [some Any]) -> JSON { .integer(Int64(items.count)) }

    private static func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
}
