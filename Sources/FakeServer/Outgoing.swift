import ChatWire
import Faults
import SquallCore

/// A WebSocket message to be sent, with the details that the trace records about it.
struct Outgoing: Hashable, Sendable {
    enum Payload: Hashable, Sendable {
        case text([UInt8])
        case binary([UInt8])
        /// A protocol frame. It is encoded only when sent, because the encoding depends on the connection's numbering
        /// and references.
        case frame(ServerFrame, answering: WireDialogue.Reference?)
    }

    /// The frame's role; nil for a scripted message that is not a protocol frame.
    let role: FrameRole?
    let payload: Payload
    /// The name of the event that is recorded in the trace when the message is written.
    let name: String
    let note: FrameNote

    init(_ role: FrameRole?, _ payload: Payload, _ note: FrameNote) {
        self.role = role
        self.payload = payload
        self.note = note
        name = role.map { FrameNames.sentByServer[$0] } ?? "server.said"
    }
}

/// An encoded HTTP response to be sent.
struct OutgoingResponse: Hashable, Sendable {
    /// The route of the request; nil for a request to an unknown route.
    var route: ServerRoute?
    var status: Int
    var head: [UInt8]
    var body: [UInt8] = []
    /// Whether the response came from a rule in the script; `rule` is that rule's label, if it has one.
    var isByRule = false
    var rule: String?
}

/// A response and the connection to send it on; a script's rule can hold the response back.
struct HeldReply: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case frame(Outgoing)
        case response(OutgoingResponse)
        /// The 101 response that opens a WebSocket.
        case upgrade
    }

    var link: LinkID
    var content: Content
}
