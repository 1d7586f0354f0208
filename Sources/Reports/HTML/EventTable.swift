import SquallCore
import Trace

/// A run's events encoded as tables and one array of small numbers, which takes a fifth of the space of objects with
/// named members.
///
/// An event is five numbers: the nanoseconds since the previous event, the indices of its name, key and value, and the
/// distance in events to its cause (0 if there is none). The table of names also contains the client, the provenance
/// and the kind of change. Each entry of `skips` describes a gap by two numbers: the number of included events before
/// it and the number of omitted events.
struct EventTable {
    private var names = Interner<Name>()
    private var keys = Interner<String>()
    private var values = Interner<JSON>()
    private var numbers: [JSON] = []
    private var skips: [JSON] = []

    private struct Name: Hashable {
        var name: String
        var client: ClientID?
        var provenance: Provenance
        /// The kind of change: 0 for an event, 1 set, 2 inserted, 3 removed, 4 replaced.
        var change: Int
    }

    init(_ events: [TraceEvent], _ selection: EventSelection) {
        append(selection.places.lazy.map { ($0, events[$0]) }, of: events.count)
    }

    /// Encodes part of a trace. The events keep their indices in the whole trace.
    init(part events: some Sequence<TraceEvent>) {
        append(events.lazy.map { ($0.index, $0) }, of: 0)
    }

    /// Appends events, each with its index in a trace that has `count` events.
    private mutating func append(_ events: some Sequence<(Int, TraceEvent)>, of count: Int) {
        var last = Instant.zero
        var next = 0
        var written = 0
        for (place, event) in events {
            if place > next { skips.append([.integer(Int64(written)), .integer(Int64(place - next))]) }
            next = place + 1
            append(event, at: place, after: last)
            last = event.time
            written += 1
        }
        if next < count { skips.append([.integer(Int64(written)), .integer(Int64(count - next))]) }
    }

    private mutating func append(_ event: TraceEvent, at place: Int, after last: Instant) {
        let (change, value) = event.observation.change.numbered
        let name = Name(
            name: event.name,
            client: event.client,
            provenance: event.observation.provenance,
            change: change
        )
        numbers.append(.integer((event.time - last).nanoseconds))
        add(names.number(of: name))
        add(event.key.map { keys.number(of: $0) } ?? -1)
        add(values.number(of: value))
        add(event.cause.map { max(0, place - $0) } ?? 0)
    }

    private mutating func add(_ number: Int) {
        numbers.append(.integer(Int64(number)))
    }

    /// The members of the run's JSON object that hold the tables.
    var members: [JSONMember] {
        let provenances = Provenance.allCases
        return [
            JSONMember(
                "names",
                .array(
                    names.values.map { name in
                        [
                            .string(name.name), name.client.map { .string($0.name) } ?? .null,
                            .integer(Int64(provenances.firstIndex(of: name.provenance) ?? 0)),
                            .integer(Int64(name.change)),
                        ]
                    }
                )
            ),
            JSONMember("keys", .array(keys.values.map { .string($0) })),
            JSONMember("values", .array(values.values)),
            JSONMember("events", .array(numbers)),
            JSONMember("skips", .array(skips)),
        ]
    }
}

extension Change {
    fileprivate var numbered: (Int, JSON) {
        switch self {
        case .happened(let fields): (0, fields)
        case .set(let value): (1, value)
        case .inserted(let index, let item): (2, [.integer(Int64(index)), item])
        case .removed(let index): (3, .integer(Int64(index)))
        case .replaced(let index, let item): (4, [.integer(Int64(index)), item])
        }
    }
}
