import ChatWire
import SquallCore
import Trace

/// The label of an event in a diagram: the event's lane (column), and its name without the actor, which the lane
/// already identifies.
struct EventWords {
    static let lanes = ["User and device", "Client", "Network", "Server"]
    /// The maximum length of a formatted value, in characters.
    private static let longest = 160

    /// The index, in ``lanes``, of the lane (column) in which the event is drawn.
    let lane: Int
    let name: String
    /// The formatted value or fields of the event; empty if it has none.
    let said: String

    init(_ event: TraceEvent) {
        let actor = event.name.prefix { $0 != "." }
        // Every value that a client reports is drawn in the client's lane (column), even if it is about another actor.
        if event.fields == nil, event.client != nil {
            lane = 1
        } else {
            lane = ["user": 0, "device": 0, "network": 2, "fault": 2, "server": 3][String(actor)] ?? 1
        }
        var name = event.name[...]
        if ["client.", "network.", "server."].contains(where: { name.hasPrefix($0) }), lane > 0 {
            name = name.dropFirst(actor.count + 1)
        }
        for wire in ["sent.", "received.", "requested.", "answered."] where name.hasPrefix(wire) {
            name = name.dropFirst(wire.count)
            break
        }
        self.name = String(name)
        let text =
            switch event.observation.change {
            case .happened(let fields): Self.text(of: fields, named: "")
            case .set(let value): Self.text(of: value, named: event.name)
            case .inserted(let index, let item): "+ \(Self.text(of: item, named: "")) at \(index)"
            case .removed(let index): "- item \(index)"
            case .replaced(let index, let item): "item \(index) is \(Self.text(of: item, named: ""))"
            }
        said = text.count > Self.longest ? "\(text.prefix(Self.longest - 1))…" : text
    }

    /// The names of fields whose values are durations in nanoseconds.
    private static let spans: Set<Substring> = ["delay", "latency", "retry_after"]
    /// The names of fields whose values are points in time in milliseconds since 1970.
    private static let moments: Set<Substring> = ["timestamp", "deleted_at"]

    /// Formats a value briefly: strings without quotes, null as a dash, durations with a unit.
    private static func text(of value: JSON, named name: String) -> String {
        switch value {
        case .null: return "–"
        case .string(let text): return text.isEmpty ? "\"\"" : text
        case .integer(let number):
            let last = name.split(separator: ".").last ?? ""
            if moments.contains(last) { return moment(number) }
            guard spans.contains(last) || last.hasPrefix("mean_") || last.hasSuffix("_in") else { return "\(number)" }
            return "\(TimeSpan(nanoseconds: number).shortened)"
        case .array(let items): return "[\(items.map { text(of: $0, named: name) }.joined(separator: ", "))]"
        case .object(let members):
            return members.filter { !$0.value.isNull }.map { "\($0.name) \(text(of: $0.value, named: $0.name))" }
                .joined(separator: ", ")
        case .bool, .number: return "\(value)"
        }
    }

    /// Formats a point in time as on the HTML page, such as `2026-01-01 00:00:00.001`.
    private static func moment(_ milliseconds: Int64) -> String {
        guard (100_000_000_001..<100_000_000_000_000).contains(milliseconds) else { return "\(milliseconds)" }
        let text = WireTimestamp.text(milliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).dropLast())"
    }
}

extension TimeSpan {
    /// The duration, truncated to whole milliseconds if it is at least ten milliseconds.
    fileprivate var shortened: TimeSpan { nanoseconds.magnitude < 10_000_000 ? self : .milliseconds(milliseconds) }
}
