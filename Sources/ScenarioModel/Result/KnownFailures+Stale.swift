import TemporalLogic

/// Entries of which nothing is left: nobody would ever be told otherwise, since what is not played fails nobody.
extension KnownFailures {
    /// Why entries of the list are about nothing: a file that is not there, or a case that a played file has not.
    ///
    /// - Parameters:
    ///   - suite: What was played; of files that were not, no case is said to be missing.
    ///   - scenarios: Every case of every file that was read, played or not.
    ///   - isThere: Whether there is a file of an entry's path.
    /// - Returns: The reasons, by their entries.
    package func stale(
        after suite: SuiteResult,
        of scenarios: [Scenario],
        isThere: (String) -> Bool
    ) -> [Entry: String] {
        let played = Set(suite.runs.map(\.file))
        var stale: [Entry: String] = [:]
        for entry in entries {
            let cases = scenarios.filter { Self.isSame(entry.file, $0.file) }
            if cases.isEmpty {
                if !isThere(entry.file) { stale[entry] = "there is no file '\(entry.file)'" }
            } else if cases.contains(where: { played.contains($0.file) }),
                !cases.contains(where: { $0.variant == entry.variant })
            {
                stale[entry] =
                    entry.variant.map { "'\(entry.file)' has no case '\($0)'" }
                    ?? "'\(entry.file)' has several cases, and the entry names none"
            }
        }
        return stale
    }

    /// The suite, failed by those entries.
    package func failing(_ suite: SuiteResult, for stale: [Entry: String]) -> SuiteResult {
        var suite = suite
        suite.staleKnownFailures = entries.compactMap { entry in
            stale[entry].map { failure(of: entry, "\($0), which") }
        }
        return suite
    }

    package func without(_ stale: [Entry: String]) -> KnownFailures {
        KnownFailures(entries.filter { stale[$0] == nil }, file: file)
    }
}
