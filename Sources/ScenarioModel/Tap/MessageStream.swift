import WebSocketWire

/// The text messages of one direction of a WebSocket, compressed or not.
struct MessageStream: Sendable {
    private let role: WebSocketRole
    private var decoder: FrameDecoder
    private var assembler: MessageAssembler
    private var inflater: Inflater?
    /// Of a compressed message whose last frame is still to come.
    private var compressed: [UInt8]?
    private var isLost = false

    private static let limit = 16 << 20

    /// `role` is that of the end which would read this direction.
    init(role: WebSocketRole) {
        self.role = role
        decoder = FrameDecoder(role: role, maxPayload: Self.limit)
        assembler = MessageAssembler(maxSize: Self.limit)
    }

    /// From here on messages may be compressed; nothing of this direction has come yet.
    mutating func decompress(keepingContext: Bool) {
        inflater = Inflater(keepsContext: keepingContext)
        decoder = FrameDecoder(role: role, maxPayload: Self.limit, allowsCompression: true)
    }

    /// The texts that end in these bytes; none after the first byte that breaks the rules.
    mutating func read(_ bytes: [UInt8]) -> [String] {
        guard !isLost, !bytes.isEmpty else { return [] }
        var texts: [String] = []
        decoder.append(bytes)
        do throws(ProtocolViolation) {
            while let frame = try decoder.next() {
                if let text = try take(frame) { texts.append(text) }
            }
        } catch {
            isLost = true
        }
        return texts
    }

    private mutating func take(_ frame: WebSocketFrame) throws(ProtocolViolation) -> String? {
        let header = frame.header
        let isContinuation = header.opcode == .continuation && compressed != nil
        guard header.rsv1 || isContinuation else {
            if case .text(let text)? = try assembler.receive(frame) { return text }
            return nil
        }
        compressed = (compressed ?? []) + frame.payload
        guard header.fin, let payload = compressed.take() else { return nil }
        do throws(Inflater.Failure) {
            guard let bytes = try inflater?.inflate(payload, limit: Self.limit) else { return nil }
            return String(validating: bytes, as: UTF8.self)
        } catch {
            throw .invalidUTF8
        }
    }
}
