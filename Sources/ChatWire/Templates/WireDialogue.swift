package import MQTTWire
import SquallCore

/// The connection state that templates refer to: the references of requests and the numbers of frames.
///
/// The client, the server and an observer of the connection each have their own copy. The built-in protocol does not
/// use this state.
package struct WireDialogue: Sendable {
    /// A client frame that a reply can refer to.
    struct Request: Sendable {
        var name: FrameName
        var fields: [JSONMember]
    }

    /// A reference to the client frame that the server is answering.
    package struct Reference: Hashable, Sendable {
        package let name: FrameName
        let value: JSON

        /// The reference as a number, such as an MQTT packet identifier; nil if it is not a number.
        package var number: Int64? { value.intValue }
    }

    /// The maximum number of requests remembered so that replies can refer to them. Beyond it, the oldest is dropped.
    static let most = 256

    /// The reference of the last decoded frame; nil if that frame has none.
    package private(set) var lastReference: Reference?
    private(set) var given: Int64 = 0
    private var requests: [JSON: Request] = [:]
    private var order: [JSON] = []
    private(set) var references: [FrameName: JSON] = [:]
    private(set) var number: Int64 = 0
    private(set) var seen: Int64?

    /// The names of the extra frames, such as subscriptions, that the client has sent and not cancelled.
    package private(set) var open: Set<String> = []
    /// The last decoded frame, if it is an extra frame; nil otherwise.
    package var extra: ReceivedExtra?
    /// The number of the last encoded frame; nil if that frame has no number.
    package internal(set) var writtenNumber: Int64?
    /// The number of the last frame that the client has received, as stated in the last decoded frame; nil if that
    /// frame does not state it.
    package private(set) var acknowledged: Int64?
    /// The server's host and port, as specified in the client's upgrade request.
    package var host = ""
    /// The encoded frames that the server sends directly after the last encoded frame.
    package var following: [[UInt8]] = []

    /// The state needed to encode and decode MQTT packets; nil if the profile's frames are not MQTT packets.
    var packets: MQTTStream?
    /// The server's state for the delivery of MQTT packets; nil for the client, for an observer and in other protocols.
    package var session: MQTTSession?

    /// The compression state for the server's frames; nil if they are not compressed as one stream.
    var compressed: CompressedStream?

    /// Whether the server's frames are compressed as one stream, in binary messages.
    package var isCompressed: Bool { compressed != nil }

    package init() {}

    /// The initial state for the same client's next connection. It retains only the number of the last frame that the
    /// client has received.
    package var successor: WireDialogue {
        var next = WireDialogue()
        next.seen = seen
        return next
    }

    func request(_ reference: JSON) -> Request? { requests[reference] }

    mutating func nextReference() -> JSON {
        given += 1
        return .integer(given)
    }

    mutating func nextNumber() -> Int64 {
        number = number == .max ? 1 : number + 1
        return number
    }

    /// Records an encoded or decoded client frame that has a reference.
    mutating func remember(_ reference: JSON, _ name: FrameName, _ fields: [JSONMember]) {
        references[name] = reference
        if requests.updateValue(Request(name: name, fields: fields), forKey: reference) == nil {
            order.append(reference)
            if order.count > Self.most { requests[order.removeFirst()] = nil }
        }
    }

    /// Records the reference of a decoded frame.
    mutating func recordReference(_ reference: JSON?, _ name: FrameName) {
        acknowledged = nil
        lastReference = reference.map { Reference(name: name, value: $0) }
    }

    mutating func begin(_ extra: String) {
        open.insert(extra)
    }

    /// Restores the extra frames that the client sent on its session's earlier connections and has not cancelled.
    package mutating func resume(_ extras: Set<String>) {
        open.formUnion(extras)
    }

    mutating func end(_ extra: String) {
        open.remove(extra)
    }

    mutating func saw(_ number: Int64) {
        seen = number
    }

    /// Continues the frame numbering after the last number that the client has received, unless the server has already
    /// numbered a frame on this connection.
    mutating func continueNumbers(from seen: Int64) {
        acknowledged = seen
        if number == 0 { number = max(seen, 0) }
    }
}
