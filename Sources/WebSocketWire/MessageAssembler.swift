package import Deflate

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
    /// How much of the frame under way was judged.
    private var judged = 0
    /// Where permessage-deflate was agreed on.
    private var inflater: Inflater?
    /// Whether the unfinished message is compressed.
    private var isCompressed = false

    /// `maxSize`: in bytes, over all fragments, of what compressed data decompresses to. `inflater`: decompresses the
    /// messages that begin with RSV1; without one there are none (RFC 7692 section 6).
    package init(maxSize: Int, inflater: Inflater? = nil) {
        self.maxSize = maxSize
        self.inflater = inflater
    }

    /// Judges a frame that is still arriving as far as it is there, so that a message fails at its first wrong byte.
    package mutating func inspect(_ frame: WebSocketFrame) throws(ProtocolViolation) {
        guard !frame.header.opcode.isControl else { return }
        switch (frame.header.opcode, unfinished) {
        case (.continuation, nil): throw .unexpectedContinuation
        case (.continuation, .some), (_, nil): break
        case (_, .some): throw .interruptedMessage
        }
        guard !(unfinished == nil ? frame.header.rsv1 : isCompressed) else { return try inflate(frame) }
        let room = UInt64(max(maxSize - payload.count, 0))
        guard frame.header.length <= room else { throw .messageTooBig(limit: maxSize) }
        guard (unfinished ?? frame.header.opcode) == .text else { return }
        guard validator.firstError(in: frame.payload, from: judged) == nil else { throw .invalidUTF8 }
        judged = frame.payload.count
    }

    /// Decompresses what has come of a frame since it was looked at last.
    private mutating func inflate(_ frame: WebSocketFrame) throws(ProtocolViolation) {
        let (start, before) = (judged, payload.count)
        judged = frame.payload.count
        var failure: DeflateError?
        do throws(DeflateError) {
            guard inflater != nil else { throw .malformed }
            try inflater?.decompress(frame.payload[start...], into: &payload, limit: maxSize)
        } catch {
            failure = error
        }
        try judge(before, failure, isText: (unfinished ?? frame.header.opcode) == .text)
    }

    /// What came out before a failure is judged first: so the same fault is found however the bytes are cut.
    private mutating func judge(_ before: Int, _ failure: DeflateError?, isText: Bool) throws(ProtocolViolation) {
        if isText && validator.firstError(in: payload, from: before) != nil { throw .invalidUTF8 }
        switch failure {
        case nil: break
        case .tooLong: throw .messageTooBig(limit: maxSize)
        case .malformed, .unavailable: throw .malformedCompression
        }
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
        judged = 0
        let opcode = unfinished ?? frame.header.opcode
        if unfinished == nil { isCompressed = frame.header.rsv1 }
        if !isCompressed {
            if unfinished == nil {
                payload = frame.payload
            } else {
                payload.append(contentsOf: frame.payload)
            }
        }
        guard frame.header.fin else {
            unfinished = opcode
            return nil
        }
        defer {
            unfinished = nil
            payload = []
        }
        if isCompressed { try finishInflating(isText: opcode == .text) }
        guard opcode == .text else { return .binary(payload) }
        guard validator.isComplete else { throw .invalidUTF8 }
        return .text(String(decoding: payload, as: UTF8.self))
    }

    private mutating func finishInflating(isText: Bool) throws(ProtocolViolation) {
        let before = payload.count
        var failure: DeflateError?
        do throws(DeflateError) {
            try inflater?.finish(into: &payload, limit: maxSize)
        } catch {
            failure = error
        }
        try judge(before, failure, isText: isText)
    }
}
