import SquallCore

/// The identity of a case in results: its file, and its name in a `with` table (nil if there is no table).
package struct CaseKey: Hashable, Sendable {
    package var file: String
    package var variant: String?

    package init(file: String, variant: String?) {
        self.file = file
        self.variant = variant
    }
}

extension CaseResult {
    package var key: CaseKey { CaseKey(file: file, variant: variant) }
}

extension Scenario {
    package var caseKey: CaseKey { CaseKey(file: file, variant: variant) }

    /// The scenario's name, followed in parentheses by the case of the `with` table, if there is a table.
    package var title: String { variant.map { "\(name) (\($0))" } ?? name }
}

/// One case of a suite with all of its runs: one for each seed and world.
package struct CaseGroup: Sendable {
    package var key: CaseKey
    /// The case's reports, one per seed, in the order in which the seeds were run; never empty.
    package var reports: [CaseReport]

    package var runs: [CaseResult] { reports.flatMap(\.runs) }

    /// The worst verdict of the runs.
    package var verdict: CaseVerdict {
        runs.map(\.verdict).max { $0.severity < $1.severity } ?? .skipped
    }

    /// The runs that failed or are inconclusive.
    package var badRuns: [CaseResult] { runs.filter { $0.verdict == .fail || $0.verdict == .inconclusive } }

    /// Whether the case was run with more than one seed.
    package var hasSeveralSeeds: Bool { Set(runs.map(\.seed)).count > 1 }

    /// Returns the seeds of the runs that have this verdict in one world (simulated or live).
    package func seeds(in world: World, with verdict: CaseVerdict) -> [UInt64] {
        runs.filter { $0.world == world && $0.verdict == verdict }.map(\.seed.value)
    }
}

extension SuiteResult {
    /// The cases, each with its runs for all seeds, ordered by each case's first run.
    package var groups: [CaseGroup] {
        var groups: [CaseGroup] = []
        var places: [CaseKey: Int] = [:]
        for report in cases {
            guard let key = report.runs.first?.key else { continue }
            if let place = places[key] {
                groups[place].reports.append(report)
            } else {
                places[key] = groups.count
                groups.append(CaseGroup(key: key, reports: [report]))
            }
        }
        return groups
    }
}

extension CaseVerdict {
    /// The rank of the verdict by severity. The verdict on a group of runs is the most severe verdict of any run.
    package var severity: Int {
        switch self {
        case .skipped: 0
        case .pass: 1
        case .knownFailure: 2
        case .flaky: 3
        case .inconclusive: 4
        case .fail: 5
        }
    }
}
