extension JSON {
    /// Reads one value with nothing but white space around it, strictly by RFC 8259.
    ///
    /// Refused beyond the grammar: a byte order mark, invalid UTF-8, half a surrogate pair, and what `limits` say.
    package static func decode(_ bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in try decode(bytes, limits: limits) }
    }

    /// Error offsets count from the beginning of the slice.
    package static func decode(_ bytes: ArraySlice<UInt8>, limits: JSONLimits = .default) throws(JSONError) -> JSON {
        try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in try decode(bytes, limits: limits) }
    }

    /// Error offsets count bytes of UTF-8.
    package static func decode(_ text: String, limits: JSONLimits = .default) throws(JSONError) -> JSON {
        try text.withBytes { bytes in
            Result { () throws(JSONError) in try decode(bytes, limits: limits) }
        }.get()
    }

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
