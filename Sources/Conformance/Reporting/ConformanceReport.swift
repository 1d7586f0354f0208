package import Foundations

/// Results with all that is needed to tell them.
package struct ConformanceReport: Sendable {
    package let cases: [CaseID: CaseSummary]
    /// In the cases' order, agent by agent.
    package let results: [ConformanceResult]
    package let known: KnownFailures

    package init(_ cases: [CaseSummary], _ results: [ConformanceResult], known: KnownFailures = KnownFailures()) {
        self.cases = Dictionary(cases.map { ($0.id, $0) }) { first, _ in first }
        self.results = results
        self.known = known
    }

    /// Failures that nobody knew of.
    package var failures: [ConformanceResult] {
        results.filter { $0.isFailure && known.entry(for: $0.id) == nil }
    }

    package var knownFailures: [ConformanceResult] {
        results.filter { $0.isFailure && known.entry(for: $0.id) != nil }
    }

    package var stale: [KnownFailures.Entry] { known.stale(after: results) }

    package var agents: [String] {
        var seen: Set<String> = []
        return results.map(\.agent).filter { seen.insert($0).inserted }
    }

    /// 0 where every case may be as it was; 1 where one failed, or a known failure did not; 2 where nothing was judged.
    package var exitStatus: Int32 {
        if !failures.isEmpty || !stale.isEmpty { return 1 }
        return results.contains { $0.behavior == .ok || $0.behavior == .nonStrict || $0.isFailure } ? 0 : 2
    }

    package func count(_ behavior: CaseBehavior, in results: [ConformanceResult]? = nil) -> Int {
        (results ?? self.results).count { $0.behavior == behavior }
    }

    /// Schema 1 of `squall conformance --format json` and of `results.json`.
    package var json: JSON {
        [
            "schema": 1,
            "cases": .array(results.map(Self.brief)),
            "totals": .object(CaseBehavior.allCases.map { JSONMember($0.rawValue, .integer(Int64(count($0)))) }),
            "known_failures": .array(knownFailures.map { .string("\($0.agent) \($0.id)") }),
            "stale_known_failures": .array(stale.map { .string($0.pattern) }),
        ]
    }

    private static func brief(_ result: ConformanceResult) -> JSON {
        [
            "id": .string(result.id.description),
            "agent": .string(result.agent),
            "behavior": .string(result.behavior.rawValue),
            "why": .string(result.why),
            "behaviorClose": .string(result.closeBehavior.rawValue),
            "whyClose": .string(result.closeWhy),
            "remoteCloseCode": result.remoteCode.map { .integer(Int64($0)) } ?? .null,
            "duration_ns": .integer(result.duration.nanoseconds),
        ]
    }
}
