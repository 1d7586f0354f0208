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

    /// Creates the text for a run; returns nil if the run has no cause of failure, for example because it passed.
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

    /// The line that marks the violation in the list of events. It is needed because the trace has no event for a
    /// missed deadline or for an expectation that is evaluated at the end of the run.
    private var violation: String {
        let padding = String(repeating: " ", count: max(0, 10 - divergence.time.description.count))
        return "\(padding)\(divergence.time)  \(verdictMark) \(claim)"
    }

    private var verdictMark: String { run.verdict.rawValue.uppercased() }

    /// The heading of the violated expectation, and the first clause of the reason.
    private var claim: String {
        let part = run.expectations[divergence.expectation]
        let why = part.why ?? part.verdict.rawValue
        return "\(part.heading): \(why.prefix(upTo: why.firstRange(of: /;\ |\n/)?.lowerBound ?? why.endIndex))"
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

    /// Removes characters that have a special meaning in Mermaid, such as the semicolon, which ends a statement.
    /// Truncates the text to `limit` characters.
    private static func plain(_ text: String, limit: Int = 60) -> String {
        func isPlain(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || " _.,:()[]=-".contains(character))
        }
        let kept = String(text.map { isPlain($0) ? $0 : " " })
        return kept.count > limit ? "\(kept.prefix(limit - 1))…" : kept
    }

    /// Returns the indices of the events around the divergence (the first violation of an expectation), and of the
    /// events that determined the verdict.
    ///
    /// The excerpt begins some seconds before the divergence, or shortly before the last fault if that is earlier. If
    /// there are too many events, the most important ones are selected (see ``rank(_:isDecisive:keys:names:)``) and,
    /// among equally important events, those nearest to the divergence.
    private static func around(_ divergence: Divergence, of run: CaseResult, _ faults: [FaultSpan]) -> [Int] {
        let events = run.recording.events
        let part = run.expectations[divergence.expectation]
        let seen = part.seen.first(where: \.isNearest) ?? part.seen.last
        let decisive = Set(
            (part.evidence + [divergence.event, divergence.sent, divergence.received, seen?.event].compactMap(\.self))
                .filter { events.indices.contains($0) }
        )
        let evidence = part.evidence.filter { events.indices.contains($0) }.map { events[$0] }
        let keys = Set(evidence.compactMap(\.key))
        let names = Set(evidence.map(\.name))
        // A violation that is found at the end of the run may concern events that occurred much earlier.
        let pivot = min(divergence.time, evidence.last?.time ?? divergence.time)
        let start = min(pivot, divergence.fault.map { events[faults[$0].began].time } ?? pivot)
        let before = events.last { $0.time < start }?.time ?? .zero
        let from = min(before, pivot - .zero > lead ? pivot - lead : .zero)
        let to = events.filter { $0.time > divergence.time }.prefix(3).last?.time ?? run.recording.end
        let ranked = events.indices.compactMap { place -> (rank: Int, distance: UInt64, place: Int)? in
            let event = events[place]
            let rank = rank(event, isDecisive: decisive.contains(place), keys: keys, names: names)
            // Frames and commands about the same message are relevant no matter how far they are from the divergence.
            guard rank <= 1 || event.time >= from && event.time <= to else { return nil }
            // The initial values of the observables are not relevant to the failure.
            guard rank == 0 || event.fields != nil || event.time > .zero else { return nil }
            return (rank, (event.time - pivot).nanoseconds.magnitude, place)
        }
        .sorted { ($0.rank, $0.distance, $0.place) < ($1.rank, $1.distance, $1.place) }
        let related = ranked.prefix { $0.rank < unrelated }
        let others = ranked.dropFirst(related.count).prefix(max(0, limitOfUnrelated - related.count))
        return (related + others).prefix(limit).map(\.place).sorted()
    }

    /// How long before the divergence the excerpt begins.
    private static let lead = TimeSpan.seconds(5)
    /// The rank of values that the violated expectation does not mention. Only metrics are less important.
    private static let unrelated = 5
    /// Unrelated values are added only until this many events have been selected.
    private static let limitOfUnrelated = 12

    /// Returns the rank of an event; the more important the event, the lower its rank. In descending order of
    /// importance: those that determined the verdict; frames, commands and states of the same message; actions, faults
    /// and connection states; frames; values of the observables that the expectation names; other values; metrics.
    private static func rank(_ event: TraceEvent, isDecisive: Bool, keys: Set<String>, names: Set<String>) -> Int {
        if isDecisive { return 0 }
        if event.isMetric { return unrelated + 1 }
        if let key = event.key, keys.contains(key) {
            if event.fields != nil || event.name == "message.status" { return 1 }
        }
        if event.observation.provenance == .injected || event.name == "connection.state" { return 2 }
        if event.name.hasPrefix("fault.") { return 2 }
        if event.fields != nil { return 3 }
        return names.contains(event.name) || event.name == "message.status" ? 4 : unrelated
    }
}
