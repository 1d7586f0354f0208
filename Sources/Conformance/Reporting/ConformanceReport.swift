package import SquallCore

/// The results of a conformance run, with everything that the report formats need.
package struct ConformanceReport: Sendable {
    /// A case that was not run, with the reason.
    package struct Skipped: Hashable, Sendable {
        package var id: CaseID
        package var why: String

        package init(id: CaseID, why: String) {
            self.id = id
            self.why = why
        }
    }

    package let cases: [CaseID: CaseSummary]
    /// The results, grouped by agent and, within a group, in case order.
    package let results: [ConformanceResult]
    package let skipped: [Skipped]
    package let known: KnownCaseFailures
    /// Whether all selected cases were run or skipped; false if the run was interrupted.
    package let isWhole: Bool

    /// Each agent's name reduced to lower-case letters, digits and `_`, for file names and anchors.
    private let plainNames: [String: String]

    /// The message printed at the end of an interrupted run; nil if the run was complete.
    package var interruption: String? {
        guard !isWhole else { return nil }
        let played = Set(results.map(\.id)).union(skipped.map(\.id))
        return "interrupted: \(played.count) of \(cases.count) cases were played"
    }

    package init(
        _ cases: [CaseSummary],
        _ results: [ConformanceResult],
        skipped: [Skipped] = [],
        known: KnownCaseFailures = KnownCaseFailures(),
        isWhole: Bool = true
    ) {
        self.cases = Dictionary(cases.map { ($0.id, $0) }) { first, _ in first }
        self.results = results
        self.skipped = skipped
        self.known = known
        self.isWhole = isWhole
        plainNames = Self.plainNames(of: results)
    }

    /// Returns a unique plain name for each agent. Characters other than ASCII letters and digits are replaced by `_`,
    /// and a number is appended if the name is already used.
    private static func plainNames(of results: [ConformanceResult]) -> [String: String] {
        var (names, taken): ([String: String], Set<String>) = ([:], [])
        for result in results where names[result.agent] == nil {
            let letters = result.agent.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            let plain = String(letters)
            var (name, number) = (plain, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(plain)_\(number)"
            }
            names[result.agent] = name
        }
        return names
    }

    /// Returns a unique name for a result, used as its file name and HTML anchor, such as `chat_js_case_7_1_1`.
    package func plainName(of result: ConformanceResult) -> String {
        let number = result.id.description.split(separator: ".").joined(separator: "_")
        return "\(plainNames[result.agent] ?? "")_case_\(number)"
    }

    /// Returns a report of the same results, compared against the given list of known failures.
    package func held(against known: KnownCaseFailures) -> ConformanceReport {
        ConformanceReport(Array(cases.values), results, skipped: skipped, known: known, isWhole: isWhole)
    }

    /// Whether the cases test the chat protocol instead of the WebSocket protocol.
    package var isOfChat: Bool {
        !cases.isEmpty && cases.keys.allSatisfy { ConformanceCatalogue.chatCategories.contains($0.category) }
    }

    /// The failures that are not in the list of known failures.
    package var failures: [ConformanceResult] {
        results.filter { $0.isFailure && known.entry(for: $0) == nil }
    }

    package var knownFailures: [ConformanceResult] {
        results.filter { $0.isFailure && known.entry(for: $0) != nil }
    }

    package var stale: [KnownCaseFailures.Entry] { known.stale(after: results) }

    package var agents: [String] {
        var seen: Set<String> = []
        return results.map(\.agent).filter { seen.insert($0).inserted }
    }

    /// The skipped cases grouped by reason, in order of first occurrence.
    package var skippedByReason: [(why: String, ids: [CaseID])] {
        var reasons: [(why: String, ids: [CaseID])] = []
        for skip in skipped {
            if let index = reasons.firstIndex(where: { $0.why == skip.why }) {
                reasons[index].ids.append(skip.id)
            } else {
                reasons.append((skip.why, [skip.id]))
            }
        }
        return reasons
    }

    /// The exit status: 0 if every case passed, 1 if a case failed or a known failure did not fail, 2 if no case was
    /// evaluated.
    package var exitStatus: ExitStatus {
        if !failures.isEmpty || !stale.isEmpty { return .failed }
        return results.contains { $0.behavior == .ok || $0.behavior == .nonStrict || $0.isFailure }
            ? .passed : .inconclusive
    }

    package func count(_ behavior: CaseBehavior, in results: [ConformanceResult]? = nil) -> Int {
        (results ?? self.results).count { $0.behavior == behavior }
    }

    /// The report as JSON, in schema 1 of `squall conformance --format json` and of `results.json`.
    package var json: JSON {
        [
            "schema": 1,
            "whole": .bool(isWhole),
            "selected": .integer(Int64(cases.count)),
            "cases": .array(results.map(brief)),
            "totals": .object(CaseBehavior.allCases.map { JSONMember($0.rawValue, .integer(Int64(count($0)))) }),
            "skipped": .array(skipped.map { ["id": .string($0.id.description), "why": .string($0.why)] }),
            "known_failures": .array(knownFailures.map { .string("\($0.agent) \($0.id)") }),
            "stale_known_failures": .array(
                stale.map { ["agent": $0.agent.map { .string($0) } ?? .null, "case": .string($0.pattern)] }
            ),
        ]
    }

    private func brief(_ result: ConformanceResult) -> JSON {
        var json: JSON = [
            "id": .string(result.id.description),
            "agent": .string(result.agent),
            "behavior": .string(result.behavior.rawValue),
            "why": .string(result.why),
            "behaviorClose": .string(result.closeBehavior.rawValue),
            "whyClose": .string(result.closeWhy),
            "remoteCloseCode": result.remoteCode.map { .integer(Int64($0)) } ?? .null,
            "duration_ns": .integer(result.duration.nanoseconds),
        ]
        if result.isFailure, let entry = known.entry(for: result) { json.set("known", to: .string(entry.why)) }
        return json
    }
}
