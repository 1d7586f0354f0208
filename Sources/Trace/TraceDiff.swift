package import SquallCore

/// The first event that differs between two recordings, with the events before and after it in both.
package struct TraceDiff: Hashable, Sendable {
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case time, client, name, key, change, provenance, cause
        /// Only one of the recordings has an event at this index.
        case presence
        /// All events are equal, but the runs ended at different times.
        case end
        /// All events are equal, but the scripts had different outcomes.
        case ending
    }

    /// The index of the first event that differs.
    package let index: Int
    package let left: TraceEvent?
    package let right: TraceEvent?
    /// The differing parts of the event or of the run's end; never empty.
    package let parts: [Part]
    /// The last events before the difference, which are equal in both recordings.
    package let before: [TraceEvent]
    package let leftAfter: [TraceEvent]
    package let rightAfter: [TraceEvent]
    package let leftEnd: Instant
    package let rightEnd: Instant
    package let leftEnding: RunEnding
    package let rightEnding: RunEnding

    /// Compares two recordings; returns nil if they are equal.
    ///
    /// `context` is the maximum number of events to keep before and after the difference.
    package static func between(_ left: Recording, _ right: Recording, context: Int = 3) -> TraceDiff? {
        let shared = min(left.events.count, right.events.count)
        var index = 0
        while index < shared, left.events[index] == right.events[index] { index += 1 }
        let here = left.events.dropFirst(index).first
        let there = right.events.dropFirst(index).first
        let parts: [Part] =
            switch (here, there) {
            case (nil, nil): (left.end == right.end ? [] : [.end]) + (left.ending == right.ending ? [] : [.ending])
            case (let here?, let there?): differences(here, there)
            case (nil, _?), (_?, nil): [.presence]
            }
        guard !parts.isEmpty else { return nil }
        return TraceDiff(
            index: index,
            left: here,
            right: there,
            parts: parts,
            before: Array(left.events[max(0, index - max(context, 0))..<index]),
            leftAfter: Array(left.events.dropFirst(index + 1).prefix(max(context, 0))),
            rightAfter: Array(right.events.dropFirst(index + 1).prefix(max(context, 0))),
            leftEnd: left.end,
            rightEnd: right.end,
            leftEnding: left.ending,
            rightEnding: right.ending
        )
    }

    private static func differences(_ left: TraceEvent, _ right: TraceEvent) -> [Part] {
        var parts: [Part] = []
        if left.time != right.time { parts.append(.time) }
        if left.client != right.client { parts.append(.client) }
        if left.name != right.name { parts.append(.name) }
        if left.key != right.key { parts.append(.key) }
        if left.observation.change != right.observation.change { parts.append(.change) }
        if left.observation.provenance != right.observation.provenance { parts.append(.provenance) }
        if left.cause != right.cause { parts.append(.cause) }
        return parts
    }
}

extension TraceDiff: CustomStringConvertible {
    /// A multi-line description in the style of a text diff: `-` marks the left recording, `+` the right one.
    package var description: String {
        let what = parts.map(\.rawValue).joined(separator: ", ")
        var lines = ["event \(index) differs (\(what))"]
        if parts.contains(.time), let left, let right {
            lines.append("    at \(left.time.nanoseconds) ns and at \(right.time.nanoseconds) ns")
        }
        lines += before.map { "    \($0)" }
        if parts != [.ending] {
            lines.append("  - \(left.map(String.init(describing:)) ?? "the run ends at \(leftEnd)")")
            lines += leftAfter.map { "  - \($0)" }
            lines.append("  + \(right.map(String.init(describing:)) ?? "the run ends at \(rightEnd)")")
            lines += rightAfter.map { "  + \($0)" }
        }
        if parts.contains(.ending) { lines += ["  - \(leftEnding)", "  + \(rightEnding)"] }
        return lines.joined(separator: "\n")
    }
}

extension TraceEvent: CustomStringConvertible {
    /// The event in one line, such as `#12 1.500 anna.connection.state = "connected"`, followed by its cause, if known.
    package var description: String { line + (cause.map { " (after #\($0))" } ?? "") }

    /// The event in one line, without its cause.
    var line: String {
        "#\(index) \(time) \(ObservedName(client: client, name: name, key: key))\(observation.change.tail)"
    }
}

extension Change {
    /// A description of the change to append to a name, such as ` = "connected"` or ` {"attempt":1}`; empty for an
    /// event without fields.
    package var tail: String {
        switch self {
        case .happened(let fields): fields.members?.isEmpty == false ? " \(fields)" : ""
        case .set(let value): " = \(value)"
        case .inserted(let index, let item): " + \(item) at \(index)"
        case .removed(let index): " - item \(index)"
        case .replaced(let index, let item): " item \(index) = \(item)"
        }
    }
}
