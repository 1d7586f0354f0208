import ChatWire
import Faults
import SquallCore

/// Accepts messages from clients, stores them and sends them to all other clients.
extension ChatServer {
    /// The outcome of a client's request to send a message, over the WebSocket or HTTP.
    enum SendOutcome: Hashable, Sendable {
        case stored(ChatMessage)
        /// The message was already stored.
        case repeated(ChatMessage)
        /// Another message has the same idempotency key.
        case conflicting
        case limited(retryAfter: TimeSpan)
        /// The conversation's previous prompt is still in progress.
        case locked
        /// The user is not a member of the conversation.
        case notMember
    }

    mutating func take(_ request: ClientFrame.SendRequest, from principal: Principal) -> SendOutcome {
        let (client, sender) = (principal.client, principal.user)
        if policy.message.repeats == .haveNoEffect, let id = request.clientMessageID,
            let known = store.sent(by: sender, as: id)
        {
            guard known.conversation == request.conversation, known.text == request.text, known.media == request.media
            else { return .conflicting }
            note("server.dropped_duplicate", key: id, of: client)
            return .repeated(known)
        }
        guard members.isMember(sender, of: request.conversation) else { return .notMember }
        if isLocked(request.conversation) { return .locked }
        let counted = policy.rateLimit == .ofEachClient ? client : .only
        if case .refused(let wait) = rateLimit.admit(counted, under: profile.rateLimit, at: now) {
            return .limited(retryAfter: wait)
        }
        let draft = MessageStore.Draft(
            conversation: request.conversation,
            sender: sender,
            text: request.text,
            clientMessageID: request.clientMessageID,
            timestamp: clock(),
            media: request.media
        )
        let message = store(draft, from: client, label: nil)
        beginPrompt(message, of: client)
        return .stored(message)
    }

    mutating func answer(_ request: ClientFrame.SendRequest, on id: LinkID) {
        switch take(request, from: principal(on: id)) {
        case .stored(let message):
            send(.confirm(message.confirmation(duplicate: false)), to: id)
            distribute(message, from: id.client)
        case .repeated(let message):
            send(.confirm(message.confirmation(duplicate: true)), to: id)
            repeatReply(to: message, on: id)
        case .conflicting:
            reject(.send(request), .malformed, "send: client_message_id is another message's", on: id)
        case .limited(let wait):
            reject(.send(request), .rateLimited, profile.rateLimit.message, retryAfter: wait, on: id)
        case .locked:
            reject(.send(request), .sessionLocked, profile.work.locked, on: id)
        case .notMember:
            reject(.send(request), .notMember, Self.notMember, on: id)
        }
    }

    /// Returns whether the server has, or ever had, a message with this server- or sender-assigned ID.
    package func hasStored(_ id: String) -> Bool { store.has(id) }

    /// Stores a message and records it in the trace; ``distribute(_:from:label:)`` sends it.
    mutating func store(_ draft: MessageStore.Draft, from client: ClientID?, label: String?) -> ChatMessage {
        var draft = draft
        if policy.message.uniqueness == .perConversation {
            draft.id = "m\(store.messages(of: draft.conversation).count + 1)"
        }
        let message = store.store(draft, at: now)
        note(
            "server.stored",
            key: message.key,
            .fields([
                ("conversation", .string(message.conversation)),
                ("sequence", .integer(message.sequence)),
                ("sender", .string(message.sender)),
                ("origin", client == nil ? "post" : "client"),
                ("message_id", message.key == message.id ? nil : .string(message.id)),
                ("label", label.map { .string($0) }),
                ("media", message.media.map { .string($0.type) }),
                ("media_bytes", message.media.flatMap(bytesStored).map { .integer($0) }),
                ("media_is_own", message.media.flatMap { isOwn($0, of: message) }.map { .bool($0) }),
            ]),
            of: client
        )
        return message
    }

    /// Sends a message to every client except its sender; a client that is not connected receives the message after
    /// reconnecting.
    mutating func distribute(_ message: ChatMessage, from client: ClientID?, label: String? = nil) {
        if profile.replay.mode == .untilAcknowledged {
            let takesAll = policy.replay.queue == .takesAll
            sessions.enqueue(message.sequence) { $0 != client && (takesAll || links.ids(of: $0).isEmpty) }
        }
        mqttSessions.enqueue(message.sequence, except: client)
        broadcast(.message(message)) { $0.client == client }
        pushOut(message, label: label)
    }

