/// The header of a frame, valid or not (RFC 6455 section 5.2).
package struct FrameHeader: Hashable, Sendable {
    /// The encoding of the payload length, named after the number of bits in the length field.
    package enum LengthForm: Hashable, Sendable, CaseIterable {
        case bits7, bits16, bits64

        /// Selects the shortest form for a length, which is the only one that the RFC allows.
        package init(for length: UInt64) {
            self = length <= 125 ? .bits7 : length <= 0xFFFF ? .bits16 : .bits64
        }

        fileprivate var extraBytes: Int {
            switch self {
            case .bits7: 0
            case .bits16: 2
            case .bits64: 8
            }
        }
    }

    package var fin: Bool
    package var rsv1: Bool
    package var rsv2: Bool
    package var rsv3: Bool
    package var opcode: Opcode
    /// The four bytes of the masking key as one big-endian number; nil if the mask bit is not set.
    package var maskKey: UInt32?
    /// The declared payload length in bytes. When the header is written, the length is truncated to the size of its
    /// field.
    package var length: UInt64
    package var lengthForm: LengthForm

    /// Creates a header. By default, `lengthForm` is the only form that is valid for the length.
    package init(
        fin: Bool = true,
        rsv1: Bool = false,
        rsv2: Bool = false,
        rsv3: Bool = false,
        opcode: Opcode,
        maskKey: UInt32? = nil,
        length: UInt64,
        lengthForm: LengthForm? = nil
    ) {
        self.fin = fin
        self.rsv1 = rsv1
        self.rsv2 = rsv2
        self.rsv3 = rsv3
        self.opcode = opcode
        self.maskKey = maskKey
        self.length = length
        self.lengthForm = lengthForm ?? LengthForm(for: length)
    }

    /// The size of the header in bytes, 2 to 14.
    package var size: Int {
        2 + lengthForm.extraBytes + (maskKey == nil ? 0 : 4)
    }

    /// Parses the header that begins at `offset`; returns nil if it is incomplete. The header is not validated.
    package static func parse(_ bytes: [UInt8], at offset: Int = 0) -> FrameHeader? {
        guard bytes.count - offset >= 2 else { return nil }
        let (first, second) = (bytes[offset], bytes[offset + 1])
        let form: LengthForm =
            switch second & 0x7F {
            case 126: .bits16
            case 127: .bits64
            default: .bits7
            }
        let isMasked = second & 0x80 != 0
        let keyOffset = offset + 2 + form.extraBytes
        guard bytes.count >= keyOffset + (isMasked ? 4 : 0) else { return nil }
        return FrameHeader(
            fin: first & 0x80 != 0,
            rsv1: first & 0x40 != 0,
            rsv2: first & 0x20 != 0,
            rsv3: first & 0x10 != 0,
            opcode: Opcode(rawValue: first),
            maskKey: isMasked ? UInt32(truncatingIfNeeded: number(in: bytes, from: keyOffset, to: keyOffset + 4)) : nil,
            length: form == .bits7 ? UInt64(second & 0x7F) : number(in: bytes, from: offset + 2, to: keyOffset),
            lengthForm: form
        )
    }

    package func append(to bytes: inout [UInt8]) {
        let reserved: UInt8 = (rsv1 ? 0x40 : 0) | (rsv2 ? 0x20 : 0) | (rsv3 ? 0x10 : 0)
        bytes.append((fin ? 0x80 : 0) | reserved | opcode.rawValue)
        let mask: UInt8 = maskKey == nil ? 0 : 0x80
        switch lengthForm {
        case .bits7: bytes.append(mask | UInt8(truncatingIfNeeded: length) & 0x7F)
        case .bits16: bytes.append(mask | 126)
        case .bits64: bytes.append(mask | 127)
        }
        Self.append(length, bytes: lengthForm.extraBytes, to: &bytes)
        if let maskKey {
            Self.append(UInt64(maskKey), bytes: 4, to: &bytes)
        }
    }

    private static func number(in bytes: [UInt8], from start: Int, to end: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<end {
            value = value << 8 | UInt64(bytes[index])
        }
        return value
    }

    private static func append(_ value: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
        for place in stride(from: 8 * (count - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(place)))
        }
    }
}
