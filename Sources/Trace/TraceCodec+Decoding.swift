import SquallCore

extension TraceCodec {
    /// Decodes a saved trace. Blank lines are skipped.
    ///
    /// - Throws: ``TraceCodecError``, with the line number, if the bytes are not a complete trace in this version of
    ///   the format, or the events do not match their digest.
    package static func decode(_ bytes: [UInt8]) throws(TraceCodecError) -> Recording {
        var header: TraceHeader?
        var events: [TraceEvent] = []
        var recording: Recording?
        var number = 0
        for slice in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let isBlank = slice.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == 9 }
            guard !isBlank else { continue }
            guard recording == nil else { throw TraceCodecError(number, "unexpected line after the end line") }
            let line = try TraceLine(slice, number: number)
            guard let known = header else {
                header = try line.header()
                continue
            }
            if let end = try line.end(after: events) {
                recording = Recording(
                    header: known,
                    events: events,
                    end: end,
                    ending: try line.ending(of: known),
                    actions: try line.actions(upTo: events.count)
                )
                try line.checkDigest(of: events, end: end)
            } else {
                events.append(try line.event(after: events.last))
            }
        }
        guard header != nil else { throw TraceCodecError(max(number, 1), "no header: this is not a trace") }
        guard let recording else { throw TraceCodecError(number, "the file stops before its end line") }
        return recording
    }
}

/// One line of a trace that is being decoded.
private struct TraceLine {
    let number: Int
    let value: JSON

    init(_ bytes: ArraySlice<UInt8>, number: Int) throws(TraceCodecError) {
        self.number = number
        do {
            value = try JSON.decode(bytes)
        } catch {
            throw TraceCodecError(number, error.message)
        }
        guard value.members != nil else { throw TraceCodecError(number, "not a JSON object") }
    }

    func header() throws(TraceCodecError) -> TraceHeader {
        guard let version = value["squall_trace"]?.intValue else {
            throw TraceCodecError(number, "no header: a trace begins with {\"squall_trace\":\(TraceCodec.version)")
        }
        guard version == TraceCodec.version else {
            throw TraceCodecError(
                number,
                "unsupported format version \(version); this version of Squall reads \(TraceCodec.version)"
            )
        }
        let clock = try text("clock")
        guard let clock = TraceHeader.Clock(rawValue: clock) else {
            throw TraceCodecError(number, "unknown clock \"\(clock)\"")
        }
        var defects: [String] = []
        for item in value["defects"]?.arrayValue ?? [] {
            guard let name = item.stringValue else {
                throw TraceCodecError(number, "\"defects\" is not a list of texts")
            }
            defects.append(name)
        }
        return TraceHeader(
            language: Int(clamping: try integer("language")),
            tool: try text("tool"),
            scenario: try text("scenario"),
            variant: try optionalText("case"),
            profile: try text("profile"),
            seed: try seed(),
            clock: clock,
            defects: defects,
            client: value["client"]
        )
    }

    /// Returns the time at which the run ended; nil unless this is the end line.
    func end(after events: [TraceEvent]) throws(TraceCodecError) -> Instant? {
        guard value["end"] != nil else { return nil }
        let end = Instant(nanoseconds: try integer("end"))
        if let last = events.last, end < last.time {
            throw TraceCodecError(number, "the run ends before its last event")
        }
        let count = try integer("events")
        guard count == Int64(events.count) else {
            throw TraceCodecError(number, "\"events\" is \(count), but the file has \(events.count)")
        }
        return end
    }

    func ending(of header: TraceHeader) throws(TraceCodecError) -> RunEnding {
        guard let ending = RunEnding(value, file: header.scenario) else {
            throw TraceCodecError(number, "\"script\" has no known \"outcome\"")
        }
        return ending
    }

