/// The two ends of a WebSocket connection.
package enum WebSocketRole: Hashable, Sendable, CaseIterable {
    case client, server
}

/// Frames from bytes in any pieces, each header judged as soon as it is there (RFC 6455 sections 5.1, 5.2 and 5.5).
package struct FrameDecoder: Sendable {
    private let role: WebSocketRole
    private let maxPayload: Int
    private var queue = ByteQueue()
    /// The frame whose payload is still arriving.
    private var partial: WebSocketFrame?
    private var failure: ProtocolViolation?

    /// Whether RSV1 may be set, as `permessage-deflate` does on a message's first frame (RFC 7692 section 6).
    private let allowsCompression: Bool

    /// `role` is that of the end which decodes, where a server wants masked frames; `maxPayload` is in bytes.
    package init(role: WebSocketRole, maxPayload: Int, allowsCompression: Bool = false) {
        self.role = role
        self.allowsCompression = allowsCompression
        self.maxPayload = maxPayload
    }

    package mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        queue.append(bytes)
    }

    /// The next whole frame; nil while more bytes are needed.
    ///
    /// A violation is thrown again for ever.
    package mutating func next() throws(ProtocolViolation) -> WebSocketFrame? {
        if let failure { throw failure }
        if partial == nil { partial = try begin() }
        // Taken out, so that its payload is held once and grows without being copied.
        guard var frame = partial.take() else { return nil }
        fill(&frame)
        guard frame.payload.count == frame.header.length else {
            partial = frame
            return nil
        }
        return frame
    }

    /// The frame that is still arriving, its payload as far as it is there: for who must judge before the end.
    package var arriving: WebSocketFrame? { partial }

    /// The frame whose header comes next, no payload yet; nil while the header is not all there.
    private mutating func begin() throws(ProtocolViolation) -> WebSocketFrame? {
        guard let header = FrameHeader.parse(queue.bytes, at: queue.start) else { return nil }
        if let violation = violation(of: header) {
            failure = violation
            queue = ByteQueue()
            throw violation
        }
        queue.skip(header.size)
        return WebSocketFrame(header: header, payload: [])
    }

    private mutating func fill(_ frame: inout WebSocketFrame) {
        let have = frame.payload.count
        let piece = queue.take(Int(clamping: frame.header.length) - have)
        if have == 0 {
            frame.payload = piece
        } else {
            frame.payload.append(contentsOf: piece)
        }
        if let key = frame.header.maskKey {
            applyMask(key, to: &frame.payload, from: have, payloadOffset: have)
        }
    }

    private func violation(of header: FrameHeader) -> ProtocolViolation? {
        let isCompressed = header.rsv1 && allowsCompression && !header.opcode.isControl
        if header.rsv1 && !isCompressed || header.rsv2 || header.rsv3 { return .reservedBits }
        if header.opcode.isReserved { return .reservedOpcode(header.opcode) }
        if header.opcode.isControl && !header.fin { return .fragmentedControl(header.opcode) }
        switch (role, header.maskKey) {
        case (.server, nil): return .unmasked
        case (.client, .some): return .masked
        case (.server, .some), (.client, nil): break
        }
        if header.opcode.isControl && header.length > 125 { return .oversizedControl(header.opcode) }
        if header.length > UInt64(Int64.max) { return .lengthTopBit }
        if header.lengthForm != FrameHeader.LengthForm(for: header.length) { return .nonMinimalLength }
        if header.length > UInt64(max(maxPayload, 0)) { return .messageTooBig(limit: maxPayload) }
        return nil
    }
}
