import SquallCore

/// Encodes a JSON object of the protocol, member by member, with the field names of a wire profile.
package struct ObjectWriter {
    private let tables: WireTables
    private var bytes: [UInt8]

    /// Creates a writer for a frame, which begins with its type.
    init(_ role: FrameRole, _ tables: WireTables) {
        self.tables = tables
        bytes = []
        bytes.reserveCapacity(160)
        bytes += tables.openings[role] ?? [UInt8(ascii: "{")]
    }

    /// Creates a writer for an object without a type.
    init(_ tables: WireTables) {
        self.tables = tables
        bytes = [UInt8(ascii: "{")]
    }

    consuming func finish() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    mutating func put(_ field: WireField, _ text: String) {
        put(field, JSON.string(text))
    }

    /// Writes a string; writes nothing if `text` is nil.
    mutating func put(_ field: WireField, _ text: String?) {
        if let text { put(field, text) }
    }

    mutating func put(_ field: WireField, _ number: Int64) {
        put(field, JSON.integer(number))
    }

    mutating func put(_ field: WireField, _ flag: Bool) {
        put(field, JSON.bool(flag))
    }

    mutating func put(_ field: WireField, moment: Int64?) {
        guard let moment else { return }
        switch tables.timestampForm {
        case .iso8601:
            begin(field)
            bytes.append(UInt8(ascii: "\""))
            bytes += WireTimestamp.bytes(moment)
            bytes.append(UInt8(ascii: "\""))
        case .milliseconds:
            put(field, min(max(moment, WireTimestamp.range.lowerBound), WireTimestamp.range.upperBound))
        }
    }

    /// Writes a duration in whole milliseconds, rounded up so that a client never retries too early; negative durations
    /// become 0.
    mutating func put(_ field: WireField, _ span: TimeSpan?) {
        guard let span else { return }
        let (whole, rest) = max(span.nanoseconds, 0).quotientAndRemainder(dividingBy: 1_000_000)
        put(field, rest > 0 ? whole + 1 : whole)
    }

    mutating func put(_ field: WireField, _ object: some WireObject) {
        begin(field)
        append(object)
    }

    mutating func put(_ field: WireField, _ objects: [some WireObject]) {
        begin(field)
        bytes.append(UInt8(ascii: "["))
        for (index, object) in objects.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(object)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ object: some WireObject) {
        bytes.append(UInt8(ascii: "{"))
        object.write(to: &self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func put(_ field: WireField, _ value: JSON) {
        begin(field)
        value.encode(into: &bytes)
    }

    private mutating func begin(_ field: WireField) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes += tables.key(field)
    }
}
