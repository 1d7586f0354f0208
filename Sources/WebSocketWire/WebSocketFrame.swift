/// One frame, legal or not: its header says what is written, whatever the payload is.
package struct WebSocketFrame: Hashable, Sendable {
    package var header: FrameHeader
    /// Without the mask.
    package var payload: [UInt8]

    /// A header that need not agree with the payload, as a decoder or a test of decoders makes it.
    package init(header: FrameHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }

    /// A frame that is right in itself.
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

    /// Reserves nothing: to make room for each of many frames exactly is to copy all that came before it each time.
    package func append(to bytes: inout [UInt8]) {
        header.append(to: &bytes)
        let start = bytes.count
        bytes.append(contentsOf: payload)
        if let key = header.maskKey {
            applyMask(key, to: &bytes, from: start)
        }
    }
}
