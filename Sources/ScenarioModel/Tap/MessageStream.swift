import Deflate
import WebSocketWire

/// Decodes the text messages of one direction of a WebSocket, compressed or not.
struct MessageStream: Sendable {
    private var decoder: FrameDecoder
    private var assembler: MessageAssembler
    private var isLost = false

    private static let limit = 16 << 20

    /// Reads a direction as its receiver does: `role` is the receiver's.
    init(role: WebSocketRole) {
        decoder = FrameDecoder(role: role, maxPayload: Self.limit)
        assembler = MessageAssembler(maxSize: Self.limit)
    }

    /// Allows compressed messages (RFC 7692). Called before the first byte of this direction.
    mutating func decompress(keepingContext: Bool) {
        decoder.allowsCompression = true
        // An inflater with the largest window reads the output of any smaller one.
        assembler = MessageAssembler(
            maxSize: Self.limit,
            inflater: Inflater(windowBits: 15, forgets: !keepingContext)
        )
    }

    /// The text messages that these bytes complete; none after a protocol violation.
    mutating func read(_ bytes: [UInt8]) -> [String] {
        guard !isLost, !bytes.isEmpty else { return [] }
        var texts: [String] = []
        decoder.append(bytes)
        do throws(ProtocolViolation) {
            while let frame = try decoder.next() {
                if case .text(let text)? = try assembler.receive(frame) { texts.append(text) }
            }
        } catch {
            isLost = true
        }
        return texts
    }
}
