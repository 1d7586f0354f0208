import Deflate
import WebSocketWire

/// The text messages of one direction of a WebSocket, compressed or not.
struct MessageStream: Sendable {
    private var decoder: FrameDecoder
    private var assembler: MessageAssembler
    private var isLost = false

    private static let limit = 16 << 20

    /// `role` is that of the end which would read this direction.
    init(role: WebSocketRole) {
        decoder = FrameDecoder(role: role, maxPayload: Self.limit)
        assembler = MessageAssembler(maxSize: Self.limit)
    }

    /// From here on messages may be compressed; nothing of this direction has come yet.
    mutating func decompress(keepingContext: Bool) {
        decoder.allowsCompression = true
        // The largest window reads what any smaller one has written.
        assembler = MessageAssembler(
            maxSize: Self.limit,
            inflater: Inflater(windowBits: 15, forgets: !keepingContext)
        )
    }

    /// The texts that end in these bytes; none after the first byte that breaks the rules.
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
