package import SquallCore

/// The accepted failures of one client, each with its reason.
///
/// A failure in the list is a known failure; any other failure fails the suite. A listed case that passes fails the
/// suite too, so that the list stays correct.
package struct KnownFailures: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// The path of the scenario file, as given on the command line.
        package var file: String
        /// The case of a `with` table; nil if the file has no such table.
        package var variant: String?
        /// The keywords of the checks that may fail, such as `eventually` or `invariant order`; empty if any check may
        /// fail.
        package var parts: [String]
        package var reason: String
        /// The location of the entry in the file; nil for an entry that has just been added.
        package var location: SourceLocation?

        package init(
            file: String,
            variant: String? = nil,
            parts: [String] = [],
            reason: String,
            location: SourceLocation? = nil
        ) {
            self.file = file
            self.variant = variant
            self.parts = parts
            self.reason = reason
            self.location = location
        }
    }

    package var entries: [Entry]
    /// The path of the file that contains the list.
    package var file: String

    package init(_ entries: [Entry] = [], file: String) {
        self.entries = entries
        self.file = file
    }

    /// The placeholder that ``fixed(after:)`` writes instead of a reason. A list that still contains one is rejected.
    package static let missingReason = "?"

    private func place(of run: CaseResult) -> Int? {
        entries.firstIndex { $0.variant == run.variant && Self.isSame($0.file, run.file) }
    }

    /// Returns whether two paths refer to the same file. A leading `./` is ignored, and a path also matches any longer
    /// path that ends with it.
    static func isSame(_ left: String, _ right: String) -> Bool {
        func plain(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
        let (left, right) = (plain(left), plain(right))
        return left == right || left.hasSuffix("/\(right)") || right.hasSuffix("/\(left)")
    }

    // MARK: - Judging

    /// Returns the suite with every listed failure marked as known, and every pass of a listed case marked as failed.
    package func applied(to suite: SuiteResult) -> SuiteResult {
        var suite = suite
        for index in suite.cases.indices {
            for place in suite.cases[index].runs.indices { apply(to: &suite.cases[index].runs[place]) }
        }
        return suite
    }

    /// Returns the run with its verdict adjusted if its case is listed: a failure becomes a known failure, and a pass
    /// becomes a failure.
    package func applied(to run: CaseResult) -> CaseResult {
        var run = run
        apply(to: &run)
        return run
    }

    private func apply(to run: inout CaseResult) {
        // A run that was cut short is never a known failure, because it did not fully test the client.
        guard !run.wasCutShort, let place = place(of: run) else { return }
        let entry = entries[place]
        switch run.verdict {
        case .fail:
            let failed = Self.failedParts(of: run)
            guard entry.parts.isEmpty || failed.allSatisfy(entry.parts.contains) else { return }
            run.verdict = .knownFailure
            run.knownReason = entry.reason
            for part in run.expectations.indices where run.expectations[part].verdict == .fail {
                run.expectations[part].verdict = .knownFailure
                run.expectations[part].why = "\(run.expectations[part].why ?? "failed") (known: \(entry.reason))"
            }
        case .pass:
            run.verdict = .fail
            run.expectations.insert(
                failure(of: entry, "this passes, and"),
                at: 0
            )
        case .inconclusive, .skipped, .knownFailure, .flaky: break
        }
    }

    /// Returns a failure for an entry that no longer applies. `why` is the beginning of its message.
    func failure(of entry: Entry, _ why: String) -> ExpectationResult {
        ExpectationResult(
            location: entry.location ?? SourceLocation(file: file, line: 1, column: 1),
            word: "known failure",
            covers: [],
            verdict: .fail,
            why: "\(why) is listed as a known failure (\(entry.reason)); remove it from the list, or run with --fix",
            evidence: []
        )
    }

    private static func failedParts(of run: CaseResult) -> [String] {
        var words: [String] = []
        for part in run.expectations where part.verdict == .fail && !words.contains(part.word) {
            words.append(part.word)
        }
        return words
    }

    // MARK: - Updating the list

    /// Returns the list updated with the results of `suite`, to which ``applied(to:)`` must not have been applied.
    /// Existing reasons, and entries for cases that were not run, are retained.
    package func fixed(after suite: SuiteResult) -> KnownFailures {
        var fixed = self
        for runs in Self.cases(of: suite) {
            guard let first = runs.first, !runs.contains(where: \.wasCutShort) else { continue }
            let failed = runs.filter { $0.verdict == .fail }.flatMap(Self.failedParts)
            switch (failed.isEmpty, fixed.place(of: first)) {
            case (true, let place?):
                // Remove an entry only if every run of the case has passed.
                if runs.allSatisfy({ $0.verdict == .pass }) { fixed.entries.remove(at: place) }
            case (false, let place?):
                // An entry that allows any failure needs no update. In other entries, only add checks, because a case
                // may fail in different ways.
                guard !fixed.entries[place].parts.isEmpty else { continue }
                for part in failed where !fixed.entries[place].parts.contains(part) {
                    fixed.entries[place].parts.append(part)
                }
            case (false, nil):
                var parts: [String] = []
                for part in failed where !parts.contains(part) { parts.append(part) }
                fixed.entries.append(
                    Entry(file: first.file, variant: first.variant, parts: parts, reason: Self.missingReason)
                )
            case (true, nil): break
            }
        }
        return fixed
    }

    /// Returns the runs grouped by case, in the suite's order.
    private static func cases(of suite: SuiteResult) -> [[CaseResult]] {
        var order: [String] = []
        var runs: [String: [CaseResult]] = [:]
        for run in suite.runs {
            let key = "\(run.file)\u{0}\(run.variant ?? "")"
            if runs[key] == nil { order.append(key) }
            runs[key, default: []].append(run)
        }
        return order.compactMap { runs[$0] }
    }

    /// The list as the content of a YAML file.
    package var yaml: String {
        let text =
            """
            # Known failures of this client, with reasons. 'squall run --known-failures FILE --fix' rewrites this \
            file.\n
            """
        return text + yamlEntries
    }

    /// The list as the content of a YAML file, without a comment.
    package var yamlEntries: String {
        guard !entries.isEmpty else { return "known: []\n" }
        return "known:\n" + entries.flatMap(\.yamlLines).map { "  \($0)\n" }.joined()
    }

    /// Returns the text as a double-quoted YAML scalar.
    package static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\u{0}"..<"\u{20}": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return "\"\(escaped)\""
    }
}

extension KnownFailures.Entry {
    /// The entry as the lines of a YAML list item, without indentation. The first line begins with the dash.
    package var yamlLines: [String] {
        var lines = ["- scenario: \(KnownFailures.quoted(file))"]
        if let variant { lines.append("  case: \(KnownFailures.quoted(variant))") }
        if !parts.isEmpty {
            lines.append("  fails: [\(parts.map(KnownFailures.quoted).joined(separator: ", "))]")
        }
        return lines + ["  reason: \(KnownFailures.quoted(reason))"]
    }
}
