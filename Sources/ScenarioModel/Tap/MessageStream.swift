import Deflate
import Faults
import SquallCore
import WebSocketWire

/// Decodes the data messages of one direction of a WebSocket, compressed or not.
struct MessageStream: Sendable {
    private var decoder: FrameDecoder
    private var assembler: MessageAssembler
    private var isLost = false
    /// Whether pongs, which are control frames, are returned as messages.
    var includesPongs = false

    private static let limit = 16 << 20

    /// Creates a decoder for one direction; `role` is the WebSocket role (client or server) of the endpoint that
    /// receives the data.
    init(role: WebSocketRole) {
        decoder = FrameDecoder(role: role, maxPayload: Self.limit)
        assembler = MessageAssembler(maxSize: Self.limit)
    }

    /// Enables the decompression of compressed messages (RFC 7692). Must be called before the first byte in this
    /// direction is read.
    mutating func decompress(keepingContext: Bool) {
        decoder.allowsCompression = true
        // An inflater with the largest window can decompress data compressed with any smaller window.
        assembler = MessageAssembler(
            maxSize: Self.limit,
            inflater: Inflater(windowBits: 15, resetsContext: !keepingContext)
        )
    }

    enum Message: Hashable, Sendable {
        case text(String)
        case binary([UInt8])
        /// A close frame, with its code if there is one.
        case close(UInt16?)
        /// A pong frame, which shows that the peer is alive.
        case pong
    }

    /// Reads the next bytes and returns the messages that they complete; returns no messages after a protocol
    /// violation.
    mutating func read(_ bytes: [UInt8]) -> [Message] {
        guard !isLost, !bytes.isEmpty else { return [] }
        var messages: [Message] = []
        decoder.append(bytes)
        do throws(ProtocolViolation) {
            while let frame = try decoder.next() {
                switch try assembler.receive(frame) {
                case .text(let text)?: messages.append(.text(text))
                case .binary(let payload)?: messages.append(.binary(payload))
                case .close(let close)?: messages.append(.close(close.code?.rawValue))
                case .pong? where includesPongs: messages.append(.pong)
                default: break
                }
            }
        } catch {
            isLost = true
        }
        return messages
    }
}

extension MessageStream.Message {
    /// The maximum size of a recorded text, in bytes.
    private static let longest = 16 << 10

    /// Returns the fields of the message's event in the trace. The text and the connection's number are included only
    /// if texts are recorded.
    func fields(recordingTexts: Bool = false, on link: LinkID? = nil) -> JSON {
        var fields: JSON
        switch self {
        case .close: fields = ["kind": "close"]
        case .pong: fields = ["kind": "pong"]
        case .binary(let payload): fields = ["kind": "binary", "bytes": .integer(Int64(payload.count))]
        case .text(let text):
            fields = ["kind": "text", "bytes": .integer(Int64(text.utf8.count))]
            if recordingTexts, text.utf8.count <= Self.longest { fields.set("text", to: .string(text)) }
        }
        if recordingTexts, let link { fields.set("link", to: .integer(Int64(link.number))) }
        return fields
    }
}
