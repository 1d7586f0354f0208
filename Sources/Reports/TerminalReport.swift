import Foundations
package import ScenarioModel
import TemporalLogic
import Trace

/// A suite for a person at a terminal: the verdict, a line a scenario, and for each failure what was due and what was the case.
package struct TerminalReport: Sendable {
    private let paint: Paint
    /// The command that plays one case again, but for its file and options.
    private let command: String

    package init(colour: Bool, command: String = "squall run") {
        paint = Paint(on: colour)
        self.command = command
    }

    package func render(_ suite: SuiteResult) -> String {
        var lines = [headline(suite), ""]
        var folder = ""
        for report in suite.cases {
            guard let first = report.runs.first else { continue }
            let parts = first.file.split(separator: "/")
            let place = (first.file.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
            if place != folder {
                if !folder.isEmpty { lines.append("") }
                lines.append(paint.dim(place))
                folder = place
            }
            lines.append(line(report))
            // Where the worlds agree, one of them tells the story.
            let telling = report.parity == .equal ? Array(report.runs.prefix(1)) : report.runs
            for run in telling {
                switch run.verdict {
                // Of a few cases each can be read; of many, the reports tell.
                case .pass where suite.cases.count > Self.fewCases: break
                case .pass, .skipped: lines += whatWasNotJudged(run).map { Self.margin + paint.dim($0) }
                case .fail, .inconclusive, .knownFailure: lines += story(run)
                }
            }
            if case .differs(let how)? = report.parity {
                lines += [
                    "        \(paint.red("the worlds differ:")) \(firstLine(of: how))",
                    "        this is a bug in Squall; please report it",
                ]
            } else if case .scheduleDependent(let how)? = report.parity {
                lines.append("        \(paint.yellow("schedule dependent:")) \(firstLine(of: how))")
            }
        }
        if !suite.staleKnownFailures.isEmpty { lines.append("") }
        for part in suite.staleKnownFailures {
            lines.append("  \(mark(.fail)) \(paint.bold("\(part.location)"))  \(part.word): \(part.why ?? "stale")")
        }
        lines += ["", totals(suite)]
        return lines.joined(separator: "\n")
    }

    /// The rest is for the reports.
    private func firstLine(of text: String) -> String {
        let line = text.prefix { $0 != "\n" }
        return line.count > 200 ? "\(line.prefix(200))…" : String(line)
    }

    /// `PASS  24 scenarios, 48 runs`.
    package func headline(_ suite: SuiteResult) -> String {
        let word: String
        switch suite.exitStatus {
        case 0: word = paint.green("PASS")
        case 1: word = paint.red("FAIL")
        case 2: word = paint.yellow("INCONCLUSIVE")
        case 130: word = paint.yellow("INTERRUPTED")
        default: word = paint.red("THE WORLDS DIFFER")
        }
        let worlds = World.allCases.filter { world in suite.runs.contains { $0.world == world } }.map(\.rawValue)
        let scenarios = suite.cases.count == 1 ? "1 scenario" : "\(suite.cases.count) scenarios"
        let place = worlds.isEmpty ? "" : " in \(worlds.joined(separator: " and "))"
        return "\(paint.bold(word))  \(scenarios)\(place)"
    }

    private func line(_ report: CaseReport) -> String {
        guard let first = report.runs.first else { return "" }
        let worst = report.runs.max { severity($0.verdict) < severity($1.verdict) }?.verdict ?? .pass
        let runs = report.runs
            .map { "\($0.world.rawValue) \(brief($0.simulated)) in \(brief($0.wall))" }
            .joined(separator: ", ")
        let line = "  \(mark(worst)) \(first.title)  \(paint.dim(runs))"
        return line + paint.dim(skips(of: report))
    }

    /// `, 2 of 5 parts and 7 invariants skipped`.
    private func skips(of report: CaseReport) -> String {
        guard let run = report.runs.max(by: { $0.skippedCount < $1.skippedCount }), run.skippedCount > 0 else {
            return ""
        }
        let invariants = run.expectations.filter { $0.verdict == .skipped && $0.isInvariant }.count
        let parts = run.skippedCount - invariants
        let written = run.expectations.count { !$0.isInvariant }
        let told = [
            parts > 0 ? "\(parts) of \(written) parts" : nil,
            invariants > 0 ? "\(invariants) invariant\(invariants == 1 ? "" : "s")" : nil,
        ]
        return ", \(told.compactMap { $0 }.joined(separator: " and ")) skipped"
    }

    private func mark(_ verdict: CaseVerdict) -> String {
        switch verdict {
        case .pass: paint.green("pass")
        case .fail: paint.red("FAIL")
        case .inconclusive: paint.yellow("????")
        case .skipped: paint.dim("skip")
        case .knownFailure: paint.yellow("known")
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

    /// What is printed of one run alone: why it did not pass, or its title where it did.
    package func story(of run: CaseResult) -> String {
        let lines =
            switch run.verdict {
            case .pass: [String]()
            case .skipped: whatWasNotJudged(run)
            case .fail, .inconclusive, .knownFailure: story(run)
            }
        guard !lines.isEmpty else { return run.title }
        return lines.map { $0.hasPrefix(Self.margin) ? String($0.dropFirst(Self.margin.count)) : $0 }
            .joined(separator: "\n")
    }

    private static let margin = "        "
    private static let fewCases = 10

    /// What its author has written and nobody could judge, with the reason; standing invariants only where there is nothing else.
    private func whatWasNotJudged(_ run: CaseResult) -> [String] {
        let skipped = run.expectations.filter { $0.verdict == .skipped }
        let own = skipped.filter { !$0.isInvariant }
        guard run.verdict == .skipped || !own.isEmpty else { return [] }
        return (own.isEmpty ? skipped : own).map { "\($0.location)  \($0.heading): \($0.why ?? "skipped")" }
    }

    // MARK: - A failure

    private func story(_ run: CaseResult) -> [String] {
        if run.verdict == .knownFailure {
            let known = run.expectations.first { $0.verdict == .knownFailure }
            return known.map { ["        \($0.location)  \($0.heading): \($0.why ?? "known")"] } ?? []
        }
        guard let cause = CauseLine(of: run) else { return [] }
        let part = run.expectations[cause.expectation]
        var lines = ["        \(paint.bold("\(part.location)"))  \(cause.sentence)"]
        let others = run.expectations.indices.filter { place in
            place != cause.expectation && [.fail, .inconclusive].contains(run.expectations[place].verdict)
        }
        for place in others {
            let part = run.expectations[place]
            let mark = cause.followers.contains(place) ? paint.dim("  (of the same cause)") : ""
            lines.append("        \(part.location)  \(part.heading): \(part.why ?? part.verdict.rawValue)\(mark)")
        }
        lines += surroundings(of: part, in: run).map { "          \($0)" }
        lines.append("          \(paint.dim("replay:")) \(ReplayCommand.of(run, command: command))")
        return lines
    }

    /// The last fault and the changes of state before the divergence, and what came right after it.
    private func surroundings(of cause: ExpectationResult, in run: CaseResult) -> [String] {
        let events = run.recording.events
        let time = run.divergenceTime(of: cause)
        guard let pivot = events.lastIndex(where: { $0.time <= time }) else { return [] }
        let telling = events.filter { event in
            event.name == "connection.state" || event.isDeed
        }
        let before = telling.filter { $0.index <= pivot }.suffix(5)
        let after = telling.filter { $0.index > pivot }.prefix(2)
        return (before + after).map { event in
            let who = event.client.map { $0 == .only ? "" : "\($0) " } ?? ""
            let key = event.key.map { "[\($0)]" } ?? ""
            let padding = String(repeating: " ", count: max(0, 10 - event.time.description.count))
            return paint.dim("\(padding)\(event.time)") + "  \(who)\(event.name)\(key)\(value(of: event))"
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

    private func totals(_ suite: SuiteResult) -> String {
        let counts = CaseVerdict.allCases
            .filter { suite.count($0) > 0 }
            .map { "\(suite.count($0)) \($0.rawValue)" }
            .joined(separator: ", ")
        let runs = suite.runs.count == 1 ? "1 run" : "\(suite.runs.count) runs"
        var lines = ["\(runs): \(counts.isEmpty ? "none" : counts)"]
        if let interruption = suite.interruption { lines.append(interruption) }
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
            lines.append(text)
        }
        return lines.joined(separator: "\n")
    }

    /// Three digits and a unit.
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

/// Colour for a terminal, or none.
struct Paint {
    let on: Bool

    func green(_ text: String) -> String { painted(text, 32) }
    func red(_ text: String) -> String { painted(text, 31) }
    func yellow(_ text: String) -> String { painted(text, 33) }
    func dim(_ text: String) -> String { painted(text, 2) }
    func bold(_ text: String) -> String { painted(text, 1) }

    private func painted(_ text: String, _ code: Int) -> String {
        on ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
