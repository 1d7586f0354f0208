import SquallCore

/// The reason why a saved trace cannot be decoded.
package struct TraceCodecError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the invalid line, counted from 1.
    package let line: Int
    package let problem: String

    init(_ line: Int, _ problem: String) {
        self.line = line
        self.problem = problem
    }

    /// The error in one line, such as `line 12: missing "time"`.
    package var description: String { "line \(line): \(problem)" }
}

/// Encodes and decodes recordings as JSON Lines: a header, one line for each event, and an end line.
///
///     {"squall_trace":1,"language":1,"tool":"squall 1.0","scenario":"restart","profile":"chat-ux","seed":7,…}
///     {"index":0,"time":0,"client":"anna","name":"connection.state","set":"idle","by":"reported"}
///     {"index":1,"time":1500000,"name":"server.stored","key":"hello","event":{"sequence":1},"by":"observed","cause":0}
///     {"end":30000000000,"events":2,"digest":"0f3c…","script":{"outcome":"finished","ended":1500000}}
///
/// The end line holds the ``RunEnding``; if it has no `script`, the script finished. Its `actions` are the performed
/// actions, each a ``PerformedAction``. Times are integers in nanoseconds. A change is one of `event` (fields), `set`
/// (value), `insert` and `replace` (index, item), `remove` (index). A `digest` that does not match the events is an
/// error; remove it if you edit a trace deliberately.
package enum TraceCodec {
    /// The version of the trace format.
    package static let version: Int64 = 1

    /// Encodes a complete recording.
    package static func encode(_ recording: Recording) -> [UInt8] {
        var bytes: [UInt8] = []
        encode(recording.header, into: &bytes)
        var digest = TraceDigest()
        for event in recording.events {
            encode(event, into: &bytes)
            digest.add(event)
        }
        var end: JSON = [
            "end": .integer(recording.end.nanoseconds),
            "events": .integer(Int64(recording.events.count)),
            "digest": .string(digest.text(endingAt: recording.end)),
        ]
        recording.ending.write(to: &end)
        if !recording.actions.isEmpty { end.set("actions", to: .array(recording.actions.map(\.json))) }
        append(end, to: &bytes)
        return bytes
    }

    /// Appends the header line to a trace that is written while its run is in progress.
    package static func encode(_ header: TraceHeader, into bytes: inout [UInt8]) {
        var members = [
            JSONMember("squall_trace", .integer(version)),
            JSONMember("language", .integer(Int64(header.language))),
            JSONMember("tool", .string(header.tool)),
            JSONMember("scenario", .string(header.scenario)),
        ]
        if let variant = header.variant { members.append(JSONMember("case", .string(variant))) }
        members += [
            JSONMember("profile", .string(header.profile)),
            JSONMember("seed", JSON(unsigned: header.seed.value)),
            JSONMember("clock", .string(header.clock.rawValue)),
            JSONMember("defects", .array(header.defects.map(JSON.string))),
        ]
        if let client = header.client { members.append(JSONMember("client", client)) }
        append(.object(members), to: &bytes)
    }

    /// Appends the line of one event.
    package static func encode(_ event: TraceEvent, into bytes: inout [UInt8]) {
        var members: [JSONMember] = []
        members.reserveCapacity(8)
        members.append(JSONMember("index", .integer(Int64(event.index))))
        members.append(JSONMember("time", .integer(event.time.nanoseconds)))
        if let client = event.client { members.append(JSONMember("client", .string(client.name))) }
        members.append(JSONMember("name", .string(event.name)))
        if let key = event.key { members.append(JSONMember("key", .string(key))) }
        switch event.observation.change {
        case .happened(let fields): members.append(JSONMember("event", fields))
        case .set(let value): members.append(JSONMember("set", value))
        case .inserted(let index, let item):
            members.append(JSONMember("insert", [.integer(Int64(index)), item]))
        case .removed(let index):
            members.append(JSONMember("remove", .integer(Int64(index))))
        case .replaced(let index, let item):
            members.append(JSONMember("replace", [.integer(Int64(index)), item]))
        }
        members.append(JSONMember("by", .string(event.observation.provenance.rawValue)))
        if let cause = event.cause { members.append(JSONMember("cause", .integer(Int64(cause)))) }
        append(.object(members), to: &bytes)
    }

    private static func append(_ value: JSON, to bytes: inout [UInt8]) {
        value.encode(into: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
