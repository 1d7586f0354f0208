import ChatWire
import Faults
import MQTTWire
import SquallCore
import WebSocketWire

/// The broker side of MQTT, beneath the chat frames: sessions and packet delivery (MQTT 3.1.1, section 4).
extension ChatServer {
    mutating func readPackets(_ message: [UInt8], on id: LinkID) {
        let read = links.change(id) { [wire] link in
            wire.packets(in: message, from: .client, in: &link.dialogue)
        }
        for packet in read?.packets ?? [] { take(packet, on: id) }
        if let violation = read?.violation { violate(violation, on: id) }
    }

    private mutating func take(_ packet: JSON, on id: LinkID) {
        guard links.read(id, \.acceptsFrames) == true else { return }
        let login = MQTTLogin(packet)
        let taken = links.change(id) { link -> (application: JSON?, answers: [JSON])? in
            if let login { link.dialogue.session?.begin(login) }
            return link.dialogue.session?.receive(packet)
        }
        guard let taken = taken ?? nil else { return }
        write(taken.answers, on: id)
        guard let frame = taken.application else { return }
        receive(String(decoding: frame.encode(), as: UTF8.self), on: id)
    }

    /// Writes control packets that do not carry chat frames. They are never delayed.
    private mutating func write(_ packets: [JSON], on id: LinkID) {
        guard !packets.isEmpty, links.read(id, { $0.phase == .socket && !$0.isClosing }) == true else { return }
        links.change(id) { [wire] link in
            for packet in packets {
                if let message = wire.message(ofPacket: packet, in: &link.dialogue) { link.send(message) }
            }
        }
        flush(id)
    }

    /// Closes a connection whose bytes are not control packets, as MQTT requires (MQTT 3.1.1, sections 4.8 and 6).
    mutating func violate(_ reason: String, on id: LinkID) {
        guard links.read(id, \.acceptsFrames) == true else { return }
        note("server.protocol_error", ["reason": .string(reason)], of: id.client)
        closeAndEnd(id, CloseReason(code: CloseCode.protocolError.rawValue, text: "not a packet"))
    }

    // MARK: - Sessions

    /// Starts or resumes the MQTT session of a client that has sent the correct key. Returns the sequence numbers of
    /// the messages that a resumed session has missed, or nil if the client identifier is rejected.
    ///
    /// Returns an empty array for other protocols, which have no such sessions.
    mutating func beginMQTTSession(on id: LinkID) -> [Int64]? {
        guard let login = links.read(id, \.dialogue.session?.login) ?? nil else { return [] }
        guard !login.lacksIdentifier else {
            write([["packet": "connack", "session_present": false, "reason": 0x85]], on: id)
            closeAndEnd(id, CloseReason(code: ChatCloseCode.policy.rawValue, text: "no client identifier"))
            return nil
        }
        if login.client.isEmpty {
            links.change(id) { link in
                guard login.version == .v5 else { return }
                link.dialogue.session?.assign("squall-\(id.client.name)-\(id.number)")
            }
            return []
        }
        endOtherConnections(of: login, except: id)
        guard let kept = mqttSessions.take(login.client, at: now), !login.isClean else { return [] }
        links.change(id) { link in
            link.dialogue.session?.resume(kept.session)
            link.dialogue.resume(kept.extras)
        }
        return kept.missed
    }

    /// Closes older connections with the same client identifier and keeps their session (MQTT 3.1.1, section 3.1.4).
    private mutating func endOtherConnections(of login: MQTTLogin, except id: LinkID) {
        for old in links.ids where old != id {
            guard let other = links.read(old, { $0.session == nil ? nil : $0.dialogue.session?.login }) ?? nil,
                other.client == login.client
            else { continue }
            // Only clients may send DISCONNECT in MQTT 3.1.1, so this call writes nothing under that version.
            write([["packet": "disconnect", "reason": 0x8E]], on: old)
            closeAndEnd(old, CloseReason(code: ChatCloseCode.clean.rawValue, text: "session taken over"))
        }
    }

    /// Sends the messages that were stored while the client of a resumed session was away.
    mutating func sendMissed(_ missed: [Int64], to id: LinkID) {
        for message in missed.compactMap(store.message(sequence:)) { send(.message(message), to: id) }
    }

    /// Stores the MQTT session of a connection that is ending.
    mutating func keepMQTTSession(of id: LinkID) {
        let ended = links.change(id) { link -> (MQTTSession, Set<String>)? in
            guard link.session != nil, let session = link.dialogue.session else { return nil }
            link.dialogue.session = nil
            return (session, link.dialogue.open)
        }
        if let (session, extras) = ended ?? nil { mqttSessions.keep(session, extras, of: id.client, at: now) }
    }
}
