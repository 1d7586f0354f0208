import WebSocketWire

/// A message whose bytes are buffered until it is complete.
struct BufferedMessage: Sendable {
    /// All frames as they arrived, including the control frames between them.
    var raw: [UInt8] = []
    /// The control frames that arrived between the message's own frames.
    var control: [UInt8] = []
    /// The header of the message's first frame.
    let header: FrameHeader
    var payload: [UInt8] = []
    /// The masking key of the current frame; nil if it is not masked.
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

    /// Returns whether the frame that has just ended completes the message; `last` is the frame's header.
    func isWhole(_ last: FrameHeader) -> Bool {
        last.fin && !isControlFrame
    }

    /// Returns the message as a single frame with `payload` and the message's masking key.
    func frame(_ payload: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(header.opcode, maskKey: header.maskKey, payload: payload)
    }

    /// Returns the message as a single frame with the first `count` bytes of its payload.
    ///
    /// A close frame keeps its code and as many whole characters of its reason as fit, or has an empty payload (RFC
    /// 6455 section 5.5.1).
    func truncated(to count: Int) -> WebSocketFrame {
        guard header.opcode == .close, payload.count >= 2 else { return frame(Array(payload.prefix(count))) }
        let code = CloseCode(UInt16(payload[0]) << 8 | UInt16(payload[1]))
        return frame(ClosePayload(code, reason: String(decoding: payload[2...], as: UTF8.self)).encode(atMost: count))
    }

    /// Returns the message as a single frame with `text` as its payload. If the message is a close frame, its payload
    /// is `closing` instead.
    ///
    /// In a control frame, a text that is too long is truncated (RFC 6455 section 5.5).
    func rewritten(_ text: String, closing: ClosePayload) -> WebSocketFrame {
        switch header.opcode {
        case .close: frame(closing.encode())
        case let opcode: frame(Array(text.utf8.prefix(opcode.isControl ? 125 : .max)))
        }
    }

    /// The message's bytes, without the control frames that arrived between its own frames.
    var withoutControl: [UInt8] { control.isEmpty ? raw : frame(payload).encode() }
}
