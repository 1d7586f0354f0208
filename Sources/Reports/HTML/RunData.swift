import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// The JSON of one run for the page's script: an entry for the list of cases, and the full data for the run's own view.
struct RunData {
    private let run: CaseResult
    /// The maximum number of events to include.
    private let limit: Int
    private let events: [TraceEvent]
    private let faults: [FaultSpan]
    private let divergence: Divergence?
    private let evidence: Set<Int>

    /// Creates the data of a run.
    ///
    /// - Parameters:
    ///   - passingLimit: The maximum number of events if the run passed or was skipped; nil for
    ///     ``EventSelection/drawnLimit``.
    ///   - failingLimit: The maximum number of events if the run did not pass; nil for ``EventSelection/drawnLimit``.
    ///   - index: The index of an event to treat as evidence; nil if there is none.
    init(_ run: CaseResult, passingLimit: Int?, failingLimit: Int? = nil, keeping index: Int? = nil) {
        var run = run
        // An incomplete trace is omitted, because readers would assume that it contains all events.
        if !run.hasWholeTrace { run.recording.events = [] }
        self.run = run
        let hasPassed = run.verdict == .pass || run.verdict == .skipped
        limit = (hasPassed ? passingLimit : failingLimit) ?? EventSelection.drawnLimit
        events = run.recording.events
        faults = FaultSpans.find(in: events)
        divergence = Divergence(of: run, faults: faults)
        let count = events.count
        evidence = Set(
            run.expectations.filter { $0.verdict != .pass }.flatMap { $0.evidence + $0.seen.map(\.event) }
                .filter { (0..<count).contains($0) }
        ).union(index.map { [$0] } ?? [])
    }

    // MARK: - List entry

    /// The maximum number of state changes in a list entry's ribbon (the bar that shows connection states over time).
    private static let stripLimit = 200

    /// Returns the entry in the list of cases. If `hasStrip` is true, the entry includes the ribbon, a bar that shows
    /// the connection states over time.
    func summary(hasStrip: Bool) -> JSON {
        var json: JSON = [
            "world": .string(run.world.rawValue),
            "verdict": .string(run.verdict.rawValue),
            "seed": .string(String(run.seed.value)),
            "virtual": .integer(run.simulated.nanoseconds),
            "wall": .integer(run.wall.nanoseconds),
            "end": .integer(run.recording.end.nanoseconds),
        ]
        if hasStrip {
            json.set("strip", to: strip)
            json.set("faults", to: .array(faults.map { [.integer(start(of: $0)), .integer(end(of: $0))] }))
        }
        // Skipped runs and known failures also have a reason, which the list displays.
        if let cause = run.cause ?? run.expectations.first(where: { $0.verdict == run.verdict && run.verdict != .pass })
        {
            json.set("cause", to: ["word": .string(cause.heading), "why": .string(cause.why ?? cause.word)])
        }
        return json
    }

    /// The connection states of the first client: for each state, the time in nanoseconds at which it began and its
    /// name.
    private var strip: JSON {
        var steps: [JSON] = []
        var client: ClientID??
        for event in events where event.name == "connection.state" {
            guard steps.count < 2 * Self.stripLimit, case .set(let value) = event.observation.change else { continue }
            if client == nil { client = .some(event.client) }
            guard client == .some(event.client) else { continue }
            steps += [.integer(event.time.nanoseconds), value]
        }
        return .array(steps)
    }

    private func start(of fault: FaultSpan) -> Int64 { events[fault.began].time.nanoseconds }

    private func end(of fault: FaultSpan) -> Int64 {
        fault.ended.map { events[$0].time.nanoseconds } ?? run.recording.end.nanoseconds
    }

    // MARK: - Full data

    /// Returns the full data of the run. `command` is the command that replays the run, and `trace` is the path of its
    /// saved trace, or nil if the trace was not saved.
    func page(command: String, trace: String?) -> JSON {
        let pivot = divergence.map { divergence in
            divergence.event ?? events.lastIndex { $0.time <= divergence.time } ?? 0
        }
        let selection = EventSelection(events, limit: limit, pivot: pivot, evidence: evidence)
        var members = EventTable(events, selection).members
        members.append(JSONMember("facts", facts(command: command, trace: trace)))
        members.append(JSONMember("count", .integer(Int64(events.count))))
        members.append(JSONMember("arrows", arrows(selection)))
        members.append(JSONMember("faults", .array(faults.map(fault))))
        let followers = CauseLine(of: run)?.followers ?? []
        let ribbons = StateRibbons(events, evidence: evidence)
        members.append(JSONMember("ribbons", .array(ribbons.ribbons.map(ribbon))))
        members.append(JSONMember("ribbons_left_out", .integer(Int64(ribbons.leftOut))))
        members.append(
            JSONMember(
                "expectations",
                .array(
                    run.expectations.indices.map { expectation(run.expectations[$0], follows: followers.contains($0)) }
                )
            )
        )
        members.append(JSONMember("divergence", divergence.map(json) ?? .null))
        if let issue = IssueText(run, command: command) { members.append(JSONMember("issue", .string(issue.markdown))) }
        return .object(members)
    }