    /// Returns the actions recorded in the end line, in order.
    func actions(upTo count: Int) throws(TraceCodecError) -> [PerformedAction] {
        var actions: [PerformedAction] = []
        for item in value["actions"]?.arrayValue ?? [] {
            let earliest = actions.last?.position ?? 0
            guard let action = PerformedAction(item), (earliest...count).contains(action.position) else {
                throw TraceCodecError(number, "\"actions\" has an entry that is not an action of this run: \(item)")
            }
            actions.append(action)
        }
        return actions
    }

    func checkDigest(of events: [TraceEvent], end: Instant) throws(TraceCodecError) {
        guard let expected = try optionalText("digest") else { return }
        var digest = TraceDigest()
        for event in events { digest.add(event) }
        let found = digest.text(endingAt: end)
        guard found == expected else {
            throw TraceCodecError(number, "\"digest\" is \(expected), expected \(found): the file was changed")
        }
    }

    func event(after previous: TraceEvent?) throws(TraceCodecError) -> TraceEvent {
        let index = try integer("index")
        let expected = (previous?.index ?? -1) + 1
        guard index == Int64(expected) else {
            throw TraceCodecError(number, "\"index\" is \(index), expected \(expected)")
        }
        let time = Instant(nanoseconds: try integer("time"))
        if let previous, time < previous.time {
            throw TraceCodecError(number, "\"time\" is before that of the previous event")
        }
        let by = try text("by")
        guard let provenance = Provenance(rawValue: by) else {
            throw TraceCodecError(number, "unknown provenance \"\(by)\"")
        }
        var cause: Int?
        if value["cause"] != nil {
            let named = try integer("cause")
            guard (0..<index).contains(named) else {
                throw TraceCodecError(number, "\"cause\" is \(named), which is not an earlier event")
            }
            cause = Int(named)
        }
        let observation = Observation(try text("name"), key: try optionalText("key"), try change(), by: provenance)
        return TraceEvent(
            index: expected,
            time: time,
            client: try optionalText("client").map { ClientID($0) },
            observation: observation,
            cause: cause
        )
    }

    private func change() throws(TraceCodecError) -> Change {
        let kinds = ["event", "set", "insert", "remove", "replace"].filter { value[$0] != nil }
        guard kinds.count == 1, let content = value[kinds[0]] else {
            throw TraceCodecError(
                number,
                "expected exactly one of \"event\", \"set\", \"insert\", \"remove\", \"replace\""
            )
        }
        switch kinds[0] {
        case "event":
            guard content.members != nil else { throw TraceCodecError(number, "\"event\" is not an object") }
            return .happened(content)
        case "set": return .set(content)
        case "remove": return .removed(at: Int(clamping: try integer("remove")))
        default:
            guard content.arrayValue?.count == 2, let index = content[0]?.intValue, let item = content[1] else {
                throw TraceCodecError(number, "\"\(kinds[0])\" is not [index, item]")
            }
            let place = Int(clamping: index)
            return kinds[0] == "insert" ? .inserted(at: place, item) : .replaced(at: place, item)
        }
    }

    private func integer(_ name: String) throws(TraceCodecError) -> Int64 {
        guard let member = value[name] else { throw TraceCodecError(number, "missing \"\(name)\"") }
        guard let integer = member.intValue else { throw TraceCodecError(number, "\"\(name)\" is not a whole number") }
        return integer
    }

    private func text(_ name: String) throws(TraceCodecError) -> String {
        guard let text = try optionalText(name) else { throw TraceCodecError(number, "missing \"\(name)\"") }
        return text
    }

    private func optionalText(_ name: String) throws(TraceCodecError) -> String? {
        guard let member = value[name] else { return nil }
        guard let text = member.stringValue else { throw TraceCodecError(number, "\"\(name)\" is not a text") }
        return text
    }

    private func seed() throws(TraceCodecError) -> Seed {
        guard let seed = value["seed"]?.unsignedValue else {
            throw TraceCodecError(number, "\"seed\" is not a whole number from 0 to \(UInt64.max)")
        }
        return Seed(seed)
    }
}
