package import Deflate

/// A complete message or control frame, as delivered to the application.
package enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    case close(ClosePayload)
}

/// Assembles the frames of a ``FrameDecoder`` into messages, and validates text messages and close frames (RFC 6455
/// sections 5.4 to 5.6).
package struct MessageAssembler: Sendable {
    private let maxSize: Int
    /// The opcode of the incomplete message; nil if there is none.
    private var unfinished: Opcode?
    /// The payload received so far for the incomplete message.
    private var payload: [UInt8] = []
    private var validator = UTF8Validator()
    /// The number of payload bytes of the incomplete frame that have been validated.
    private var validatedCount = 0
    /// The decompressor; nil if permessage-deflate was not negotiated.
    private var inflater: Inflater?
    /// Whether the incomplete message is compressed.
    private var isCompressed = false

    /// Creates an assembler.
    ///
    /// - Parameters:
    ///   - maxSize: The maximum size of a message in bytes, across all fragments and after decompression.
    ///   - inflater: Decompresses the messages whose first frame has RSV1 set (RFC 7692 section 6); nil if
    ///     permessage-deflate was not negotiated.
    package init(maxSize: Int, inflater: Inflater? = nil) {
        self.maxSize = maxSize
        self.inflater = inflater
    }

    /// Validates the part of an incomplete frame received so far, so that a message fails at its first invalid byte.
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
        guard validator.firstError(in: frame.payload, from: validatedCount) == nil else { throw .invalidUTF8 }
        validatedCount = frame.payload.count
    }

    /// Decompresses the bytes of a frame that have arrived since the last check.
    private mutating func inflate(_ frame: WebSocketFrame) throws(ProtocolViolation) {
        let (start, before) = (validatedCount, payload.count)
        validatedCount = frame.payload.count
        var failure: DeflateError?
        do throws(DeflateError) {
            guard inflater != nil else { throw .malformed }
            try inflater?.decompress(frame.payload[start...], into: &payload, limit: maxSize)
        } catch {
            failure = error
        }
        try validate(before, failure, isText: (unfinished ?? frame.header.opcode) == .text)
    }

    /// Validates the decompressed bytes before reporting a decompression failure, so that the error does not depend on
    /// how the bytes are divided into frames and reads.
    private mutating func validate(_ before: Int, _ failure: DeflateError?, isText: Bool) throws(ProtocolViolation) {
        if isText && validator.firstError(in: payload, from: before) != nil { throw .invalidUTF8 }
        switch failure {
        case nil: break
        case .tooLong: throw .messageTooBig(limit: maxSize)
        case .malformed, .unavailable: throw .malformedCompression
        }
    }

    /// Handles a complete frame. Returns the message that the frame completes, or nil if the message is incomplete.
    ///
    /// The assembler must not be used after it has thrown a violation.
    package mutating func receive(_ frame: WebSocketFrame) throws(ProtocolViolation) -> WebSocketMessage? {
        switch frame.header.opcode {
        case .ping: return .ping(frame.payload)
        case .pong: return .pong(frame.payload)
        case .close: return .close(try ClosePayload(parsing: frame.payload))
        case .continuation, .text, .binary: break
        default: throw .reservedOpcode(frame.header.opcode)
        }
        try inspect(frame)
        validatedCount = 0
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
        try validate(before, failure, isText: isText)
    }
}
