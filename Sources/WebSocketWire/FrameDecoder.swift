/// The role of an endpoint of a WebSocket connection.
package enum WebSocketRole: Hashable, Sendable, CaseIterable {
    case client, server
}

/// Decodes frames from bytes that arrive in arbitrary pieces, and validates each header as soon as it is complete (RFC
/// 6455 sections 5.1, 5.2 and 5.5).
package struct FrameDecoder: Sendable {
    private let role: WebSocketRole
    private let maxPayload: Int
    /// Whether permessage-deflate was negotiated, so that RSV1 is allowed on the first frame of a message (RFC 7692
    /// section 6).
    package var allowsCompression = false
    private var queue = ByteQueue()
    /// The frame whose payload is still arriving.
    private var partial: WebSocketFrame?
    private var failure: ProtocolViolation?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - role: The role of the decoding endpoint; a server requires masked frames.
    ///   - maxPayload: The maximum payload size in bytes.
    package init(role: WebSocketRole, maxPayload: Int) {
        self.role = role
        self.maxPayload = maxPayload
    }

    package mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        queue.append(bytes)
    }

    /// Returns the next complete frame, or nil if more bytes are needed.
    ///
    /// After a protocol violation, every further call throws the same error.
    package mutating func next() throws(ProtocolViolation) -> WebSocketFrame? {
        if let failure { throw failure }
        if partial == nil { partial = try begin() }
        // The frame is moved out of the property so that its payload has only one owner and can grow without being
        // copied.
        guard var frame = partial.take() else { return nil }
        fill(&frame)
        guard frame.payload.count == frame.header.length else {
            partial = frame
            return nil
        }
        return frame
    }

    /// The incomplete frame with the payload received so far, so that it can be validated early; nil if there is none.
    package var arriving: WebSocketFrame? { partial }

    /// Parses the next frame's header and returns the frame with an empty payload; returns nil if the header is
    /// incomplete.
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

    /// The maximum payload in bytes. It includes a margin, because compression makes incompressible data larger; the
    /// assembler checks the decompressed size.
    private var longest: Int {
        allowsCompression ? maxPayload.addingReportingOverflow(maxPayload / 512 + 64).partialValue : maxPayload
    }

    private func violation(of header: FrameHeader) -> ProtocolViolation? {
        let maySetRSV1 = allowsCompression && (header.opcode == .text || header.opcode == .binary)
        if header.rsv1 && !maySetRSV1 || header.rsv2 || header.rsv3 { return .reservedBits }
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
        if header.length > UInt64(max(longest, 0)) { return .messageTooBig(limit: maxPayload) }
        return nil
    }
}
