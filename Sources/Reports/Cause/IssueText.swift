package import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// A failure described in Markdown, for pasting into an issue: its cause, the state of the network, the command that
/// replays the run, and the events that determined the verdict, as text and as a Mermaid diagram.
package struct IssueText {
    /// The maximum number of events; a diagram with more events would be unreadable.
    private static let limit = 40

    private let run: CaseResult
    private let command: String
    private let divergence: Divergence
    private let faults: [FaultSpan]
    /// The indices of the selected events, in ascending order.
    private let places: [Int]

    /// Creates the text for a run; returns nil for a run without a cause, such as a run that passed.
    package init?(_ run: CaseResult, command: String = "squall run") {
        faults = FaultSpans.find(in: run.recording.events)
        guard let divergence = Divergence(of: run, faults: faults) else { return nil }
        self.run = run
        self.command = command
        self.divergence = divergence
        places = Self.around(divergence, of: run, faults)
    }

    package var markdown: String {
        let part = run.expectations[divergence.expectation]
        let events = run.recording.events
        var lines = ["**\(run.verdict.rawValue.uppercased())** \(run.title)", ""]
        lines.append("\(part.heading) (\(part.location.file):\(part.location.line)): \(part.why ?? "")")
        if let seen = part.observedText { lines += ["", seen] }
        lines.append("")
        lines += divergence.context(in: events, faults).map { "- \($0.name): \($0.text)" }
        lines += ["", "```", ReplayCommand.of(run, command: command), "```", ""]
        lines += ["digest \(run.digest), \(run.recording.header.tool)", "", "```"]
        let mark = markPlace
        lines += places.enumerated().flatMap { number, place -> [String] in
            let violated = number == mark ? [violation] : []
            let event = events[place]
            let padding = String(repeating: " ", count: max(0, 10 - event.time.description.count))
            let said = EventWords(event).said
            let client = event.client == .only ? nil : event.client
            let name = ObservedName(client: client, name: event.name, key: event.key)
            return violated + ["\(padding)\(event.time)  \(name)\(said.isEmpty ? "" : "  \(said)")"]
        }
        if mark == places.count { lines.append(violation) }
        return (lines + ["```", "", diagram]).map { "\(SanitizedText(lines: $0))" }.joined(separator: "\n")
    }

    /// The number of selected events that precede the violation.
    private var markPlace: Int {
        places.firstIndex { run.recording.events[$0].time > divergence.time } ?? places.count
    }

    /// The violation as a line among the events. The line is needed because the trace has no event for a missed
    /// deadline or for an expectation that is evaluated at the end of the run.
    private var violation: String {
        let padding = String(repeating: " ", count: max(0, 10 - divergence.time.description.count))
        return "\(padding)\(divergence.time)  \(verdictMark) \(claim)"
    }

    private var verdictMark: String { run.verdict.rawValue.uppercased() }

    /// The heading of the violated expectation, and the first clause of the reason.
    private var claim: String {
        let part = run.expectations[divergence.expectation]
        let why = part.why ?? part.verdict.rawValue
        return "\(part.heading): \(why.prefix(upTo: why.firstRange(of: "; ")?.lowerBound ?? why.endIndex))"
    }

    /// The events as a Mermaid sequence diagram in a Markdown code block.
    package var diagram: String {
        let actors = ["U", "C", "N", "S"]
        var lines = ["```mermaid", "sequenceDiagram"]
        lines += zip(actors, EventWords.lanes).map { "  participant \($0) as \($1)" }
        let events = run.recording.events
        let arrows = FrameArrows.match(events, endingAt: run.recording.end)
        let sent = Dictionary(arrows.map { ($0.from, $0) }) { first, _ in first }
        let arrivals = Set(arrows.compactMap(\.to))
        let note = "  Note over C,S: \(Self.plain("\(divergence.time) \(verdictMark) \(claim)", limit: 140))"
        let mark = markPlace
        for (number, place) in places.enumerated() {
            if number == mark { lines.append(note) }
            guard !arrivals.contains(place), isDrawn(events[place]) else { continue }
            let event = events[place]
            let words = EventWords(event)
            let key = event.key.map { "[\($0)]" } ?? ""
            guard let arrow = sent[place] else {
                let said = words.said.isEmpty ? "" : " \(words.said)"
                let text = Self.plain("\(event.time) \(words.name)\(key)\(said)")
                lines.append("  Note over \(actors[words.lane]): \(text)")
                continue
            }
            let (from, to) = words.lane == 1 ? ("C", "S") : ("S", "C")
            let isLost = arrow.to == nil && !arrow.isUnderWay
            lines.append("  \(from)\(isLost ? "-xN" : "->>\(to)"): \(Self.plain("\(words.name)\(key)"))")
        }
        if mark == places.count { lines.append(note) }
        return (lines + ["```"]).joined(separator: "\n")
    }

    /// Returns whether the diagram includes an event. It includes every event that is not an observed value, such as a
    /// frame. Of the observed values, it includes only connection states, message statuses and the evidence.
    private func isDrawn(_ event: TraceEvent) -> Bool {
        event.fields != nil || event.name == "connection.state" || event.name == "message.status"
            || run.expectations[divergence.expectation].evidence.contains(event.index)
    }

    /// Removes the characters that have a meaning in Mermaid, such as the semicolon, which ends a statement. Truncates
    /// the text to `limit` characters.
    private static func plain(_ text: String, limit: Int = 60) -> String {
        func isPlain(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || " _.,:()[]=-".contains(character))
        }
        let kept = String(text.map { isPlain($0) ? $0 : " " })
        return kept.count > limit ? "\(kept.prefix(limit - 1))…" : kept
    }

    /// Returns the indices of the events from shortly before the last fault to shortly after the divergence (the first
    /// violation of an expectation), and of the events that determined the verdict.
    ///
    /// If there are too many events, those that determined the verdict are selected first, then the scenario's actions,
    /// then frames; within each class, the events nearest to the divergence are selected first.
    private static func around(_ divergence: Divergence, of run: CaseResult, _ faults: [FaultSpan]) -> [Int] {
        let events = run.recording.events
        let part = run.expectations[divergence.expectation]
        let seen = part.seen.first(where: \.isNearest) ?? part.seen.last
        let decisive = Set(
            part.evidence + [divergence.event, divergence.sent, divergence.received, seen?.event].compactMap(\.self)
        )
        let start = divergence.fault.map { events[faults[$0].began].time } ?? divergence.time
        let from = events.filter { $0.time < start }.suffix(3).first?.time ?? .zero
        let to = events.filter { $0.time > divergence.time }.prefix(3).last?.time ?? run.recording.end
        func rank(_ place: Int) -> Int {
            let event = events[place]
            if decisive.contains(place) { return 0 }
            if event.observation.provenance == .injected || event.name == "connection.state" { return 1 }
            if event.isMetric { return 4 }
            return event.fields == nil ? 3 : 2
        }
        let near = events.indices.filter { place in
            let event = events[place]
            if decisive.contains(place) { return true }
            // The initial values of the observables are not relevant to the failure.
            return event.time >= from && event.time <= to && (event.fields != nil || event.time > .zero)
        }
        let distance = { (place: Int) in (events[place].time - divergence.time).nanoseconds.magnitude }
        return near.map { (rank: rank($0), distance: distance($0), place: $0) }
            .sorted { ($0.rank, $0.distance, $0.place) < ($1.rank, $1.distance, $1.place) }
            .prefix(limit).map(\.place).sorted()
    }
}
