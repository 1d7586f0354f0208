package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Renders a suite for a terminal: the verdict, one line for each scenario, and for each failure what was expected and
/// what happened.
package struct TerminalReport: Sendable {
    private let terminal: TerminalShape
    /// The command that replays a case, without its file and options.
    private let command: String

    package init(colour: Bool, width: Int? = nil, command: String = "squall run") {
        terminal = TerminalShape(colour: colour, width: width)
        self.command = command
    }

    package func render(_ suite: SuiteResult) -> String {
        terminal.text(of: lines(suite))
    }

    private func lines(_ suite: SuiteResult) -> [StyledLine] {
        var lines: [StyledLine] = [headline(suite), ""]
        var folder = ""
        for report in suite.cases {
            guard let first = report.runs.first else { continue }
            let parts = first.file.split(separator: "/")
            let place = (first.file.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
            if place != folder {
                if !folder.isEmpty { lines.append("") }
                lines.append("\(place, .dim)")
                folder = place
            }
            lines.append(line(report))
            // Where the worlds agree, the first run speaks for both.
            let shown = report.parity == .equal ? Array(report.runs.prefix(1)) : report.runs
            for run in shown {
                switch run.verdict {
                // With many cases, the skipped parts of those that passed are left to the other reports.
                case .pass where suite.cases.count > Self.fewCases: break
                case .pass, .skipped: lines += whatWasNotJudged(run).map { "        \($0, .dim)" }
                case .fail, .inconclusive, .knownFailure: lines += story(run)
                }
            }
            if case .differs(let how)? = report.parity {
                lines += [
                    "        \("the worlds differ:", .red) \(firstLine(of: how))",
                    "        this is a bug in Squall; please report it",
                ]
            } else if case .scheduleDependent(let how)? = report.parity {
                lines.append("        \("schedule dependent:", .yellow) \(firstLine(of: how))")
            }
        }
        if !suite.staleKnownFailures.isEmpty { lines.append("") }
        for part in suite.staleKnownFailures {
            lines.append("  \(mark(.fail)) \(part.location, .bold)  \(part.word): \(part.why ?? "stale")")
        }
        return lines + [""] + totals(suite)
    }

    /// The first line of a text, at most 200 characters of it; the other reports have the rest.
    private func firstLine(of text: String) -> String {
        let line = text.prefix { !$0.isNewline }
        return line.count > 200 ? "\(line.prefix(200))…" : String(line)
    }

    /// `PASS  24 scenarios in sim and live`.
    private func headline(_ suite: SuiteResult) -> StyledLine {
        let word: StyledLine =
            switch suite.exitStatus {
            case .passed: "\("PASS", .bold, .green)"
            case .failed: "\("FAIL", .bold, .red)"
            case .inconclusive: "\("INCONCLUSIVE", .bold, .yellow)"
            case .interrupted: "\("INTERRUPTED", .bold, .yellow)"
            default: "\("THE WORLDS DIFFER", .bold, .red)"
            }
        let worlds = World.allCases.filter { world in suite.runs.contains { $0.world == world } }.map(\.rawValue)
        let scenarios = suite.cases.count == 1 ? "1 scenario" : "\(suite.cases.count) scenarios"
        let place = worlds.isEmpty ? "" : " in \(worlds.joined(separator: " and "))"
        return "\(word)  \(scenarios)\(place)"
    }

    private func line(_ report: CaseReport) -> StyledLine {
        guard let first = report.runs.first else { return "" }
        let worst = report.runs.max { severity($0.verdict) < severity($1.verdict) }?.verdict ?? .pass
        let runs = report.runs.map { run in
            let took = run.verdict == .skipped ? "" : " \(brief(run.simulated)) in \(brief(run.wall))"
            return "\(run.world.rawValue)\(took)"
        }
        return "  \(mark(worst)) \(first.title)  \(runs.joined(separator: ", "), .dim)\(skips(of: report), .dim)"
    }

    /// `, 2 of 5 parts and 7 invariants skipped`.
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
        case .inconclusive: "\("????", .yellow)"
        case .skipped: "\("skip", .dim)"
        case .knownFailure: "\("known", .yellow)"
        }
    }

    private func severity(_ verdict: CaseVerdict) -> Int {
        switch verdict {
        case .skipped: 0
        case .pass: 1
        case .knownFailure: 2
        case .inconclusive: 3
        case .fail: 4
        }
    }

    /// Renders one run alone: why it did not pass, or its title when it passed.
    package func story(of run: CaseResult) -> String {
        let lines: [StyledLine] =
            switch run.verdict {
            case .pass: []
            case .skipped: whatWasNotJudged(run).map { "\($0)" }
            case .fail, .inconclusive, .knownFailure: story(run, margin: "")
            }
        return terminal.text(of: lines.isEmpty ? ["\(run.title)"] : lines)
    }

    /// The largest suite in which the skipped parts of passing cases are listed.
    private static let fewCases = 10

    /// The skipped expectations of the scenario's file with the reasons; the standing invariants only when there are no
    /// others.
    private func whatWasNotJudged(_ run: CaseResult) -> [String] {
        let skipped = run.expectations.filter { $0.verdict == .skipped }
        let own = skipped.filter { !$0.isInvariant }
        guard run.verdict == .skipped || !own.isEmpty else { return [] }
        return (own.isEmpty ? skipped : own).map { "\($0.location)  \($0.heading): \($0.why ?? "skipped")" }
    }

    // MARK: - A failure

    private func story(_ run: CaseResult, margin: StyledLine = "        ") -> [StyledLine] {
        if run.verdict == .knownFailure {
            let known = run.expectations.first { $0.verdict == .knownFailure }
            return known.map { ["\(margin)\($0.location)  \($0.heading): \($0.why ?? "known")"] } ?? []
        }
        guard let cause = CauseLine(of: run) else { return [] }
        let part = run.expectations[cause.expectation]
        var lines: [StyledLine] = ["\(margin)\(part.location, .bold)  \(cause.sentence)"]
        let others = run.expectations.indices.filter { place in
            place != cause.expectation && [.fail, .inconclusive].contains(run.expectations[place].verdict)
        }
        for place in others {
            let part = run.expectations[place]
            let mark = cause.followers.contains(place) ? "  (of the same cause)" : ""
            lines.append(
                "\(margin)\(part.location)  \(part.heading): \(part.why ?? part.verdict.rawValue)\(mark, .dim)"
            )
        }
        lines += surroundings(of: part, in: run).map { "\(margin)  \($0)" }
        var replay: StyledLine = "\(margin)  \("replay:", .dim) \(ReplayCommand.of(run, command: command))"
        replay.isWhole = true
        return lines + [replay]
    }

    /// The faults and changes of the connection's state around the divergence: up to five before it and two after it.
    private func surroundings(of cause: ExpectationResult, in run: CaseResult) -> [StyledLine] {
        let events = run.recording.events
        let time = run.divergenceTime(of: cause)
        guard let pivot = events.lastIndex(where: { $0.time <= time }) else { return [] }
        let notable = events.filter { event in
            event.name == "connection.state" || event.isDeed
        }
        let before = notable.filter { $0.index <= pivot }.suffix(5)
        let after = notable.filter { $0.index > pivot }.prefix(2)
        return (before + after).map { event in
            let who = event.client.map { $0 == .only ? "" : "\($0) " } ?? ""
            let key = event.key.map { "[\($0)]" } ?? ""
            let padding = String(repeating: " ", count: max(0, 10 - event.time.description.count))
            return "\(padding)\(event.time, .dim)  \(who)\(event.name)\(key)\(value(of: event))"
        }
    }

    private func value(of event: TraceEvent) -> String {
        switch event.observation.change {
        case .set(let value): return " = \(value.stringValue ?? value.description)"
        case .happened(let fields):
            let shown = (fields.members ?? []).map { "\($0.name): \($0.value.stringValue ?? $0.value.description)" }
            return shown.isEmpty ? "" : " {\(shown.joined(separator: ", "))}"
        case .inserted, .removed, .replaced: return ""
        }
    }

    // MARK: - Totals

    private func totals(_ suite: SuiteResult) -> [StyledLine] {
        let counts = CaseVerdict.allCases
            .filter { suite.count($0) > 0 }
            .map { "\(suite.count($0)) \($0.rawValue)" }
            .joined(separator: ", ")
        let runs = suite.runs.count == 1 ? "1 run" : "\(suite.runs.count) runs"
        var lines: [StyledLine] = ["\(runs): \(counts.isEmpty ? "none" : counts)"]
        if let shortfall = suite.shortfall { lines.append("\(shortfall)") }
        for world in World.allCases {
            let runs = suite.runs.filter { $0.world == world }
            guard !runs.isEmpty else { continue }
            let simulated = runs.reduce(TimeSpan.zero) { $0 + $1.simulated }
            let wall = runs.reduce(TimeSpan.zero) { $0 + $1.wall }
            let times = wall.nanoseconds > 0 ? simulated.nanoseconds / wall.nanoseconds : 0
            let name = world == .sim ? "sim: " : "live:"
            let pace = times > 1 ? ", \(times) times as fast" : ""
            lines.append("\(name) \(brief(simulated)) of weather in \(brief(wall))\(pace)")
        }
        let parity = suite.parity
        if parity.compared > 0 {
            var text = "parity: \(parity.equal) of \(parity.compared) equal"
            if parity.scheduleDependent > 0 { text += ", \(parity.scheduleDependent) schedule dependent" }
            if parity.differs > 0 { text += ", \(parity.differs) differ" }
            lines.append("\(text)")
        }
        return lines
    }

    /// A duration with up to three digits and a unit.
    private func brief(_ span: TimeSpan) -> String {
        let ns = span.nanoseconds
        func scaled(_ unit: Int64, _ suffix: String) -> String {
            let whole = ns / unit
            guard whole < 100 else { return "\(whole)\(suffix)" }
            let tenth = (ns % unit) * 10 / unit
            return "\(whole).\(tenth)\(suffix)"
        }
        if ns < 1_000_000 { return scaled(1_000, "us") }
        if ns < 1_000_000_000 { return scaled(1_000_000, "ms") }
        if ns < 600_000_000_000 { return scaled(1_000_000_000, "s") }
        return "\(ns / 60_000_000_000)m"
    }
}