    /// Returns the data for the heading of the run's view, including the replay command and the path of the trace.
    private func facts(command: String, trace: String?) -> JSON {
        var json: JSON = [
            "client": .string(run.client),
            "profile": .string(run.profile),
            "digest": .string(run.digest),
            "tool": .string(run.recording.header.tool),
            "defects": .array(run.recording.header.defects.map { .string($0) }),
            "replay": .string(ReplayCommand.of(run, command: command)),
        ]
        if run.tolerance.fixed > .zero { json.set("tolerance", to: .string(run.tolerance.fixed.description)) }
        if !run.hasWholeTrace { json.set("has_no_trace", to: true) }
        if let trace { json.set("trace", to: .string(trace)) }
        if let trace, let capture = run.capture {
            if let gap = capture.gap { json.set("capture_gap", to: .string(gap)) }
            let folder = trace.split(separator: "/").dropLast()
            json.set("capture", to: .string((folder + [RunCapture.name[...]]).joined(separator: "/")))
        }
        return json
    }

    /// Returns the arrows as pairs of event indices. The second index is -1 for a message that never arrived and -2 for
    /// one that was still in flight at the end.
    ///
    /// An arrow is omitted if neither of its events is drawn.
    private func arrows(_ selection: EventSelection) -> JSON {
        let drawn = Set(selection.places)
        var numbers: [JSON] = []
        for arrow in FrameArrows.match(events, endingAt: run.recording.end)
        where drawn.contains(arrow.from) || arrow.to.map(drawn.contains) == true {
            numbers += [.integer(Int64(arrow.from)), .integer(Int64(arrow.to ?? (arrow.isUnderWay ? -2 : -1)))]
        }
        return .array(numbers)
    }

    private func fault(_ span: FaultSpan) -> JSON {
        [
            "label": .string(span.label),
            "fault": .string(span.fault),
            "clients": .array(span.clients.map { .string($0.name) }),
            "from": .integer(Int64(span.began)),
            "to": .integer(Int64(span.ended ?? -1)),
            "began": .integer(start(of: span)),
            "ended": .integer(end(of: span)),
            "depth": .integer(Int64(span.depth)),
        ]
    }

    private func ribbon(_ ribbon: StateRibbon) -> JSON {
        [
            "name": .string(ribbon.name),
            "key": ribbon.key.map { .string($0) } ?? .null,
            "client": ribbon.client.map { .string($0.name) } ?? .null,
            "cut": .bool(ribbon.isCut),
            "steps": .array(ribbon.steps.flatMap { [.integer($0.time.nanoseconds), $0.value] }),
        ]
    }

    private func expectation(_ part: ExpectationResult, follows: Bool) -> JSON {
        var json: JSON = [
            "line": .integer(Int64(part.location.line)),
            "column": .integer(Int64(part.location.column)),
            "word": .string(part.word),
            "covers": .array(part.covers.map { .string($0) }),
            "verdict": .string(part.verdict.rawValue),
            "evidence": .array(part.evidence.map { .integer(Int64($0)) }),
        ]
        if part.location.file != run.file { json.set("file", to: .string(part.location.file)) }
        if let name = part.name { json.set("name", to: .string(name)) }
        if let why = part.why { json.set("why", to: .string(why)) }
        if let seen = part.observedText { json.set("seen", to: .string(seen)) }
        if follows { json.set("follows", to: true) }
        if let due = part.expectedBy { json.set("by", to: .integer(due.nanoseconds)) }
        let witnesses = part.evidence.filter { events.indices.contains($0) }
        if part.verdict == .fail, !witnesses.isEmpty,
            witnesses.allSatisfy({ events[$0].observation.provenance == .reported })
        {
            json.set("reported_only", to: true)
        }
        return json
    }

    private func json(_ divergence: Divergence) -> JSON {
        [
            "expectation": .integer(Int64(divergence.expectation)),
            "time": .integer(divergence.time.nanoseconds),
            "event": divergence.event.map { .integer(Int64($0)) } ?? .null,
            "deadline": .bool(divergence.isDeadline),
            "shown": shown(divergence).map { .integer(Int64($0)) } ?? .null,
            "fault": divergence.fault.map { .integer(Int64($0)) } ?? .null,
            "received": divergence.received.map(moment) ?? .null,
            "sent": divergence.sent.map(moment) ?? .null,
            "doubt": divergence.note(in: events, faults).map { .string($0) } ?? .null,
        ]
    }

    /// Returns the index of the event that best explains a missed deadline: the event whose value was nearest to the
    /// expected value or, if no event is marked as nearest, the last observed event.
    private func shown(_ divergence: Divergence) -> Int? {
        let seen = run.expectations[divergence.expectation].seen.filter { events.indices.contains($0.event) }
        return (seen.first(where: \.isNearest) ?? seen.last)?.event
    }

    /// Returns an event as JSON. The event need not be in the table of displayed events.
    private func moment(_ index: Int) -> JSON {
        [
            "event": .integer(Int64(index)),
            "time": .integer(events[index].time.nanoseconds),
            "name": .string(events[index].name),
            "key": events[index].key.map { .string($0) } ?? .null,
        ]
    }
}
