package import ChatWire
import Faults
package import SquallCore

/// The state that a client must display once it has received everything from the server.
package struct ServerTruth: Hashable, Sendable {
    package struct Message: Hashable, Sendable {
        /// The message's key in the trace.
        package var key: String
        /// The text that a client must display; nil if the displayed text is not checked, as for a deleted message or
        /// media.
        package var text: String?
        /// The message's time in milliseconds since 1970 on the server's clock.
        package var timestamp: Int64
        package var sequence: Int64
        package var isUnread: Bool
        /// Whether the message was stored before the client first connected.
        package var isOld: Bool
        package var sender: String

        init(_ message: ChatMessage, name: String, isUnread: Bool, isOld: Bool) {
            self.isOld = isOld
            sender = message.sender
            key = name
            timestamp = message.timestamp
            sequence = message.sequence
            self.isUnread = isUnread
            text = message.isDeleted == true || message.media != nil ? nil : message.text
        }
    }

    package struct Conversation: Hashable, Sendable {
        package var id: String
        /// The messages in the order in which clients display them: by timestamp, then by ID.
        package var messages: [Message]
        /// The number of messages that the user has not read.
        package var unread: Int64
    }

    /// The name of the client's user.
    package var user: String
    package var conversations: [Conversation]
    /// Whether the server has deleted or lost conversations that clients may still display.
    package var hasForgotten: Bool
    /// Whether the server has lost its stored state, such as messages and push tokens, in a restart.
    package var hasLostState: Bool
    /// The presence of each user, as far as the server knows it; empty if the server does not announce presence.
    package var presence: [String: PresenceStatus]
    /// The push token that the client has registered for the user; nil if there is none.
    package var pushToken: String?
}

extension ChatServer {
    /// Returns the user logged in on a client.
    package func user(of client: ClientID) -> String {
        // The user of the newest connection is the current one: an older connection may belong to the previous user.
        links.authenticated(client).last.map { principal(on: $0).user } ?? presence.user(of: client)
    }

    /// Returns the state that a client must display once it has received everything from this server.
    ///
    /// - Parameters:
    ///   - first: The last sequence number that the server had assigned when the client first connected.
    ///   - name: Converts a message's id to the message's key in the trace.
    package func truth(for client: ClientID, since first: Int64, name: (String) -> String) -> ServerTruth {
        let user = user(of: client)
        return ServerTruth(
            user: user,
            // Conversations that the server has deleted or lost are left out, because clients are not notified that
            // they are gone.
            conversations: store.conversations.filter { !store.forgotten.contains($0) }.map { conversation in
                ServerTruth.Conversation(
                    id: conversation,
                    messages: store.messages(of: conversation)
                        .sorted { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }
                        .map {
                            ServerTruth.Message(
                                $0,
                                name: name($0.key),
                                isUnread: unread.isUnread($0, for: user),
                                isOld: $0.timestamp < profile.clock.epoch || $0.sequence <= first
                            )
                        },
                    unread: unread.count(for: user, in: conversation, of: store)
                )
            },
            hasForgotten: !store.forgotten.isEmpty,
            hasLostState: hasLostState,
            presence: profile.presence.announced ? presence.entries.mapValues(\.status) : [:],
            pushToken: pushes.token(of: user, on: client)
        )
    }

    /// Undoes the script's changes that prevent clients from catching up. Afterwards, the server listens, has no rules
    /// for responses, and accepts the correct key. Its stored state is not changed.
    ///
    /// - Parameter cuttingLinks: Whether to reset the server's connections as well, because frames were lost on them.
    package mutating func calmDown(
        to original: ServerProfile,
        cuttingLinks: Bool,
        at now: Instant
    ) -> [ServerOutput] {
        self.now = now
        defer { outputs = [] }
        start()
        for host in hostsDown.sorted() { start(host: host) }
        replyRules.removeAll()
        requestRules.removeAll()
        for label in Set(held.map(\.label)).sorted() { release(label, .kept) }
        acceptsKeys = true
        profile.ping.answered = original.ping.answered
        if cuttingLinks { for id in links.ids { end(id, .rst) } }
        return outputs
    }
}
