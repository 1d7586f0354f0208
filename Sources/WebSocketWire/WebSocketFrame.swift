/// A frame, valid or not. Its header is written unchanged, even if it does not match the payload.
package struct WebSocketFrame: Hashable, Sendable {
    package var header: FrameHeader
    /// The unmasked payload.
    package var payload: [UInt8]

    /// Creates a frame with any header, even one that does not match the payload. Decoders and tests use this
    /// initializer.
    package init(header: FrameHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }

    /// Creates a frame whose header matches its payload.
    package init(fin: Bool = true, _ opcode: Opcode, maskKey: UInt32? = nil, payload: [UInt8] = []) {
        header = FrameHeader(fin: fin, opcode: opcode, maskKey: maskKey, length: UInt64(payload.count))
        self.payload = payload
    }

    package func encode() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(header.size + payload.count)
        append(to: &bytes)
        return bytes
    }

    /// Appends the encoded frame. No capacity is reserved, because reserving the exact size for each of many frames
    /// would copy the buffer every time.
    package func append(to bytes: inout [UInt8]) {
        header.append(to: &bytes)
        let start = bytes.count
        bytes.append(contentsOf: payload)
        if let key = header.maskKey {
            applyMask(key, to: &bytes, from: start)
        }
    }
}
