import ChatWire
import Faults
import ReferenceClient
import SquallCore

/// What the wire shows of somebody else's server: what reaches it, what it says, and what it must have stored to say so.
///
/// A message counts as stored when the server says that it is: in a `confirm`, in the answer to a send, or by sending it.
struct ServerWire: Sendable {
    private let wire: WireProfile
    private var taps: [LinkID: WireTap] = [:]
    /// Of which one direction has ended; the other is read on.
    private var halfEnded: [LinkID: LinkSide] = [:]
    /// Server's ids of messages that it is known to have stored.
    private var stored: Set<String> = []

    /// What is seen of such a server, beside what it receives and sends.
    static let names = ["server.accepted", "server.closed", "server.stored"]

    init(_ wire: WireProfile) {
        self.wire = wire
    }

    /// Whether the server has said that it has a message of that id.
    func hasStored(_ id: String) -> Bool { stored.contains(id) }

    mutating func accepted(_ link: LinkID) -> [Observation] {
        taps[link] = WireTap(wire)
        return [.happened("server.accepted", by: .observed)]
    }

    /// What goes to the server has ended, or what comes from it; the first end is the connection's.
    mutating func ended(_ link: LinkID, by side: LinkSide, _ how: LinkEnd) -> [Observation] {
        guard taps[link] != nil else { return [] }
        let first = halfEnded[link]
        if how == .rst || first != nil && first != side {
            taps[link] = nil
            halfEnded[link] = nil
        } else {
            halfEnded[link] = side
        }
        return first == nil ? [.happened("server.closed", by: .observed)] : []
    }

    mutating func received(_ bytes: [UInt8], on link: LinkID) -> [Observation] {
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let events = tap.upstream(bytes)
        taps[link] = tap
        return events.flatMap { emit($0) }
    }

    mutating func sent(_ bytes: [UInt8], on link: LinkID) -> [Observation] {
        guard var tap = taps.removeValue(forKey: link) else { return [] }
        let events = tap.downstream(bytes)
        taps[link] = tap
        return events.flatMap { emit($0) }
    }

    private mutating func emit(_ event: WireTap.Event) -> [Observation] {
        switch event {
        case .upgradeAsked: return [.happened("server.requested.ws", by: .observed)]
        case .upgradeAnswered(let status): return [answered("ws", status)]
        case .requested(let route, _): return [.happened("server.requested.\(route.name)", by: .observed)]
        case .answered(let route, let status): return [answered(route.name, status)]
        case .confirmed(let confirmation): return store(confirmation)
        case .sent(let frame):
            var (key, fields) = frame.traced
            if case .connect(let connect) = frame { fields = ["resuming": .bool(connect.session != nil)] }
            if key?.isEmpty == true { key = nil }
            return [.happened(FrameNames.receivedByServer[frame.role], key: key, fields, by: .observed)]
        case .received(let frame): return emit(frame)
        }
    }

    private mutating func emit(_ frame: ServerFrame) -> [Observation] {
        var (key, fields) = frame.traced
        var told: [Observation] = []
        switch frame {
        case .confirm(let confirmation): told = store(confirmation)
        case .message(let message):
            told = store(message)
            fields.set("sender", to: .string(message.sender))
        case .replay(let replay): told = replay.messages.flatMap { store($0) }
        default: break
        }
        if key?.isEmpty == true { key = nil }
        return told + [.happened(FrameNames.sentByServer[frame.role], key: key, fields, by: .observed)]
    }

    private func answered(_ route: String, _ status: Int) -> Observation {
        .happened("server.answered.\(route)", ["status": .integer(Int64(status))], by: .observed)
    }

    /// A confirmation that calls itself no repeat says that the message was stored just now: twice is twice.
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