    /// Returns the time on the server's clock, which may be skewed, in milliseconds since 1970.
    func clock(at instant: Instant? = nil) -> Int64 {
        let shown = (instant ?? now) + profile.clock.skew
        return profile.clock.epoch + shown.nanoseconds / 1_000_000
    }

    /// The server's time, to be sent in `connected` and `pong`; nil if the profile does not announce it.
    var announcedTime: Int64? { profile.clock.isAnnounced ? clock() : nil }
}

// MARK: - Messages from the script

extension ChatServer {
    /// Posts the messages of a `post` action, starting at index `first`: all at once, or at the action's interval.
    mutating func post(_ post: ServerAction.Post, from first: Int64 = 0) {
        for number in first..<max(post.count, first) {
            let label = post.label.map { post.count > 1 ? "\($0)-\(number + 1)" : $0 }
            var draft = MessageStore.Draft(
                conversation: post.conversation,
                sender: post.sender ?? post.conversation,
                text: post.text ?? "Message \(store.lastSequence + 1)",
                timestamp: clock()
            )
            if let media = post.media { attach(media, to: &draft) }
            distribute(store(draft, from: nil, label: label), from: nil, label: label)
            guard post.every > .zero, number + 1 < post.count else { continue }
            return tasks.add(.post(post, first: number + 1), at: now + post.every)
        }
    }

    /// Stores messages as if they had been sent before the run, without sending them to clients.
    mutating func remember(_ history: ServerHistory) {
        for number in 0..<max(history.count, 0) {
            let older = TimeSpan.seconds(history.count - 1 - number)
            let instant = now - history.age - older
            let draft = MessageStore.Draft(
                conversation: history.conversation,
                sender: history.conversation,
                text: "Message \(store.lastSequence + 1)",
                timestamp: clock(at: instant)
            )
            _ = store.store(draft, at: instant)
        }
    }

    mutating func begin(_ stream: ServerAction.Stream) {
        let id = store.nextID()
        note(
            "server.stream_began",
            key: id,
            .fields([
                ("conversation", .string(stream.conversation)), ("label", stream.label.map { .string($0) }),
            ])
        )
        write(TokenStream(id: id, stream))
    }

    /// Sends the stream's current token; after the last one, stores and sends the whole message.
    mutating func write(_ stream: TokenStream) {
        broadcast(.token(stream.token))
        guard !stream.token.final else {
            let draft = MessageStore.Draft(
                id: stream.id,
                conversation: stream.conversation,
                sender: stream.conversation,
                text: stream.text,
                timestamp: clock()
            )
            return distribute(store(draft, from: nil, label: stream.label), from: nil, label: stream.label)
        }
        tasks.add(.write(stream.next), at: now + stream.every)
    }
}

/// A message that is being sent token by token, and the current position in it.
struct TokenStream: Hashable, Sendable {
    let id: String
    let conversation: String
    let text: String
    let every: TimeSpan
    let label: String?
    private let pieces: Int
    private var index = 0

    init(id: String, _ stream: ServerAction.Stream) {
        self.id = id
        conversation = stream.conversation
        text = stream.text
        every = stream.every
        label = stream.label
        pieces = min(max(Int(clamping: stream.pieces), 1), max(stream.text.count, 1))
    }

    /// The current token. The lengths of any two tokens differ by at most one character.
    var token: ServerFrame.Token {
        let length = text.count
        let (start, end) = (index * length / pieces, (index + 1) * length / pieces)
        return ServerFrame.Token(
            conversation: conversation,
            messageID: id,
            index: Int64(index),
            text: String(text.dropFirst(start).prefix(end - start)),
            final: index + 1 == pieces
        )
    }

    var next: TokenStream {
        var next = self
        next.index += 1
        return next
    }
}

extension ChatMessage {
    /// Returns the confirmation for the sender; its client message ID is empty if the client assigned none.
    func confirmation(duplicate: Bool) -> ServerFrame.Confirmation {
        ServerFrame.Confirmation(
            clientMessageID: clientMessageID ?? "",
            messageID: id,
            sequence: sequence,
            timestamp: timestamp,
            duplicate: duplicate
        )
    }
}
