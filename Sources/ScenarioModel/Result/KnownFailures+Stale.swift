import TemporalLogic

// Entries in a list of known failures that match no scenario. They are reported because no run could ever show that
// they are stale.

extension KnownFailures {
    /// Returns the reasons why entries are stale: the entry's file does not exist, or it was run but has no such case.
    ///
    /// - Parameters:
    ///   - suite: The suite that was run. A missing case is reported only if its file was run.
    ///   - scenarios: All cases of the files that were read, whether they were run or not.
    ///   - isThere: Returns whether the file of an entry exists.
    /// - Returns: The reason for each stale entry.
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

    /// Returns the suite with each stale entry added as a failure.
    package func failing(_ suite: SuiteResult, for stale: [Entry: String]) -> SuiteResult {
        var suite = suite
        suite.staleKnownFailures = entries.compactMap { entry in
            stale[entry].map { failure(of: entry, "\($0), which") }
        }
        return suite
    }

    /// Returns the list without stale entries.
    package func without(_ stale: [Entry: String]) -> KnownFailures {
        KnownFailures(entries.filter { stale[$0] == nil }, file: file)
    }
}
