package import WebSocketWire

/// A payload whose bytes are generated on demand.
package enum Payload: Hashable, Sendable {
    case bytes([UInt8])
    /// A byte pattern repeated until the payload has the given length in bytes.
    case repeated([UInt8], to: Int)

    package static func text(_ text: String) -> Payload { .bytes(Array(text.utf8)) }

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .repeated(_, let length): length
        }
    }

    package func make() -> [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .repeated(let unit, let length):
            guard let first = unit.first else { return [] }
            var bytes = [UInt8](repeating: first, count: length)
            for place in unit.indices.dropFirst() {
                for index in stride(from: place, to: length, by: unit.count) { bytes[index] = unit[place] }
            }
            return bytes
        }
    }
}

/// A valid or invalid frame that a case sends.
package struct CaseFrame: Hashable, Sendable {
    package enum Masking: Hashable, Sendable {
        /// The frame follows the RFC's masking rule: a client's frame is masked, a server's is not.
        case right
        /// The frame violates the RFC's masking rule: a client's frame is not masked, or a server's is.
        case wrong
        /// A client's frame is masked with a key of zero, which is valid. A server's frame is not masked.
        case zero
    }

    package var fin = true
    /// The reserved bits as a number: RSV1 is 4, RSV2 is 2 and RSV3 is 1.
    package var reserved: UInt8 = 0
    package var opcode: Opcode
    package var payload = Payload.bytes([])
    package var masking = Masking.right
    /// The encoding of the payload length; nil for the shortest encoding, which is the only valid one.
    package var lengthForm: FrameHeader.LengthForm?
    /// The payload length stated in the header; nil for the actual length.
    package var declaredLength: UInt64?

    package init(
        _ opcode: Opcode,
        _ payload: Payload = .bytes([]),
        fin: Bool = true,
        reserved: UInt8 = 0,
        masking: Masking = .right,
        lengthForm: FrameHeader.LengthForm? = nil,
        declaredLength: UInt64? = nil
    ) {
        self.opcode = opcode
        self.payload = payload
        self.fin = fin
        self.reserved = reserved
        self.masking = masking
        self.lengthForm = lengthForm
        self.declaredLength = declaredLength
    }

    /// Returns the bytes of the frame as sent by `sender`, using `key` as the masking key if the frame is masked.
    package func frame(from sender: WebSocketRole, key: UInt32) -> WebSocketFrame {
        let bytes = payload.make()
        let maskKey: UInt32? =
            switch (sender, masking) {
            case (.client, .right), (.server, .wrong): key
            case (.client, .zero): 0
            case (.client, .wrong), (.server, .right), (.server, .zero): nil
            }
        let length = declaredLength ?? UInt64(bytes.count)
        let header = FrameHeader(
            fin: fin,
            rsv1: reserved & 4 != 0,
            rsv2: reserved & 2 != 0,
            rsv3: reserved & 1 != 0,
            opcode: opcode,
            maskKey: maskKey,
            length: length,
            lengthForm: lengthForm
        )
        return WebSocketFrame(header: header, payload: bytes)
    }
}
