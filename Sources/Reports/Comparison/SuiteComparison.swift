package import ScenarioModel
package import SquallCore

/// The changes between two runs of a suite, as reported by `squall compare`.
package struct SuiteComparison: Sendable {
    package private(set) var old: SuiteResult
    package private(set) var new: SuiteResult
    /// The cases, ordered by kind of change, as in ``CaseChange``, and then as in the new suite.
    package var cases: [ComparedCase]
    /// Notes on differences between the two suites other than in the client's behaviour, such as different seeds.
    package private(set) var notes: [String]

    /// Compares the verdicts and durations of two suites. The points at which their traces diverge are added later.
    package init(from old: SuiteResult, to new: SuiteResult) {
        self.old = old
        self.new = new
        notes = Self.notes(old, new)
        cases = []
        let (before, after) = (Self.places(of: old), Self.places(of: new))
        let isCutShort = new.unplayed > 0
        let order = after.order + before.order.filter { after.runs[$0] == nil }
        var found: [(place: Int, compared: ComparedCase)] = []
        for place in order {
            let compared = Self.compared(place, before.runs[place], after.runs[place], isCutShort: isCutShort)
            // If a case changed in the same way in both worlds (simulated and live), the worlds share an entry.
            if let same = found.firstIndex(where: {
                $0.compared.key == place.key && $0.compared.change == compared.change
            }) {
                found[same].compared.worlds.append(place.world)
            } else {
                found.append((found.count, compared))
            }
        }
        let ranks = Dictionary(uniqueKeysWithValues: zip(CaseChange.allCases, 0...))
        cases =
            found
            .sorted { (ranks[$0.compared.change] ?? 0, $0.place) < (ranks[$1.compared.change] ?? 0, $1.place) }
            .map(\.compared)
    }

    package func cases(_ change: CaseChange) -> [ComparedCase] { cases.filter { $0.change == change } }

    /// Returns the number of cases that have the given kind of change in at least one world.
    package func count(_ change: CaseChange) -> Int { Set(cases(change).map(\.key)).count }

    /// The number of distinct cases in both suites.
    package var caseCount: Int { Set(cases.map(\.key)).count }

    /// The exit status: 1 if a case newly fails; otherwise 2 if a case has become inconclusive; otherwise 0.
    package var exitStatus: ExitStatus {
        if count(.newlyFailing) > 0 { return .failed }
        return count(.newlyInconclusive) > 0 ? .inconclusive : .passed
    }

    // MARK: - Comparing a case

    private struct Place: Hashable {
        var key: CaseKey
        var world: World
    }

    private static func places(of suite: SuiteResult) -> (order: [Place], runs: [Place: [CaseResult]]) {
        var order: [Place] = []
        var runs: [Place: [CaseResult]] = [:]
        for run in suite.runs {
            let place = Place(key: run.key, world: run.world)
            if runs[place] == nil { order.append(place) }
            runs[place, default: []].append(run)
        }
        return (order, runs)
    }

    private static func compared(
        _ place: Place,
        _ old: [CaseResult]?,
        _ new: [CaseResult]?,
        isCutShort: Bool
    ) -> ComparedCase {
        let after = new.flatMap { side(of: $0, like: nil) }
        let before = old.flatMap { side(of: $0, like: after?.run) }
        var change = change(from: before?.verdict, to: after?.verdict, isCutShort: isCutShort)
        var slowdown: Slowdown?
        if change == .unchanged, let old, let new {
            if after?.verdict == .pass { slowdown = Slowdown(from: old, to: new) }
            if slowdown != nil {
                change = .slower
            } else if place.world == .sim, isOtherwise(old, new) {
                change = .otherTrace
            }
        }
        return ComparedCase(
            key: place.key,
            worlds: [place.world],
            change: change,
            old: before,
            new: after,
            slowdown: slowdown
        )
    }

    /// Returns the runs of a case in one suite and world. The example run is the first run with the worst verdict,
    /// preferably a run with the seed of `model`.
    private static func side(of runs: [CaseResult], like model: CaseResult?) -> ComparedCase.Side? {
        guard let worst = runs.map(\.verdict).max(by: { $0.severity < $1.severity }) else { return nil }
        let those = runs.filter { $0.verdict == worst }
        guard let run = those.first(where: { $0.seed == model?.seed }) ?? those.first else { return nil }
        return ComparedCase.Side(run: run, count: those.count, total: runs.count)
    }

    private static func change(from old: CaseVerdict?, to new: CaseVerdict?, isCutShort: Bool) -> CaseChange {
        guard let new else { return isCutShort ? .notPlayed : .removed }
        switch new {
        case .fail: return old == .fail ? .stillFailing : .newlyFailing
        case .inconclusive: return old == .inconclusive ? .stillInconclusive : .newlyInconclusive
        case .flaky: return old == .flaky ? .stillFlaky : .newlyFlaky
        case .pass, .skipped, .knownFailure: break
        }
        guard let old else { return .added }
        if old == new { return .unchanged }
        return new == .pass && [.fail, .inconclusive, .flaky].contains(old) ? .newlyPassing : .otherVerdict
    }

    /// Returns whether a run in the old suite and a run in the new suite have the same seed but different trace
    /// digests.
    private static func isOtherwise(_ old: [CaseResult], _ new: [CaseResult]) -> Bool {
        let digests = Dictionary(old.map { ($0.seed, $0.digest) }) { first, _ in first }
        return new.contains { run in digests[run.seed].map { $0 != run.digest } ?? false }
    }

    // MARK: - Comparing the suites' origins

    private static func notes(_ old: SuiteResult, _ new: SuiteResult) -> [String] {
        var notes: [String] = []
        if let before = old.origin, let after = new.origin {
            for (old, new) in zip(before.facts, after.facts) where old.value != new.value {
                notes.append("\(new.name): \(old.value) in the old report, \(new.value) in the new one")
            }
            if before.suite != after.suite { notes.append("the selected cases or their files differ") }
            // Both dates are in ISO 8601 and UTC, so they can be compared as strings.
            if before.date > after.date {
                notes.append("the old report is more recent than the new one; are they swapped?")
            }
        }
        for (name, suite) in [("old", old), ("new", new)] {
            if let shortfall = suite.stopDescription { notes.append("the \(name) report: \(shortfall)") }
        }
        return notes
    }
}
