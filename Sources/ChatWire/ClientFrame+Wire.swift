extension ClientFrame {
    /// Encodes the frame as compact JSON, beginning with its type.
    package func encode(_ wire: WireProfile) -> [UInt8] {
        var writer = ObjectWriter(role, wire.tables)
        switch self {
        case .connect(let connect):
            writer.put(.apiKey, connect.key)
            writer.put(.sessionID, connect.session)
            if let size = connect.maxMessageSize { writer.put(.maxMessageSize, size) }
            writer.put(.nonce, connect.freshness?.nonce)
            writer.put(.timestamp, moment: connect.freshness?.timestamp)
        case .ping(let id), .pong(let id):
            writer.put(.id, id)
        case .send(let request):
            writer.put(.clientMessageID, request.clientMessageID)
            writer.put(.conversationID, request.conversation)
            writer.put(.text, request.text)
            request.media?.write(to: &writer)
        case .messageAck(let id):
            writer.put(.messageID, id)
        case .sync(let lastSequence):
            writer.put(.lastSequenceSeen, lastSequence)
        case .readReceipt(let conversation, let messageID):
            writer.put(.conversationID, conversation)
            writer.put(.messageID, messageID)
        case .typing(let conversation, let active):
            writer.put(.conversationID, conversation)
            writer.put(.active, active)
        case .executeCommand(let text):
            writer.put(.text, text)
        case .stop(let id):
            writer.put(.id, id)
        }
        return writer.finish()
    }

    /// Decodes a client's frame. Fields that the frame's type does not define are ignored.
    package static func decode(_ bytes: [UInt8], _ wire: WireProfile) -> Decoded<ClientFrame> {
        do {
            var reader = try ObjectReader(bytes, wire.tables)
            let type: String
            do { type = try reader.text(.type) } catch { return .untyped(error.reason) }
            guard let role = wire.tables.clientRoles[type] else { return .unknownType(type) }
            do {
                return try decode(role, &reader).map { .frame($0) } ?? .unknownType(type)
            } catch {
                return .malformed("\(type): \(error.reason)")
            }
        } catch {
            return .malformed(error.reason)
        }
    }

    package static func decode(_ text: String, _ wire: WireProfile) -> Decoded<ClientFrame> {
        decode(Array(text.utf8), wire)
    }

    static func decode(_ role: FrameRole, _ reader: inout ObjectReader) throws(Malformed) -> ClientFrame? {
        switch role {
        case .connect:
            .connect(
                Connect(
                    key: try reader.text(.apiKey),
                    session: try reader.textIfAny(.sessionID),
                    maxMessageSize: try reader.countIfAny(.maxMessageSize),
                    freshness: try freshness(&reader)
                )
            )
        case .ping:
            .ping(id: try reader.textIfAny(.id))
        case .pong:
            .pong(id: try reader.textIfAny(.id))
        case .send:
            .send(
                SendRequest(
                    clientMessageID: try reader.textIfAny(.clientMessageID),
                    conversation: try reader.text(.conversationID),
                    text: try reader.text(.text),
                    media: MessageMedia.read(from: &reader)
                )
            )
        case .messageAck:
            .messageAck(id: try reader.text(.messageID))
        case .sync:
            .sync(lastSequence: try reader.count(.lastSequenceSeen))
        case .readReceipt:
            .readReceipt(
                conversation: try reader.text(.conversationID),
                messageID: try reader.text(.messageID)
            )
        case .typing:
            .typing(conversation: try reader.text(.conversationID), active: try reader.flag(.active))
        case .executeCommand:
            .executeCommand(text: try reader.text(.text))
        case .stop:
            .stop(id: try reader.text(.id))
        case .hello, .connected, .authError, .confirm, .message, .replay, .token, .presence, .error, .draining,
            .commandStarted, .stopped, .deleted:
            // Only the server sends these frames: no client type maps to these roles.
            nil
        }
    }

    /// Decodes the nonce and the timestamp; returns nil unless both are present, because one alone cannot rule out a
    /// replay.
    private static func freshness(_ reader: inout ObjectReader) throws(Malformed) -> Freshness? {
        let nonce = try reader.textIfAny(.nonce)
        let timestamp = try reader.momentIfAny(.timestamp)
        guard let nonce, let timestamp else { return nil }
        return Freshness(nonce: nonce, timestamp: timestamp)
    }
}
