import SquallCore

/// The content of a push notification: all that is needed to notify the user of a message and to open it.
///
/// The phone's push service delivers a push whether or not the app is running. Pushes do not use the connections to the
/// chat server.
package struct Push: Hashable, Sendable {
    /// The user who is notified.
    package var user: String
    package var conversation: String
    /// The message's server-assigned ID.
    package var message: String
    package var sender: String
    /// The message's text, which the server may have truncated.
    package var text: String
    /// Whether ``text`` is only the beginning of the message's text.
    package var isCut = false

    package init(for user: String, conversation: String, message: String, sender: String, text: String) {
        self.user = user
        self.conversation = conversation
        self.message = message
        self.sender = sender
        self.text = text
    }
}

// MARK: - The payload

extension Push {
    /// The bytes that the server passes to the push service: a JSON object with the `aps` dictionary of Apple's push
    /// service and the app's own keys.
    package var payload: [UInt8] {
        var payload: JSON = [
            "aps": [
                "alert": ["title": .string(sender), "body": .string(text)],
                "mutable-content": 1,
            ],
            "user": .string(user),
            "conversation": .string(conversation),
            "message": .string(message),
        ]
        if isCut { payload.set("is_cut", to: true) }
        return payload.encode()
    }

    /// Decodes a payload; fails if it lacks one of the keys that ``payload`` always writes. Other keys are ignored.
    package init?(payload: [UInt8]) {
        guard let payload = try? JSON.decode(payload), let alert = payload["aps"]?["alert"],
            let user = payload["user"]?.stringValue, let conversation = payload["conversation"]?.stringValue,
            let message = payload["message"]?.stringValue, let sender = alert["title"]?.stringValue,
            let text = alert["body"]?.stringValue
        else { return nil }
        self.init(for: user, conversation: conversation, message: message, sender: sender, text: text)
        isCut = payload["is_cut"]?.boolValue ?? false
    }
}

/// The phone's permission for an app to display notifications.
package enum PushPermission: String, Hashable, Sendable, CaseIterable {
    case granted, denied
}
