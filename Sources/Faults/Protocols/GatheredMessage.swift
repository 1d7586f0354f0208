import WebSocketWire

/// The message that is gathered until it can be judged.
struct GatheredMessage: Sendable {
    /// Its frames as they came, with control frames between them.
    var raw: [UInt8] = []
    /// Control frames alone.
    var control: [UInt8] = []
    /// Of its first frame.
    let header: FrameHeader
    var payload: [UInt8] = []
    /// Of the present frame.
    var maskKey: UInt32?
    var frameOffset = 0
    var isControlFrame = false

    init(header: FrameHeader) {
        self.header = header
    }

    mutating func begin(_ header: FrameHeader, _ bytes: [UInt8]) {
        raw += bytes
        isControlFrame = header.opcode.isControl && !self.header.opcode.isControl
        if isControlFrame { control += bytes }
        maskKey = header.maskKey
        frameOffset = 0
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        raw += bytes
        if isControlFrame {
            control += bytes
            return
        }
        guard let maskKey else {
            payload += bytes
            return
        }
        for byte in bytes {
            payload.append(byte ^ UInt8(truncatingIfNeeded: maskKey >> UInt32(8 * (3 - frameOffset & 3))))
            frameOffset += 1
        }
    }

    /// Whether the frame that has just ended was the last.
    func isWhole(_ last: FrameHeader) -> Bool {
        last.fin && !isControlFrame
    }

    /// The message as one frame with this payload, masked as it was.
    func frame(_ payload: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(header.opcode, maskKey: header.maskKey, payload: payload)
    }

    /// The message as one frame with the beginning of its payload.
    ///
    /// A close keeps its code and whole scalars of its reason, or says nothing (RFC 6455 section 5.5.1).
    func truncated(to count: Int) -> WebSocketFrame {
        guard header.opcode == .close, payload.count >= 2 else { return frame(Array(payload.prefix(count))) }
        let code = CloseCode(UInt16(payload[0]) << 8 | UInt16(payload[1]))
        return frame(ClosePayload(code, reason: String(decoding: payload[2...], as: UTF8.self)).encode(atMost: count))
    }

    /// The message as one frame that says this instead; a close says what is given for it, and what does not fit into a control
    /// frame is cut off (RFC 6455 section 5.5).
    func rewritten(_ text: String, closing: ClosePayload) -> WebSocketFrame {
        switch header.opcode {
        case .close: frame(closing.encode())
        case let opcode: frame(Array(text.utf8.prefix(opcode.isControl ? 125 : .max)))
        }
    }

    /// The message without what came between its frames.
    var again: [UInt8] { control.isEmpty ? raw : frame(payload).encode() }
}
