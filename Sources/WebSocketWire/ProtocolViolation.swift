/// A violation of RFC 6455 by the peer, after which no further data can be read.
package enum ProtocolViolation: Error, Hashable, Sendable {
    /// A reserved bit is set without a negotiated extension that defines it (section 5.2).
    case reservedBits
    /// The frame's opcode is reserved (section 5.2).
    case reservedOpcode(Opcode)
    /// A control frame is fragmented (section 5.5).
    case fragmentedControl(Opcode)
    /// A control frame's payload is longer than 125 bytes (section 5.5).
    case oversizedControl(Opcode)
    /// A client's frame is not masked (section 5.1).
    case unmasked
    /// A server's frame is masked (section 5.1).
    case masked
    /// The payload length is not encoded in the shortest form (section 5.2).
    case nonMinimalLength
    /// The highest bit of a 64-bit length is set (section 5.2).
    case lengthTopBit
    /// A continuation frame arrived without a message to continue (section 5.4).
    case unexpectedContinuation
    /// A message begins before the previous one is complete (section 5.4).
    case interruptedMessage
    /// A frame or message exceeds this endpoint's size limit (section 7.4.1).
    case messageTooBig(limit: Int)
    /// A text message (section 5.6) or the reason of a close frame (section 5.5.1) is not valid UTF-8.
    case invalidUTF8
    /// The compressed data cannot be decompressed (RFC 7692 section 7.2.2).
    case malformedCompression
    /// The payload of a close frame is a single byte (section 5.5.1).
    case truncatedCloseCode
    /// A close frame contains a code that must not be sent (section 7.4).
    case invalidCloseCode(CloseCode)

    /// The close code that this endpoint sends when it fails the connection.
    package var closeCode: CloseCode {
        switch self {
        case .messageTooBig: .messageTooBig
        case .invalidUTF8, .malformedCompression: .invalidPayload
        case .reservedBits, .reservedOpcode, .fragmentedControl, .oversizedControl, .unmasked, .masked,
            .nonMinimalLength, .lengthTopBit, .unexpectedContinuation, .interruptedMessage, .truncatedCloseCode,
            .invalidCloseCode:
            .protocolError
        }
    }
}

extension ProtocolViolation: CustomStringConvertible {
    /// A description short enough to be sent as a close frame's reason.
    package var description: String {
        switch self {
        case .reservedBits: "a reserved bit is set"
        case .reservedOpcode(let opcode): "opcode \(opcode.rawValue) is reserved"
        case .fragmentedControl(let opcode): "a fragmented \(opcode) frame"
        case .oversizedControl(let opcode): "a \(opcode) frame of more than 125 bytes"
        case .unmasked: "a frame of the client is not masked"
        case .masked: "a frame of the server is masked"
        case .nonMinimalLength: "the length would fit a shorter form"
        case .lengthTopBit: "the highest bit of the length is set"
        case .unexpectedContinuation: "a continuation of no message"
        case .interruptedMessage: "a message begins inside another"
        case .messageTooBig(let limit): "a message of more than \(limit) bytes"
        case .invalidUTF8: "invalid UTF-8"
        case .malformedCompression: "malformed compressed data"
        case .truncatedCloseCode: "a close frame of one byte"
        case .invalidCloseCode(let code): "close code \(code) is not allowed"
        }
    }
}
