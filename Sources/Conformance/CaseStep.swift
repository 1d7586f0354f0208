package import Faults
package import SquallCore
package import WebSocketWire

/// How the bytes of a frame are divided into writes.
package enum Pacing: Hashable, Sendable {
    /// The frame is sent in one write, and the next step follows immediately.
    case together
    /// The frame is sent in one write, and the next step follows in a later iteration of the event loop.
    case alone
    /// The frame is sent in writes of this many bytes, each in its own iteration of the event loop.
    case chops(Int)
    /// The frame is cut at these payload offsets, with a pause at each cut. If a pause ends while the connection is
    /// open, an event with the pause's name is recorded.
    case cuts([Int], pause: TimeSpan, names: [String])
}

/// One step of a conformance case.
package enum CaseStep: Hashable, Sendable {
    case frame(CaseFrame, Pacing)
    /// Sends a message in frames of at most `size` payload bytes.
    case fragments(Opcode, Payload, size: Int)
    /// Sends bytes that do not form a frame.
    case bytes([UInt8], Pacing)
    /// Starts the closing handshake by sending a close frame. The payload contains the encoded code and reason.
    case close([UInt8])
    /// Pauses the case. If the connection is still open when the pause ends, an event with this name is recorded, or
    /// none if the name is nil.
    case wait(TimeSpan, name: String?)
    case end(LinkEnd)
    /// Sends a message compressed as negotiated, in frames of at most `size` compressed bytes; 0 for one frame.
    case compressed(Opcode, Payload, size: Int)

    package static func frame(_ frame: CaseFrame) -> CaseStep { .frame(frame, .together) }

    /// Returns a step that sends a close frame with a code and a reason.
    package static func close(_ code: UInt16, _ reason: [UInt8] = []) -> CaseStep {
        .close([UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }
}
