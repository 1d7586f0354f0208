import MQTTWire
package import SquallCore

/// How JSON frames are encoded in WebSocket messages.
enum FrameEncoding: String, Hashable, Sendable, CaseIterable {
    /// Frames are text messages.
    case text
    /// Frames are MQTT control packets in binary messages, and the JSON is a representation of the packet
    /// (``MQTTStream``).
    case mqtt

    static func read(_ value: JSON?, _ mistakes: inout TemplateMistakes) -> FrameEncoding {
        guard let value else { return .text }
        guard let encoding = value.stringValue.flatMap(FrameEncoding.init) else {
            let names = allCases.map(\.rawValue).joined(separator: " or ")
            mistakes.add([.member("encoding")], "'encoding' must be \(names)")
            return .text
        }
        return encoding
    }
}

/// The WebSocket message that carries a frame.
package enum WireMessage: Hashable, Sendable {
    case text([UInt8])
    case binary([UInt8])
}

extension FrameMap {
    /// Reports templates that the encoding cannot represent.
    func checkEncoding(_ mistakes: inout TemplateMistakes) {
        if compression != nil, encoding == .mqtt || polling != nil {
            mistakes.add([.member("compression")], "'compression' is for text messages of WebSockets only")
        }
        guard encoding == .mqtt else { return }
        if !terminator.isEmpty {
            mistakes.add([.member("terminator")], "MQTT packets have lengths, and no 'terminator'")
        }
        for template in templates(of: .client) + templates(of: .server) {
            guard template.prefix == nil, case .object(let members)? = template.body,
                members.contains(where: { $0.name == "packet" })
            else {
                mistakes.add(
                    template.path,
                    "with 'encoding: mqtt' each template is a packet",
                    help: "frame: { packet: publish, topic: news, payload: { … } }"
                )
                continue
            }
        }
    }
}

extension WireProfile {
    /// Whether frames are sent in binary WebSocket messages. Such a protocol has no text messages.
    package var isBinary: Bool { frames?.encoding == .mqtt }

    /// Returns the WebSocket message that carries an encoded frame.
    ///
    /// If the protocol uses MQTT, the frame is converted from JSON to a control packet; returns nil if that is
    /// impossible. A frame sent by the server is compressed if the connection's URL requested it.
    package func message(of frame: [UInt8], in dialogue: inout WireDialogue) -> WireMessage? {
        guard !dialogue.isCompressed else { return compress(frame, in: &dialogue).map { .binary($0) } }
        guard isBinary else { return .text(frame) }
        guard let packet = try? JSON.decode(frame) else { return nil }
        return message(ofPacket: packet, in: &dialogue)
    }

    /// Returns the WebSocket message that carries an MQTT packet, given in its JSON form; nil if it cannot be encoded.
    package func message(ofPacket packet: JSON, in dialogue: inout WireDialogue) -> WireMessage? {
        var packets = dialogue.packets ?? MQTTStream()
        defer { dialogue.packets = packets }
        return (try? packets.write(packet)).map { .binary($0) }
    }

    /// Returns the WebSocket message that carries a frame sent by the server; nil if it cannot be encoded.
    ///
    /// If the connection has an MQTT session, the session determines the QoS level and the packet identifier. Scripted
    /// frames are sent unchanged, except that the session corrects the acknowledgement of a subscription.
    package func message(
        ofServer frame: [UInt8],
        isScripted: Bool = false,
        in dialogue: inout WireDialogue
    ) -> WireMessage? {
        guard dialogue.session != nil, let packet = try? JSON.decode(frame) else {
            return message(of: frame, in: &dialogue)
        }
        let sent: JSON? =
            if !isScripted {
                dialogue.session?.send(packet)
            } else if packet["packet"] == "suback" {
                dialogue.session?.granted(packet)
            } else {
                packet
            }
        return sent.flatMap { message(ofPacket: $0, in: &dialogue) }
    }

    /// Returns the messages for the packets that a resumed MQTT session resends after CONNACK.
    package func repeatedMessages(in dialogue: inout WireDialogue) -> [WireMessage] {
        let packets = dialogue.session?.repeated() ?? []
        return packets.compactMap { message(ofPacket: $0, in: &dialogue) }
    }

    /// Returns the MQTT packets completed by a binary message, and the protocol violation that follows them, if any.
    package func packets(
        in message: [UInt8],
        from origin: FrameOrigin,
        in dialogue: inout WireDialogue
    ) -> (packets: [JSON], violation: String?) {
        guard isBinary else { return ([], "a binary message") }
        var packets = dialogue.packets ?? MQTTStream()
        defer { dialogue.packets = packets }
        let (found, violation) = packets.read(message, from: origin == .client ? .client : .server)
        return (found, violation?.reason)
    }

    /// Returns the frames completed by a binary message, and the protocol violation that follows them, if any.
    ///
    /// MQTT packets are returned in the form in which an application receives them (``MQTTSession/simplified(_:)``).
    package func frames(
        inBinary message: [UInt8],
        from origin: FrameOrigin,
        in dialogue: inout WireDialogue
    ) -> (frames: [String], violation: String?) {
        if dialogue.isCompressed, origin == .server { return decompress(message, in: &dialogue) }
        let (found, violation) = packets(in: message, from: origin, in: &dialogue)
        let frames = found.compactMap(MQTTSession.simplified)
        return (frames.map { String(decoding: $0.encode(), as: UTF8.self) }, violation)
    }
}
