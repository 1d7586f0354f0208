package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Renders a suite for a terminal: the verdict, the cases grouped by folder, the failures grouped by cause, and the
/// totals.
///
/// In a small suite each case has its own line, followed by its failures. In a larger suite each folder has one line,
/// so that the failures, which are printed last, remain visible on screen.
package struct TerminalReport: Sendable {
    private let terminal: TerminalShape
    /// The command that replays a case, without the file and the options.
    private let command: String
    /// Whether every case gets its own line, even in a large suite.
    private let isVerbose: Bool
    /// The maximum number of cases in a suite for which every case has its own line by default.
    private static let fewCases = 10

    package init(
        colour: Bool,
        width: Int? = nil,
        command: String = "squall run",
        verbose: Bool = false
    ) {
        terminal = TerminalShape(colour: colour, width: width)
        self.command = command
        isVerbose = verbose
    }

    package func render(_ suite: SuiteResult) -> String {
        terminal.text(of: lines(suite))
    }

    /// Returns the suite's verdict in one line without styles.
    func headlineText(_ suite: SuiteResult) -> String { headline(suite).rendered(colour: false, width: nil) }

    private func lines(_ suite: SuiteResult) -> [StyledLine] {
        let groups = suite.groups
        let isSmall = groups.count <= Self.fewCases
        var lines: [StyledLine] = [headline(suite), ""]
        for (folder, cases) in Self.folders(of: groups) {
            if isSmall || isVerbose {
                if lines.last?.isEmpty == false { lines.append("") }
                if !folder.isEmpty { lines.append("\(folder, .dim)") }
                lines += cases.flatMap { isSmall ? [line($0)] + details($0) : [line($0)] + remarks($0) }
            } else {
                lines.append(summary(folder, cases))
            }
        }
        if !isSmall { lines += failures(suite) + worldsThatDiffer(groups) + knownAndSkipped(groups) }
        if !suite.staleKnownFailures.isEmpty { lines.append("") }
        for part in suite.staleKnownFailures {
            lines.append("  \(mark(.fail)) \(part.location, .bold)  \(part.word): \(part.why ?? "stale")")
        }
        return lines + [""] + totals(suite)
    }

    /// Groups the cases by folder; the folders are in the order of their first cases.
    private static func folders(of groups: [CaseGroup]) -> [(folder: String, cases: [CaseGroup])] {
        var folders: [(folder: String, cases: [CaseGroup])] = []
        var places: [String: Int] = [:]
        for group in groups {
            let parts = group.key.file.split(separator: "/")
            let folder = (group.key.file.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
            if let place = places[folder] {
                folders[place].cases.append(group)
            } else {
                places[folder] = folders.count
                folders.append((folder, [group]))
            }
        }
        return folders
    }

    /// Returns the first line, such as `FAIL  49 of 1,154 runs failed (25 of 578 cases) in sim and live`.
    private func headline(_ suite: SuiteResult) -> StyledLine {
        let (word, verdict): (StyledLine, CaseVerdict?) =
            switch suite.exitStatus {
            case .passed: ("\("PASS", .bold, .green)", nil)
            case .failed: ("\("FAIL", .bold, .red)", .fail)
            case .inconclusive: ("\("INCONCLUSIVE", .bold, .yellow)", .inconclusive)
            case .interrupted: ("\("INTERRUPTED", .bold, .yellow)", nil)
            default: ("\("THE WORLDS DIFFER", .bold, .red)", nil)
            }
        let worlds = World.allCases.filter { world in suite.runs.contains { $0.world == world } }.map(\.rawValue)
        let place = worlds.isEmpty ? "" : " in \(worlds.joined(separator: " and "))"
        let flaky = suite.count(.flaky)
        let leftOut = suite.leftOut.isEmpty ? "" : ", \(Self.count(suite.leftOut.count, "case")) left out"
        let known = suite.count(.knownFailure)
        let knownCount = known > 0 ? ", \(Self.count(known, "known failure"))" : ""
        let suffix = knownCount + (flaky > 0 ? ", \(flaky) flaky" : "") + leftOut
        let (runs, cases) = (suite.runs.count, suite.groups.count)
        if let verdict, suite.count(verdict) > 0 {
            let what = verdict == .fail ? "failed" : "inconclusive"
            let bad = (suite.count(verdict), suite.caseCount(verdict))
            return """
                \(word)  \(bad.0.grouped) of \(Self.count(runs, "run")) \(what) \
                (\(bad.1.grouped) of \(Self.count(cases, "case")))\(place)\(suffix)
                """
        }
        return "\(word)  \(Self.count(runs, "run")) (\(Self.count(cases, "case")))\(place)\(suffix)"
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Returns the line for a folder, such as `Scenarios/commands  7 cases: 3 fail, 4 pass`.
    private func summary(_ folder: String, _ cases: [CaseGroup]) -> StyledLine {
        let verdicts = CaseVerdict.allCases.sorted { $0.severity > $1.severity }
        let counts = verdicts.compactMap { verdict -> StyledLine? in
            let count = cases.count { $0.verdict == verdict }
            guard count > 0 else { return nil }
            let text = "\(count.grouped) \(verdict.words(count))"
            return verdict == .fail ? "\(text, .red)" : "\(text)"
        }
        let worst = cases.map(\.verdict).max { $0.severity < $1.severity } ?? .skipped
        let start: StyledLine = "  \(mark(worst)) \(folder)  \(Self.count(cases.count, "case"), .dim)"
        guard counts.count > 1 else { return start }
        return counts.dropFirst().reduce("\(start)\(": ", .dim)\(counts[0])") { "\($0), \($1)" }
    }

    // MARK: - Individual cases

    private func line(_ group: CaseGroup) -> StyledLine {
        guard let report = group.reports.first, let first = report.runs.first else { return "" }
        let worlds: [String]
        if group.hasSeveralSeeds {
            worlds = World.allCases.compactMap { seeds(of: group, in: $0) }
        } else {
            worlds = group.runs.map { run in
                let took = run.verdict == .skipped ? "" : " \(Self.brief(run.simulated)) in \(Self.brief(run.wall))"
                let plays = run.plays > 1 ? ", passed at play \(run.plays)" : ""
                return "\(run.world.rawValue)\(took)\(plays)"
            }
        }
        let separator = group.hasSeveralSeeds ? "; " : ", "
        let text = worlds.joined(separator: separator)
        return "  \(mark(group.verdict)) \(first.title)  \(text, .dim)\(skips(of: report), .dim)"
    }

    /// The maximum number of seeds that are listed.
    private static let namedSeeds = 12

    /// Returns the counts of the seeds by verdict, such as `sim: 4 of 6 seeds fail (1, 3, 4, 6)`; nil if the case was
    /// not run in `world`.
    private func seeds(of group: CaseGroup, in world: World) -> String? {
        let total = group.runs.count { $0.world == world }
        guard total > 0 else { return nil }
        let verdicts: [CaseVerdict] = [.fail, .inconclusive, .flaky, .knownFailure, .skipped]
        let counts = verdicts.compactMap { verdict -> String? in
            let these = group.seeds(in: world, with: verdict)
            guard !these.isEmpty else { return nil }
            let named = these.prefix(Self.namedSeeds).map(String.init).joined(separator: ", ")
            let more = these.count > Self.namedSeeds ? ", …" : ""
            return "\(these.count) of \(total) seeds \(verdict.words(these.count)) (\(named)\(more))"
        }
        return "\(world.rawValue): \(counts.isEmpty ? "all \(total) seeds pass" : counts.joined(separator: ", "))"
    }

    /// Returns text that states how many expectations and steps were skipped, such as `, 2 of 5 parts and 7 invariants
    /// skipped`.
    private func skips(of report: CaseReport) -> String {
        guard let run = report.runs.max(by: { $0.skippedCount < $1.skippedCount }), run.skippedCount > 0 else {
            return ""
        }
        let invariants = run.expectations.filter { $0.verdict == .skipped && $0.isInvariant }.count
        let parts = run.skippedCount - invariants
        let written = run.expectations.count { !$0.isInvariant }
        let counts = [
            parts > 0 ? "\(parts) of \(written) parts" : nil,
            invariants > 0 ? "\(invariants) invariant\(invariants == 1 ? "" : "s")" : nil,
        ]
        return ", \(counts.compactMap { $0 }.joined(separator: " and ")) skipped"
    }

    private func mark(_ verdict: CaseVerdict) -> StyledLine {
        switch verdict {
        case .pass: "\("pass", .green)"
        case .fail: "\("FAIL", .red)"
        case .inconclusive: "\("open", .yellow)"
        case .skipped: "\("skip", .dim)"
        case .knownFailure: "\("known", .yellow)"
        case .flaky: "\("flaky", .yellow)"
        }
    }

    /// Returns the lines below a case of a small suite: why runs did not pass, which expectations were skipped, and how
    /// the simulated and the live run differ.
    private func details(_ group: CaseGroup) -> [StyledLine] {
        var lines: [StyledLine] = []
        var listedKeys: Set<CauseGroup.Key> = []
        for report in group.reports {
            // If the simulated and the live run agree, the first run represents both. Runs with other seeds and the
            // same cause are only counted.
            let shown = report.parity == .equal ? Array(report.runs.prefix(1)) : report.runs
            let before = listedKeys
            for run in shown {
                let key = CauseGroup.Key(run)
                if group.hasSeveralSeeds, let key, before.contains(key) { continue }
                if let key { listedKeys.insert(key) }
                switch run.verdict {
                case .pass, .skipped: lines += unevaluatedText(run).map { "        \($0, .dim)" }
                case .fail, .inconclusive, .knownFailure, .flaky: lines += story(run)
                }
            }
            lines += comparison(of: report)
        }
        return lines
    }

    /// Returns the lines below a case of a large suite with `--verbose`: the expectations that were skipped, and how
    /// the simulated and the live run differ because of the schedule.
    private func remarks(_ group: CaseGroup) -> [StyledLine] {
        let skipped = group.runs.first.map { $0.verdict == .skipped ? unevaluatedText($0) : [] } ?? []
        let dependent = group.reports.filter(Self.isScheduleDependent)
        return skipped.map { "        \($0, .dim)" } + dependent.flatMap { comparison(of: $0) }
    }

    private static func isScheduleDependent(_ report: CaseReport) -> Bool {
        if case .scheduleDependent? = report.parity { true } else { false }
    }

    /// The maximum number of schedule-dependent cases that are named in the totals.
    private static let namedDependent = 3

    /// Returns the names of the cases whose simulated and live runs differ because of the schedule, such as ` (A; B)`;
    /// empty if each case has its own line.
    private func dependentNames(_ suite: SuiteResult) -> String {
        let groups = suite.groups
        guard groups.count > Self.fewCases, !isVerbose else { return "" }
        let titles = groups.filter { $0.reports.contains(where: Self.isScheduleDependent) }
            .compactMap(\.runs.first?.title)
        let rest = titles.count - Self.namedDependent
        let more = rest > 0 ? "; \(rest) more, which --verbose names" : ""
        return " (\(titles.prefix(Self.namedDependent).joined(separator: "; "))\(more))"
    }

    private func comparison(of report: CaseReport) -> [StyledLine] {
        switch report.parity {
        case .differs(let how)?:
            [
                "        \("the worlds differ:", .red) \(firstLine(of: how))",
                "        this is a bug in Squall; please report it with these events:",
            ] + how.split(separator: "\n").dropFirst().map { "        \(firstLine(of: String($0)), .dim)" }
        case .scheduleDependent(let how)?: ["        \("schedule dependent:", .yellow) \(firstLine(of: how))"]
        case .equal?, nil: []
        }
    }

    /// Returns the first line of a text, truncated to 200 characters; reports in other formats contain the whole text.
    private func firstLine(of text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        return line.count > 200 ? "\(line.prefix(200))…" : String(line)
    }

    /// Renders a single run: the reason why it did not pass, or its title if it passed.
    package func story(of run: CaseResult) -> String {
        let lines: [StyledLine] =
            switch run.verdict {
            case .pass: []
            case .skipped: unevaluatedText(run).map { "\($0)" }
            case .fail, .inconclusive, .knownFailure, .flaky: story(run, margin: "")
            }
        return terminal.text(of: lines.isEmpty ? ["\(run.title)"] : lines)
    }

    /// Returns the skipped expectations of the scenario file with the reasons. Standing invariants (those that hold for
    /// every scenario) are included only if no other expectation was skipped.
    private func unevaluatedText(_ run: CaseResult) -> [String] {
        let skipped = run.expectations.filter { $0.verdict == .skipped }
        let own = skipped.filter { !$0.isInvariant }
        guard run.verdict == .skipped || !own.isEmpty else { return [] }
        return (own.isEmpty ? skipped : own).map { "\($0.location)  \($0.heading): \($0.why ?? "skipped")" }
    }

    private func story(_ run: CaseResult, margin: StyledLine = "        ") -> [StyledLine] {
        FailureText(run, command: command).lines(margin: margin)
    }

    // MARK: - Failures of a large suite

    /// The number of failures with the same cause that are printed in full, with the events around the violation.
    /// Further failures are printed briefly.
    private static let isListedInFull = 1

    /// Returns the lines about failures and flaky runs, grouped by cause. Each entry has a name, a one-sentence
    /// explanation and a replay command.
    private func failures(_ suite: SuiteResult) -> [StyledLine] {
        CauseGroup.all(of: suite, with: [.fail, .inconclusive, .flaky]).flatMap { cause -> [StyledLine] in
            let runs = Self.count(cause.runCount, "run")
            let counts = "\(Self.count(cause.failures.count, "case")), \(runs)"
            var lines: [StyledLine] = ["", "\(cause.heading, .bold)  \(counts, .dim)"]
            for (place, failure) in cause.failures.enumerated() {
                lines.append(line(failure.group))
                let text = FailureText(failure.run, command: command)
                lines += text.lines(margin: "        ", isBrief: place >= Self.isListedInFull)
            }
            return lines
        }
    }

    private func worldsThatDiffer(_ groups: [CaseGroup]) -> [StyledLine] {
        let reports = groups.flatMap(\.reports).filter { report in
            if case .differs? = report.parity { true } else { false }
        }
        guard !reports.isEmpty else { return [] }
        return [""]
            + reports.flatMap { report in
                ["  \(report.runs.first?.title ?? "", .bold)"] + comparison(of: report)
            }
    }

    /// Returns the lines about known failures and skipped cases, each grouped by reason, unless each case already has
    /// its own line.
    private func knownAndSkipped(_ groups: [CaseGroup]) -> [StyledLine] {
        guard !isVerbose else { return [] }
        let known = lines(about: groups, .knownFailure) { $0.knownReason ?? "known failure" }
        let skipped = lines(about: groups, .skipped) { run in
            let parts = run.expectations.filter { $0.verdict == .skipped }
            return (parts.first { !$0.isInvariant } ?? parts.first)?.why ?? "skipped"
        }
        return (known.isEmpty ? [] : [""] + known) + (skipped.isEmpty ? [] : [""] + skipped)
    }

    private func lines(
        about groups: [CaseGroup],
        _ verdict: CaseVerdict,
        by reason: (CaseResult) -> String
    ) -> [StyledLine] {
        var order: [String] = []
        var counts: [String: Int] = [:]
        for run in groups.filter({ $0.verdict == verdict }).compactMap(\.runs.first) {
            let why = reason(run)
            if counts[why] == nil { order.append(why) }
            counts[why, default: 0] += 1
        }
        return order.map { "  \(mark(verdict)) \(Self.count(counts[$0] ?? 0, "case")): \($0)" }
    }

    // MARK: - Totals

    private func totals(_ suite: SuiteResult) -> [StyledLine] {
        let counts = CaseVerdict.allCases
            .filter { suite.count($0) > 0 }
            .map { "\(suite.count($0).grouped) \($0.words(suite.count($0)))" }
            .joined(separator: ", ")
        let runs = Self.count(suite.runs.count, "run")
        var lines: [StyledLine] = ["\(runs): \(counts.isEmpty ? "none" : counts)"]
        if let shortfall = suite.stopDescription { lines.append("\(shortfall)") }
        if !suite.runs.isEmpty { lines.append("\(Self.weather(of: suite))") }
        let parity = suite.parity
        if parity.compared > 0 {
            var text = "parity: \(parity.equal.grouped) of \(parity.compared.grouped) equal"
            if parity.scheduleDependent > 0 {
                text += ", \(parity.scheduleDependent) schedule dependent\(dependentNames(suite))"
            }
            if parity.differs > 0 { text += ", \(parity.differs) differ" }
            lines.append("\(text)")
        }
        return lines
    }

    /// Returns the total duration of all runs on their own clocks and the real duration of the suite, such as `2.1s of
    /// weather in 140ms, 15 times as fast`. The HTML page has the same figures.
    private static func weather(of suite: SuiteResult) -> String {
        let weather = suite.runs.reduce(TimeSpan.zero) { $0 + $1.simulated }
        let times = suite.wall > .zero ? weather.nanoseconds / suite.wall.nanoseconds : 0
        let pace = times > 1 ? ", \(Int(times).grouped) times as fast" : ""
        return "\(brief(weather)) of weather in \(brief(suite.wall))\(pace)"
    }

    /// Formats a duration with a unit, rounded to a whole number from 100 on, otherwise to one decimal.
    static func brief(_ span: TimeSpan) -> String {
        let ns = span.nanoseconds
        guard ns > 0 else { return "0s" }
        func rounded(_ unit: Int64) -> Int64 { ns / unit + (ns % unit >= unit - unit / 2 ? 1 : 0) }
        func scaled(_ unit: Int64, _ suffix: String) -> String {
            let tenths = rounded(unit / 10)
            return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)\(suffix)" : "\(Int(rounded(unit)).grouped)\(suffix)"
        }
        // Each limit is the shortest duration that would be rounded up to the next unit.
        if ns < 999_500 { return scaled(1_000, "us") }
        if ns < 999_500_000 { return scaled(1_000_000, "ms") }
        if ns < 599_500_000_000 { return scaled(1_000_000_000, "s") }
        if ns < 7_170_000_000_000 { return "\(rounded(60_000_000_000))m" }
        return scaled(3_600_000_000_000, "h")
    }
}

extension CaseVerdict {
    /// The word that follows a number of cases or runs with this verdict, such as `fail` in `3 fail`.
    fileprivate func words(_ count: Int) -> String {
        self == .knownFailure ? "known failure\(count == 1 ? "" : "s")" : rawValue
    }
}
