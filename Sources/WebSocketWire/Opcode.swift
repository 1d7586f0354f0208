/// The opcode of a frame: four bits, including the reserved values (RFC 6455 section 5.2).
package struct Opcode: RawRepresentable, Hashable, Sendable {
    /// The numeric value of the opcode, 0 to 15.
    package let rawValue: UInt8

    /// Creates an opcode from the low four bits of `rawValue`.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue & 0xF
    }

    package static let continuation = Opcode(rawValue: 0x0)
    package static let text = Opcode(rawValue: 0x1)
    package static let binary = Opcode(rawValue: 0x2)
    package static let close = Opcode(rawValue: 0x8)
    package static let ping = Opcode(rawValue: 0x9)
    package static let pong = Opcode(rawValue: 0xA)

    package var isControl: Bool { rawValue & 0x8 != 0 }
    package var isReserved: Bool { rawValue & 0x7 > 2 }
}

extension Opcode: CustomStringConvertible {
    package var description: String {
        switch self {
        case .continuation: "continuation"
        case .text: "text"
        case .binary: "binary"
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        default: "reserved \(rawValue)"
        }
    }

    /// The names of all opcodes, including reserved opcodes.
    package static let names = (UInt8(0)...0xF).map { Opcode(rawValue: $0).description }
}
