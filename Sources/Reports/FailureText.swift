import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Describes, for a terminal, why a run did not pass: the cause, further violations, the events around the cause, and
/// the command that replays the run.
struct FailureText {
    private let run: CaseResult
    private let command: String

    init(_ run: CaseResult, command: String) {
        self.run = run
        self.command = command
    }

    /// Returns the lines, each indented by `margin`. If `isBrief` is true, only the cause and the command are included.
    func lines(margin: StyledLine, isBrief: Bool = false) -> [StyledLine] {
        if run.verdict == .knownFailure {
            return run.cause.map { ["\(margin)\($0.location)  \($0.heading): \($0.why ?? "known")"] } ?? []
        }
        guard let cause = CauseLine(of: run) else { return [] }
        let part = run.expectations[cause.expectation]
        let sentence = cause.sentence.split(whereSeparator: \.isNewline)
        var lines: [StyledLine] = ["\(margin)\(part.location, .bold)  \(sentence.first ?? "")"]
        // The leading bar prevents the line from being interpreted as a GitHub workflow command.
        lines += sentence.dropFirst().map { "\(margin)  | \($0.trimmingPrefix("  | "))" }
        if !isBrief {
            if let seen = part.observedText { lines.append("\(margin)  \(seen)") }
            lines += others(than: cause, margin)
            lines += surroundings(of: part).map { "\(margin)  \($0)" }
        }
        var replay: StyledLine = "\(margin)  \("replay:", .dim) \(ReplayCommand.of(run, command: command))"
        replay.isWhole = true
        return lines + [replay]
    }

    /// Returns the lines about the run's violations other than `cause`, each indented by `margin`.
    private func others(than cause: CauseLine, _ margin: StyledLine) -> [StyledLine] {
        FurtherViolations(of: run, cause).items.flatMap { item -> [StyledLine] in
            let mark = item.isOfSameCause ? "  (of the same cause)" : ""
            let line: StyledLine = "\(margin)\(item.location)  \(item.text)\(mark, .dim)"
            return [line] + (item.seen.map { ["\(margin)  \($0)"] } ?? [])
        }
    }

    /// Returns the lines about the scenario's actions and changes in the connection state around the divergence (the
    /// point at which the run first violated an expectation): up to five lines before it and two after it.
    private func surroundings(of cause: ExpectationResult) -> [StyledLine] {
        let events = run.recording.events
        let time = run.divergenceTime(of: cause)
        guard let pivot = events.lastIndex(where: { $0.time <= time }) else { return [] }
        let notable = events.filter { event in
            event.name == "connection.state" || event.isOperation
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
}
