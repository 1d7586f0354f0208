import ChatWire
import Faults
import SquallCore

/// A message on its way to one connection, with what the trace says of it.
struct Outgoing: Hashable, Sendable {
    enum Payload: Hashable, Sendable {
        case text([UInt8])
        case binary([UInt8])
        /// To be written as the connection has it, which numbers and references depend on.
        case frame(ServerFrame, answering: WireDialogue.Reference?)
    }

    /// Nil for what the script says as it stands and the protocol does not know.
    let role: FrameRole?
    let payload: Payload
    /// What the trace calls it once it is written.
    let name: String
    let note: FrameNote

    init(_ role: FrameRole?, _ payload: Payload, _ note: FrameNote) {
        self.role = role
        self.payload = payload
        self.note = note
        name = role.map { FrameNames.sentByServer[$0] } ?? "server.said"
    }
}

/// A response on its way.
struct OutgoingResponse: Hashable, Sendable {
    /// Nil for a request that is for no route.
    var route: ServerRoute?
    var status: Int
    var head: [UInt8]
    var body: [UInt8] = []
}

/// An answer that a rule keeps back.
struct HeldReply: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case frame(Outgoing)
        case response(OutgoingResponse)
        /// The agreement to a WebSocket.
        case upgrade
    }

    var link: LinkID
    var content: Content
}
