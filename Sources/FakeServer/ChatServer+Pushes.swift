import ChatWire
import SquallCore

/// Registers devices for push notifications, and sends the notifications.
extension ChatServer {
    /// Registers the user's device under `token`, or removes the registration of the client's device if the token is
    /// nil.
    ///
    /// The user's other devices remain registered.
    mutating func register(_ token: String?, of user: String, by client: ClientID) {
        guard let token else {
            if pushes.remove(of: user, on: client) {
                note("server.push_token.removed", ["user": .string(user), "cause": "asked"], of: client)
            }
            return
        }
        if let before = pushes.save(token, of: user, on: client) {
            note("server.push_token.removed", ["user": .string(before), "cause": "moved"], of: client)
        }
        note("server.push_token.saved", ["user": .string(user)], of: client)
    }

    /// Pushes a new message to every registered device except those of its sender.
    ///
    /// The server does not know whether a user is looking at the app, so it pushes in either case.
    mutating func pushOut(_ message: ChatMessage, label: String?) {
        guard profile.push.onPost else { return }
        for user in pushes.users where user != message.sender { push(Push(message, for: user), label: label) }
    }

    /// Performs a scripted push. Does nothing if the script refers to a stored message that does not exist.
    mutating func push(_ order: ServerAction.PushOrder) {
        let message: ChatMessage
        if let back = order.back {
            guard let stored = store.newest(of: order.conversation, back: Int(clamping: back)) else { return }
            noteHit(.push(order.conversation, back: back), of: nil)
            message = stored
        } else {
            message = ChatMessage(
                id: store.nextID(),
                conversation: order.conversation,
                sender: order.conversation,
                sequence: 0,
                timestamp: clock(),
                text: order.text ?? "A message"
            )
        }
        let users = order.user.map { [$0] } ?? pushes.users
        for _ in 0..<max(order.times, 0) {
            for user in users { push(Push(message, for: user), label: order.label) }
        }
    }

    private mutating func push(_ push: Push, label: String?) {
        var fields = JSON.fields([
            ("user", .string(push.user)), ("conversation", .string(push.conversation)),
            ("label", label.map { .string($0) }), ("message_id", .string(push.message)),
        ])
        let key = store.key(of: push.message)
        let tokens = pushes.tokens(of: push.user)
        guard !tokens.isEmpty else { return note("server.push_undeliverable", key: key, fields) }
        let payload = PushPayload(push, limit: profile.push.limit, policy.push)
        fields.set("bytes", to: .integer(Int64(payload.bytes.count)))
        fields.set("is_cut", to: .bool(payload.push.isCut))
        let refusal = PushService.refusal(of: payload.bytes, limit: profile.push.limit)
        for token in tokens {
            note("server.pushed", key: key, fields)
            if let refusal {
                let answer: JSON = ["status": .integer(refusal.status), "reason": .string(refusal.reason)]
                note("server.push_refused", key: key, answer)
            } else {
                outputs.append(.push(payload.bytes, token: token, label: label))
            }
        }
    }
}

extension Push {
    fileprivate init(_ message: ChatMessage, for user: String) {
        self.init(
            for: user,
            conversation: message.conversation,
            message: message.id,
            sender: message.sender,
            text: message.text
        )
    }
}
