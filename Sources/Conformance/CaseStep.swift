package import Faults
package import SquallCore
package import WebSocketWire

/// How the bytes of a frame are divided into writes.
package enum Pacing: Hashable, Sendable {
    /// One write, followed immediately by the next step.
    case together
    /// One write, then one turn of the event loop before the next step.
    case alone
    /// Writes of this many bytes, each in its own turn of the event loop.
    case chops(Int)
    /// Cut at these offsets of the payload, with a pause at each, which is recorded by name while the connection is
    /// open.
    case cuts([Int], pause: TimeSpan, names: [String])
}

/// One step of a case.
package enum CaseStep: Hashable, Sendable {
    case frame(CaseFrame, Pacing)
    /// A message in frames of at most `size` bytes.
    case fragments(Opcode, Payload, size: Int)
    /// Bytes that are not a frame.
    case bytes([UInt8], Pacing)
    /// A close frame that starts the closing handshake; the payload is the encoded code and reason.
    case close([UInt8])
    /// A pause, recorded by its name while the connection is open.
    case wait(TimeSpan, name: String?)
    case end(LinkEnd)
    /// A message compressed as negotiated, in frames of at most `size` compressed bytes; 0 for one frame.
    case compressed(Opcode, Payload, size: Int)

    package static func frame(_ frame: CaseFrame) -> CaseStep { .frame(frame, .together) }

    /// A close frame with a code and a reason.
    package static func close(_ code: UInt16, _ reason: [UInt8] = []) -> CaseStep {
        .close([UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }
}
