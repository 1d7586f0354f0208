extension ServerFrame {
    /// Encodes the frame as compact JSON, beginning with its type.
    package func encode(_ wire: WireProfile) -> [UInt8] {
        var writer = ObjectWriter(role, wire.tables)
        switch self {
        case .hello(let version, let authVersion, let heartbeatInterval):
            writer.put(.version, version)
            writer.put(.authVersion, authVersion)
            writer.put(.heartbeatInterval, heartbeatInterval)
        case .connected(let connected):
            writer.put(.sessionID, connected.session)
            writer.put(.resumed, connected.resumed)
            writer.put(.lastSequence, connected.lastSequence)
            writer.put(.userID, connected.user)
            writer.put(.timestamp, moment: connected.time)
        case .authError(let message):
            writer.put(.message, message)
        case .ping(let id):
            writer.put(.id, id)
        case .pong(let id, let time):
            writer.put(.id, id)
            writer.put(.timestamp, moment: time)
        case .confirm(let confirmation):
            confirmation.write(to: &writer)
        case .message(let message):
            message.write(to: &writer)
        case .replay(let replay):
            writer.put(.messages, replay.messages)
            writer.put(.complete, replay.complete)
            writer.put(.lastSequence, replay.lastSequence)
        case .readReceipt(let conversation, let messageID, let reader):
            writer.put(.conversationID, conversation)
            writer.put(.messageID, messageID)
            writer.put(.readerID, reader)
        case .typing(let conversation, let user, let active):
            writer.put(.conversationID, conversation)
            writer.put(.userID, user)
            writer.put(.active, active)
        case .token(let token):
            writer.put(.conversationID, token.conversation)
            writer.put(.messageID, token.messageID)
            writer.put(.index, token.index)
            writer.put(.text, token.text)
            writer.put(.final, token.final)
        case .presence(let user, let status, let lastSeen, let since, let text):
            writer.put(.userID, user)
            writer.put(.status, status.rawValue)
            writer.put(.lastSeen, moment: lastSeen)
            writer.put(.since, moment: since)
            writer.put(.statusText, text)
        case .error(let error):
            error.write(to: &writer)
        case .draining(let message, let retryAfter):
            writer.put(.message, message)
            writer.put(.retryAfter, retryAfter)
        case .commandStarted(let id, let text):
            writer.put(.id, id)
            writer.put(.text, text)
        case .stopped(let id):
            writer.put(.id, id)
        case .deleted(let deletion):
            writer.put(.conversationID, deletion.conversation)
            writer.put(.messageID, deletion.messageID)
            writer.put(.deletedAt, moment: deletion.at)
            writer.put(.deletedBy, deletion.by)
        }
        return writer.finish()
    }

    /// Decodes a server's frame. Fields that the frame's type does not define are ignored.
    package static func decode(_ bytes: [UInt8], _ wire: WireProfile) -> Decoded<ServerFrame> {
        do {
            var reader = try ObjectReader(bytes, wire.tables)
            let type: String
            do { type = try reader.text(.type) } catch { return .untyped(error.reason) }
            guard let role = wire.tables.serverRoles[type] else { return .unknownType(type) }
            do {
                return try decode(role, &reader).map { .frame($0) } ?? .unknownType(type)
            } catch {
                return .malformed("\(type): \(error.reason)")
            }
        } catch {
            return .malformed(error.reason)
        }
    }

    package static func decode(_ text: String, _ wire: WireProfile) -> Decoded<ServerFrame> {
        decode(Array(text.utf8), wire)
    }

    static func decode(_ role: FrameRole, _ reader: inout ObjectReader) throws(Malformed) -> ServerFrame? {
        switch role {
        case .hello:
            .hello(
                version: try reader.text(.version),
                authVersion: try reader.count(.authVersion),
                heartbeatInterval: try reader.spanIfAny(.heartbeatInterval)
            )
        case .connected:
            .connected(
                Connected(
                    session: try reader.text(.sessionID),
                    resumed: try reader.flag(.resumed),
                    lastSequence: try reader.count(.lastSequence),
                    user: reader.textIfFit(.userID),
                    time: reader.momentIfFit(.timestamp)
                )
            )
        case .authError:
            .authError(message: try reader.text(.message))
        case .ping:
            .ping(id: try reader.textIfAny(.id))
        case .pong:
            .pong(id: try reader.textIfAny(.id), time: reader.momentIfFit(.timestamp))
        case .confirm:
            .confirm(try Confirmation(from: &reader))
        case .message:
            .message(try ChatMessage(from: &reader))
        case .replay:
            .replay(
                Replay(
                    messages: try reader.list(.messages),
                    complete: try reader.flag(.complete),
                    lastSequence: try reader.count(.lastSequence)
                )
            )
        case .readReceipt:
            .readReceipt(
                conversation: try reader.text(.conversationID),
                messageID: try reader.text(.messageID),
                reader: try reader.text(.readerID)
            )
        case .typing:
            .typing(
                conversation: try reader.text(.conversationID),
                user: try reader.text(.userID),
                active: try reader.flag(.active)
            )
        case .token:
            .token(
                Token(
                    conversation: try reader.text(.conversationID),
                    messageID: try reader.text(.messageID),
                    index: try reader.count(.index),
                    text: try reader.text(.text),
                    final: try reader.flag(.final)
                )
            )
        case .presence:
            .presence(
                user: try reader.text(.userID),
                status: try reader.word(.status, as: PresenceStatus.self),
                lastSeen: try reader.momentIfAny(.lastSeen),
                since: reader.momentIfFit(.since),
                text: reader.textIfFit(.statusText)
            )
        case .error:
            .error(try ServerError(from: &reader))
        case .draining:
            .draining(message: try reader.text(.message), retryAfter: try reader.spanIfAny(.retryAfter))
        case .commandStarted:
            .commandStarted(id: try reader.text(.id), text: try reader.text(.text))
        case .stopped:
            .stopped(id: try reader.text(.id))
        case .deleted:
            .deleted(
                Deletion(
                    conversation: try reader.text(.conversationID),
                    messageID: try reader.text(.messageID),
                    at: try reader.moment(.deletedAt),
                    by: try reader.text(.deletedBy)
                )
            )
        case .connect, .send, .messageAck, .sync, .executeCommand, .stop:
            // Only the client sends these frames: no server type maps to these roles.
            nil
        }
    }
}
