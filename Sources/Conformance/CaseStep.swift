package import Faults
package import SquallCore
package import WebSocketWire

/// How the bytes of a frame are cut into writes.
package enum Pacing: Hashable, Sendable {
    /// One write, with what follows right behind it.
    case together
    /// One write, and a turn of the event loop before what follows.
    case alone
    /// Writes of so many bytes, each in a turn of its own.
    case chops(Int)
    /// Cut at these places of the payload, with a pause at each, which is noted by its name while the connection stands.
    case cuts([Int], pause: TimeSpan, names: [String])
}

/// One thing that a case does.
package enum CaseStep: Hashable, Sendable {
    case frame(CaseFrame, Pacing)
    /// A message in frames of at most so many bytes.
    case fragments(Opcode, Payload, size: Int)
    /// Bytes that are no frame.
    case bytes([UInt8], Pacing)
    /// A close frame that begins the closing handshake; its payload is code and reason as they go on the wire.
    case close([UInt8])
    /// A pause, noted by its name while the connection stands.
    case wait(TimeSpan, name: String?)
    case end(LinkEnd)
    /// The message, compressed as agreed, and its compressed bytes in frames of at most so many (0: one frame).
    case compressed(Opcode, Payload, size: Int)

    package static func frame(_ frame: CaseFrame) -> CaseStep { .frame(frame, .together) }

    /// A close frame with a code and a reason.
    package static func close(_ code: UInt16, _ reason: [UInt8] = []) -> CaseStep {
        .close([UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }
}
