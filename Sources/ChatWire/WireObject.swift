/// A value that is encoded as a JSON object.
package protocol WireObject: Hashable, Sendable {
    static var shape: ObjectShape { get }

    func write(to writer: inout ObjectWriter)
    init(from reader: inout ObjectReader) throws(Malformed)
}

extension WireObject {
    /// Encodes the value as an HTTP body in compact JSON.
    package func encode(_ wire: WireProfile) -> [UInt8] {
        var writer = ObjectWriter(wire.tables)
        write(to: &writer)
        return writer.finish()
    }

    /// Decodes the value from an HTTP body. Fields that are not part of the shape are ignored.
    package static func decode(_ body: [UInt8], _ wire: WireProfile) throws(Malformed) -> Self {
        var reader = try ObjectReader(body, wire.tables)
        return try Self(from: &reader)
    }
}
