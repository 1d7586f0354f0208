extension JSON {
    /// Decodes a JSON text (RFC 8259), which contains one value, optionally surrounded by white space.
    ///
    /// - Throws: ``JSONError`` if the text violates the grammar, has a byte order mark, invalid UTF-8 or a lone
    ///   surrogate, or exceeds the limits.
    package static func decode(_ bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in try decode(bytes, limits: limits) }
    }

    /// Decodes a slice; the offsets in errors are relative to its start.
    package static func decode(_ bytes: ArraySlice<UInt8>, limits: JSONLimits = .default) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in try decode(bytes, limits: limits) }
    }

    /// Decodes a string; the offsets in errors count bytes of UTF-8.
    package static func decode(_ text: String, limits: JSONLimits = .default) throws(JSONError) -> JSON {
        try text.withBytes { bytes in
            Result { () throws(JSONError) in try decode(bytes, limits: limits) }
        }.get()
    }

    /// Decodes the bytes of a buffer, which need not stay valid after the call.
    package static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        limits: JSONLimits = .default
    ) throws(JSONError) -> JSON {
        guard bytes.count <= limits.size else { throw JSONError(.tooLarge, at: limits.size) }
        guard let start = bytes.baseAddress else { throw JSONError(.unexpectedEnd, at: 0) }
        var reader = JSONReader(start, count: bytes.count, limits: limits)
        return try reader.readText()
    }
}
