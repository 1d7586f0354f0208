import ScenarioModel
import SquallCore
import TemporalLogic

/// The JSON of a suite for the page's script: the list of cases, the full data of the runs, and the scenario files.
struct SuiteData {
    /// The list of cases. Each run refers to its full data in ``pages`` by index.
    private(set) var index: JSON
    /// The full data of the runs.
    private(set) var pages = PageChunks()
    /// The contents of the scenario files, keyed by file name.
    private(set) var sources: JSON

    init(
        _ suite: SuiteResult,
        sources: [String: String],
        title: String,
        command: String,
        trace: (CaseResult) -> String?
    ) {
        var runs: [JSON] = []
        var cases: [JSON] = []
        var files = Interner<String>()
        var places: [CaseKey: Place] = [:]
        let passingLimit = EventSelection.passingLimit(runCount: suite.runs.count)
        for group in suite.groups {
            guard let first = group.runs.first else { continue }
            var numbers: [JSON] = []
            places[group.key] = Place(index: cases.count, firstRun: runs.count)
            for report in group.reports {
                let isSuspect =
                    report.runs.contains { $0.verdict == .fail } || report.parity.map { $0 != .equal } == true
                for (place, run) in report.runs.enumerated() {
                    let isRepeated =
                        (report.parity ?? .equal) == .equal
                        && report.runs[..<place].contains { $0.verdict == run.verdict }
                    let data = RunData(
                        run,
                        passingLimit: isSuspect ? nil : passingLimit,
                        failingLimit: isRepeated ? EventSelection.repeatedLimit(runCount: suite.runs.count) : nil
                    )
                    numbers.append(.integer(Int64(runs.count)))
                    // If the simulated and the live run agree, they share an entry in the list. The entry shows only
                    // the first run's ribbon (`strip`), a bar that shows the connection states over time.
                    runs.append(data.summary(hasStrip: place == 0 || report.parity != .equal))
                    pages.append(data.page(command: command, trace: trace(run)))
                }
            }
            _ = files.number(of: first.file)
            cases.append([
                "file": .string(first.file), "title": .string(first.title), "runs": .array(numbers),
                "tags": .array(first.tags.map { .string($0) }),
                "covers": .array(Self.rows(of: group).map { .string($0) }),
                "parity": Self.parity(of: group).map(Self.json) ?? .null,
            ])
        }
        let texts = files.values.compactMap { file in sources[file].map { JSONMember(file, .string($0)) } }
        index = [
            "title": .string(title),
            "status": .integer(Int64(suite.exitStatus.code)),
            "origin": suite.origin.map(OriginJSON.encode) ?? .null,
            "shortfall": suite.stopDescription.map { .string($0) } ?? .null,
            "stale": .array(
                suite.staleKnownFailures.map {
                    ["place": .string("\($0.location)"), "why": .string($0.why ?? $0.word)]
                }
            ),
            "wall": .integer(suite.wall.nanoseconds),
            "totals": .object(CaseVerdict.allCases.map { JSONMember($0.rawValue, .integer(Int64(suite.count($0)))) }),
            "parity": [
                "compared": .integer(Int64(suite.parity.compared)), "equal": .integer(Int64(suite.parity.equal)),
                "schedule_dependent": .integer(Int64(suite.parity.scheduleDependent)),
                "differs": .integer(Int64(suite.parity.differs)),
            ],
            "causes": .array(Self.causes(of: suite, places)),
            "cases": .array(cases),
            "runs": .array(runs),
        ]
        self.sources = .object(texts)
    }

    /// The position of a case in the list: its index, and the index of its first run.
    private struct Place {
        var index: Int
        var firstRun: Int
    }

    /// Returns the causes of failure with the affected cases, which are identified by their positions in the list
    /// (`places`). The cause with the most cases comes first.
    private static func causes(of suite: SuiteResult, _ places: [CaseKey: Place]) -> [JSON] {
        CauseGroup.all(of: suite, with: [.fail, .inconclusive, .flaky]).compactMap { cause in
            guard let first = cause.failures.first, let place = places[first.run.key] else { return nil }
            let number = first.group.runs.firstIndex { $0.world == first.run.world && $0.seed == first.run.seed } ?? 0
            return [
                "heading": .string(cause.heading),
                "verdict": .string(first.run.verdict.rawValue),
                "why": .string(first.run.cause?.why ?? cause.heading),
                "count": .integer(Int64(cause.runCount)),
                "run": .integer(Int64(place.firstRun + number)),
                "cases": .array(cause.failures.compactMap { places[$0.run.key].map { .integer(Int64($0.index)) } }),
            ]
        }
    }

    /// Returns the audit rows (requirements) that the case covers, without duplicates.
    private static func rows(of group: CaseGroup) -> [String] {
        var known: Set<String> = []
        return group.runs.flatMap { $0.expectations.flatMap(\.covers) }.filter { known.insert($0).inserted }
    }

    /// Returns the result of comparing the simulated and the live runs of a case. If the case was run with several
    /// seeds, returns the result with the greatest difference.
    private static func parity(of group: CaseGroup) -> WorldComparison? {
        let all = group.reports.compactMap(\.parity)
        return all.first { if case .differs = $0 { true } else { false } }
            ?? all.first { $0 != .equal } ?? all.first
    }

    private static func json(_ parity: WorldComparison) -> JSON {
        switch parity {
        case .equal: ["word": "equal"]
        case .scheduleDependent(let how): ["word": "schedule_dependent", "how": .string(how)]
        case .differs(let how): ["word": "differs", "how": .string(how)]
        }
    }
}
