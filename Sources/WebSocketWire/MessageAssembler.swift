/// What a frame, or the last of several, says to the application.
package enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(ClosePayload)
}

/// Messages from the frames of a ``FrameDecoder``: fragments put together, texts and closes checked (RFC 6455 sections
/// 5.4 to 5.6).
package struct MessageAssembler: Sendable {
    private let maxSize: Int
    /// The kind of the message whose last fragment is still to come.
    private var unfinished: Opcode?
    /// Of that message so far.
    private var payload: [UInt8] = []
    private var validator = UTF8Validator()
    /// How much of the frame under way the validator has read.
    private var validated = 0

    /// `maxSize` is in bytes, over all fragments.
    package init(maxSize: Int) {
        self.maxSize = maxSize
    }

    /// Judges a frame that is still arriving as far as it is there, so that a message fails at its first wrong byte.
    package mutating func inspect(_ frame: WebSocketFrame) throws(ProtocolViolation) {
        guard !frame.header.opcode.isControl else { return }
        switch (frame.header.opcode, unfinished) {
        case (.continuation, nil): throw .unexpectedContinuation
        case (.continuation, .some), (_, nil): break
        case (_, .some): throw .interruptedMessage
        }
        let room = UInt64(max(maxSize - payload.count, 0))
        guard frame.header.length <= room else { throw .messageTooBig(limit: maxSize) }
        guard (unfinished ?? frame.header.opcode) == .text else { return }
        guard validator.firstError(in: frame.payload, from: validated) == nil else { throw .invalidUTF8 }
        validated = frame.payload.count
    }

    /// Takes a whole frame; nil unless a message ends with it.
    ///
    /// After a violation the assembler is of no further use.
    package mutating func receive(_ frame: WebSocketFrame) throws(ProtocolViolation) -> WebSocketMessage? {
        switch frame.header.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .close: return .close(try ClosePayload(parsing: frame.payload))
        case .continuation, .text, .binary: break
        default: throw .reservedOpcode(frame.header.opcode)
        }
        try inspect(frame)
        validated = 0
        let opcode = unfinished ?? frame.header.opcode
        if unfinished == nil {
            payload = frame.payload
        } else {
            payload.append(contentsOf: frame.payload)
        }
        guard frame.header.fin else {
            unfinished = opcode
            return nil
        }
        defer {
            unfinished = nil
            payload = []
        }
        guard opcode == .text else { return .binary(payload) }
        guard validator.isComplete else { throw .invalidUTF8 }
        return .text(String(decoding: payload, as: UTF8.self))
    }
}
