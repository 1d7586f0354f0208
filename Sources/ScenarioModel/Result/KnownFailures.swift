package import SquallCore

/// The failures of one client that somebody has looked into and lives with, each with its reason.
///
/// A failure that is not listed fails; a listed one counts as known; a listed one that passes fails, so that the list
/// never says more than is true.
package struct KnownFailures: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// As it was named to the command.
        package var file: String
        /// The case of a table; nil where the file has none.
        package var variant: String?
        /// The words of the parts that fail: `eventually`, `invariant order`; empty for whatever fails.
        package var parts: [String]
        package var reason: String
        /// Nil for one that was just added.
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
    /// The file that they stand in.
    package var file: String

    package init(_ entries: [Entry] = [], file: String) {
        self.entries = entries
        self.file = file
    }

    /// What is written for a reason by ``fixed(after:)``, and refused when it is read.
    package static let missingReason = "?"

    private func place(of run: CaseResult) -> Int? {
        entries.firstIndex { $0.variant == run.variant && Self.isSame($0.file, run.file) }
    }

    /// `./Scenarios/a.yaml` is `Scenarios/a.yaml`, and so is a longer path that ends in it.
    static func isSame(_ left: String, _ right: String) -> Bool {
        func plain(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }
        let (left, right) = (plain(left), plain(right))
        return left == right || left.hasSuffix("/\(right)") || right.hasSuffix("/\(left)")
    }

    // MARK: - Judging

    /// The suite with every listed failure known, and every listed pass failed.
    package func applied(to suite: SuiteResult) -> SuiteResult {
        var suite = suite
        for index in suite.cases.indices {
            for place in suite.cases[index].runs.indices { apply(to: &suite.cases[index].runs[place]) }
        }
        return suite
    }

    /// The run as known where its failure is listed, and failed where it passes and is listed.
    package func applied(to run: CaseResult) -> CaseResult {
        var run = run
        apply(to: &run)
        return run
    }

    private func apply(to run: inout CaseResult) {
        // A client that cannot be run at all is nothing to live with.
        guard !run.wasCutShort, let place = place(of: run) else { return }
        let entry = entries[place]
        switch run.verdict {
        case .fail:
            let failed = Self.failedParts(of: run)
            guard entry.parts.isEmpty || failed.allSatisfy(entry.parts.contains) else { return }
            run.verdict = .knownFailure
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
        case .inconclusive, .skipped, .knownFailure: break
        }
    }

    /// An entry that says more than is true fails what it is about; `why` is what the sentence begins with.
    func failure(of entry: Entry, _ why: String) -> ExpectationResult {
        ExpectationResult(
            location: entry.location ?? SourceLocation(file: file, line: 1, column: 1),
            word: "known failure",
            covers: [],
            verdict: .fail,
            why: "\(why) is listed as a known failure (\(entry.reason)); take it off the list, or run with --fix",
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

    // MARK: - Mending the list

    /// The list as these runs, not yet judged by it, have it: reasons are kept, and what was not played stays.
    package func fixed(after suite: SuiteResult) -> KnownFailures {
        var fixed = self
        for runs in Self.cases(of: suite) {
            guard let first = runs.first, !runs.contains(where: \.wasCutShort) else { continue }
            let failed = runs.filter { $0.verdict == .fail }.flatMap(Self.failedParts)
            switch (failed.isEmpty, fixed.place(of: first)) {
            case (true, let place?):
                // Seen to pass, and never to do otherwise.
                if runs.allSatisfy({ $0.verdict == .pass }) { fixed.entries.remove(at: place) }
            case (false, let place?):
                // What is listed for whatever fails, and what may fail one way or the other, stays as it is.
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

    /// All runs of each case, in the order of the cases.
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

    /// As a file has it.
    package var yaml: String {
        var text =
            "# What fails with this client, and why that is lived with. 'squall run --known-failures FILE --fix' rewrites it.\n"
        guard !entries.isEmpty else { return text + "known: []\n" }
        text += "known:\n"
        for entry in entries {
            text += "  - scenario: \(Self.quoted(entry.file))\n"
            if let variant = entry.variant { text += "    case: \(Self.quoted(variant))\n" }
            if !entry.parts.isEmpty { text += "    fails: [\(entry.parts.map(Self.quoted).joined(separator: ", "))]\n" }
            text += "    reason: \(Self.quoted(entry.reason))\n"
        }
        return text
    }

    private static func quoted(_ text: String) -> String {
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
