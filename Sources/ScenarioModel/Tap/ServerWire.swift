import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// Observes an upstream server on the wire: the data that it receives and sends, and the messages that it has stored.
///
/// A message counts as stored once the server has sent it to a client or confirmed it, either in a `confirm` frame or
/// in the response to an HTTP request.
struct ServerWire: Sendable {
    private let wire: WireProfile
    /// Whether the run records the content of messages that the profile does not define.
    private let recordsTexts: Bool
    private var taps: [LinkID: WireTap] = [:]
    /// The half-closed connections, each with the side that has sent its FIN. The other direction is still read.
    private var halfEnded: [LinkID: LinkSide] = [:]
    /// The ids of the messages that the server is known to have stored.
    private var stored: Set<String> = []

    /// The names of the observed events, except for the events about frames and requests.
    static let names = ["server.accepted", "server.closed", "server.stored", "server.said"]

    init(_ wire: WireProfile, recordingTexts recordsTexts: Bool = false) {
        self.wire = wire
        self.recordsTexts = recordsTexts
    }

    /// Returns whether the server is known to have stored the message with the given id.
    func hasStored(_ id: String) -> Bool { stored.contains(id) }

    mutating func accepted(_ link: LinkID) -> [Observation] {
        taps[link] = WireTap(wire, notingAll: recordsTexts)
        return [.happened("server.accepted", by: .observed)]
    }

    /// Handles the end of one direction of a connection. The connection is reported as ended as soon as one direction
    /// ends.
    mutating func ended(_ link: LinkID, by side: LinkSide, _ how: LinkEnd) -> [Observation] {
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let last = side == .server && how == .fin ? tap.downstreamEnded() : []
        taps[link] = tap
        let observations = last.flatMap { emit($0, link) }
        let first = halfEnded[link]
        if how == .rst || first != nil && first != side {
            taps[link] = nil
            halfEnded[link] = nil
        } else {
            halfEnded[link] = side
        }
        return observations + (first == nil ? [.happened("server.closed", by: .observed)] : [])
    }

    mutating func received(_ bytes: [UInt8], on link: LinkID) -> [Observation] {
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let events = tap.upstream(bytes)
        taps[link] = tap
        return events.flatMap { emit($0, link) }
    }

    mutating func sent(_ bytes: [UInt8], on link: LinkID) -> [Observation] {
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let events = tap.downstream(bytes)
        taps[link] = tap
        return events.flatMap { emit($0, link) }
    }

    private mutating func emit(_ event: WireTap.Event, _ link: LinkID) -> [Observation] {
        switch event {
        case .upgradeRequested: return [.happened("server.requested.ws", by: .observed)]
        case .upgradeAnswered(let status): return [answered("ws", status, on: recordsTexts ? link : nil)]
        case .requested(let route, _): return [.happened("server.requested.\(route.name)", by: .observed)]
        case .answered(let route, let status): return [answered(route.name, status)]
        case .requestEnded(let request):
            return [.happened("server.received.request", request.fields(on: link.number), by: .observed)]
        case .responseEnded(let response):
            return [.happened("server.sent.response", response.fields(on: link.number), by: .observed)]
        case .confirmed(let confirmation): return store(confirmation)
        case .sent(let frame):
            var (key, fields) = frame.traced
            if case .connect(let connect) = frame { fields = ["resuming": .bool(connect.session != nil)] }
            if key?.isEmpty == true { key = nil }
            return [.happened(FrameNames.receivedByServer[frame.role], key: key, fields, by: .observed)]
        case .received(let frame): return emit(frame)
        case .sentOther(.close(let code)): return closed("server.received.close", code, link)
        case .receivedOther(.close(let code)): return closed("server.sent.close", code, link)
        case .sentOther(let message): return [note("server.received.text", message, link)]
        case .receivedOther(let message): return [note("server.said", message, link)]
        }
    }

    private func closed(_ name: String, _ code: UInt16?, _ link: LinkID) -> [Observation] {
        guard recordsTexts else { return [] }
        var fields: JSON = ["link": .integer(Int64(link.number))]
        if let code { fields.set("code", to: .integer(Int64(code))) }
        return [.happened(name, fields, by: .observed)]
    }

    private func note(_ name: String, _ message: MessageStream.Message, _ link: LinkID) -> Observation {
        .happened(name, message.fields(recordingTexts: recordsTexts, on: link), by: .observed)
    }

    private mutating func emit(_ frame: ServerFrame) -> [Observation] {
        var (key, fields) = frame.traced
        var observations: [Observation] = []
        switch frame {
        case .confirm(let confirmation): observations = store(confirmation)
        case .message(let message):
            observations = store(message)
            fields.set("sender", to: .string(message.sender))
        case .replay(let replay): observations = replay.messages.flatMap { store($0) }
        default: break
        }
        if key?.isEmpty == true { key = nil }
        return observations + [.happened(FrameNames.sentByServer[frame.role], key: key, fields, by: .observed)]
    }

    private func answered(_ route: String, _ status: Int, on link: LinkID? = nil) -> Observation {
        var fields: JSON = ["status": .integer(Int64(status))]
        if let link { fields.set("link", to: .integer(Int64(link.number))) }
        return .happened("server.answered.\(route)", fields, by: .observed)
    }

    /// Records a confirmation. Unless it is marked as a duplicate, the server has just stored the message, even if the
    /// message's id is already known.
    private mutating func store(_ confirmation: ServerFrame.Confirmation) -> [Observation] {
        let isNew = stored.insert(confirmation.messageID).inserted
        guard !confirmation.duplicate || isNew else { return [] }
        return [
            .happened(
                "server.stored",
                key: confirmation.clientMessageID.isEmpty ? confirmation.messageID : confirmation.clientMessageID,
                [
                    "sequence": .integer(confirmation.sequence), "origin": "client",
                    "message_id": .string(confirmation.messageID),
                ],
                by: .observed
            )
        ]
    }

    private mutating func store(_ message: ChatMessage) -> [Observation] {
        guard stored.insert(message.id).inserted else { return [] }
        return [
            .happened(
                "server.stored",
                key: message.clientMessageID ?? message.id,
                [
                    "conversation": .string(message.conversation), "sequence": .integer(message.sequence),
                    "sender": .string(message.sender), "origin": "post", "message_id": .string(message.id),
                ],
                by: .observed
            )
        ]
    }
}
