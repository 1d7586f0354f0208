package import SquallCore

/// An action of the user or the phone on a chat client.
package enum ClientCommand: Hashable, Sendable {
    // user
    case open(conversation: String)
    /// `label` names the message in the scenario and in the trace.
    case send(conversation: String?, text: String, label: String?)
    /// A file to upload; `label` names it in the scenario and in the trace.
    case share(file: String, bytes: Int64, label: String?)
    case retry(label: String)
    case retryAll
    case reconnect
    /// Closes the connection and stays offline until a ``reconnect``.
    case disconnect
    case refresh
    case dismissBanner
    /// Logs in at the captive portal and returns to the app.
    case portalLogin
    case markRead(conversation: String)
    /// Makes the server run a command.
    case execute(String)
    /// Stops the prompt of a conversation, or the command with this id.
    case stop(id: String)
    /// Replaces the stored credential.
    case setKey(String)
    // device
    case start
    case background
    case foreground
    /// Suspends the process while the world goes on; it resumes after the span.
    case suspend(TimeSpan, wake: WakeOrder)
    case network(reachable: Bool)
    /// Switches between Wi-Fi and cellular, after which connections over the old path are dead.
    case handoff
    /// Kills the process and loses what it has not stored. It restarts after `down`, or when started explicitly.
    case kill(down: TimeSpan?)
    /// Restarts the whole phone, including its transfer service.
    case reboot(down: TimeSpan?)
    // account and notifications
    /// Goes back from the conversation to the list of conversations.
    case leave
    /// Signs in with the user's own key, or with the client's initial key if `key` is nil.
    case signIn(user: String, key: String?)
    case signOut
    case openSettings
    /// Taps the notification of the labelled message, or the newest one. The phone fills in `push`.
    indirect case tap(label: String?, push: Push?)
    /// Replies from the notification without opening the app; `label` names the reply.
    indirect case reply(to: String?, text: String, label: String?, push: Push?)
    /// Delivers the token of the phone's push service to the app.
    case token(String)
    /// Sets whether the phone allows the app to show notifications.
    case permission(PushPermission)
    indirect case push(Push)
    // user
    /// Scrolls the open conversation.
    case scroll(to: ScrollTarget)
    /// Taps the control above the oldest message.
    case loadEarlier
    /// Taps one of the suggested messages of an empty conversation, counted from 1.
    case takeSuggestion(Int64)
    /// Taps a quotation of a message in the open conversation, given by its scenario label or its id.
    case jump(message: String)
    // reading
    /// Opens the list of conversations.
    case openList
    /// Scrolls the open conversation so that the message is at the lower edge of the screen.
    case see(message: String)
    case longPress(message: String)
    /// Requests that a conversation be marked as read for another user, as a malicious client would.
    case forgeReading(conversation: String, user: String)
    /// Shows a conversation's view on the screen, independently of which conversation is open.
    case appear(conversation: String)
    /// Removes a conversation's view from the screen.
    case disappear(conversation: String)

    // user: images and deletion; `message` is the client's key of a message
    /// Chooses an image, which then appears in the preview.
    case attach(ChosenImage)
    case cancelImage
    /// Sends the image in the preview; `label` names the message.
    case sendImage(label: String?)
    /// Asks to delete a message, or all of the user's own messages from it through another; the client asks for
    /// confirmation.
    case delete(message: String, through: String? = nil)
    case confirmDelete
    case cancelDelete
    case undo(message: String)
}

/// An image that the user has taken or chosen.
package struct ChosenImage: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable, CaseIterable { case camera, library }

    package var file: String
    package var source: Source
    package var bytes: Int64
    /// The size in pixels.
    package var width: Int64
    package var height: Int64
    /// The conversation; nil for the open one.
    package var conversation: String?

    package init(
        file: String,
        source: Source,
        bytes: Int64,
        width: Int64,
        height: Int64,
        conversation: String? = nil
    ) {
        self.file = file
        self.source = source
        self.bytes = bytes
        self.width = width
        self.height = height
        self.conversation = conversation
    }
}

/// The position that a user scrolls to.
package enum ScrollTarget: Hashable, Sendable {
    /// The oldest message that the client has.
    case start
    /// The end of the list, after the newest message.
    case end
    /// The message that is to be the first visible one, given by its scenario label or its id.
    case message(String)

    package init(word: String) {
        self =
            switch word {
            case "start": .start
            case "end": .end
            default: .message(word)
            }
    }

    /// The target's text in scenarios and in the adapter protocol.
    package var word: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .message(let id): id
        }
    }
}

/// The order of events when a suspended phone wakes: overdue timers first, or received frames first.
package enum WakeOrder: String, Hashable, Sendable, CaseIterable {
    case timersFirst = "timers_first"
    case framesFirst = "frames_first"
}
