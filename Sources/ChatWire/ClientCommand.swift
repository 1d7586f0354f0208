package import SquallCore

/// What a person or the phone does to a chat client.
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
    /// Leaves, until a ``reconnect``.
    case disconnect
    case refresh
    case dismissBanner
    /// Goes through the captive portal's login and comes back.
    case portalLogin
    case markRead(conversation: String)
    /// Has the server run a command.
    case execute(String)
    /// Ends what runs in a conversation, or a command by its id.
    case stop(id: String)
    /// A new credential in the store.
    case setKey(String)
    // device
    case start
    case background
    case foreground
    /// The process stops running while the world goes on; ends by itself after the span.
    case suspend(TimeSpan, wake: WakeOrder)
    case network(reachable: Bool)
    /// Wi-Fi to cellular or back: the old path is dead.
    case handoff
    /// Ends the process; what was not stored is gone. It comes back after `down`, or when told to start.
    case kill(down: TimeSpan?)
    /// The same for the whole phone: its transfer service is gone, too.
    case reboot(down: TimeSpan?)
    // account and notifications
    /// Leaves the conversation for the list of all.
    case leave
    /// With a key of the user's own, or the one that the client has begun with.
    case signIn(user: String, key: String?)
    case signOut
    case openSettings
    /// Taps the notification of the message with that label, or the newest; what was pushed is the phone's to fill in.
    indirect case tap(label: String?, push: Push?)
    /// Answers there, without going to the app; `label` names the answer.
    indirect case reply(to: String?, text: String, label: String?, push: Push?)
    /// The phone's push service has given the app its token.
    case token(String)
    /// Whether the phone lets the app notify.
    case permission(PushPermission)
    indirect case push(Push)
    // user
    /// Moves the open conversation's list.
    case scroll(to: ScrollTarget)
    /// Taps the control above the oldest message.
    case loadEarlier
    /// Taps one of the things to say that an empty conversation offers, counted from 1.
    case takeSuggestion(Int64)
    /// Taps a quotation of a message of the open conversation, by its name in the scenario, or its id.
    case jump(message: String)
    // reading
    /// Looks at the list of conversations.
    case openList
    /// Has scrolled a message of the open conversation to the screen's lower edge.
    case see(message: String)
    case longPress(message: String)
    /// Asks, as no honest client does, that a conversation count as read by somebody else.
    case forgeReading(conversation: String, user: String)
    /// A conversation's view has come onto the screen, or left it, whatever is chosen.
    case appear(conversation: String)
    case disappear(conversation: String)

    // user: images and deletion; messages by their keys, as the client knows them
    /// Chooses an image, which the preview shows.
    case attach(ChosenImage)
    case cancelImage
    /// Sends what the preview shows; `label` names the message.
    case sendImage(label: String?)
    /// Wants a message deleted, or all of the user's own from it through another, and is asked whether that is meant.
    case delete(message: String, through: String? = nil)
    case confirmDelete
    case cancelDelete
    case undo(message: String)
}

/// An image that the user has taken or picked.
package struct ChosenImage: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable, CaseIterable { case camera, library }

    package var file: String
    package var source: Source
    package var bytes: Int64
    /// Pixels.
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

/// Where a user scrolls to.
package enum ScrollTarget: Hashable, Sendable {
    /// The oldest message that is here.
    case start
    /// Behind the newest.
    case end
    /// A message becomes the first one visible: by its name in the scenario, or its id.
    case message(String)

    package init(word: String) {
        self =
            switch word {
            case "start": .start
            case "end": .end
            default: .message(word)
            }
    }

    /// As scenarios and the adapter protocol write it.
    package var word: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .message(let id): id
        }
    }
}

/// The two orders in which a phone wakes.
package enum WakeOrder: String, Hashable, Sendable, CaseIterable {
    case timersFirst = "timers_first"
    case framesFirst = "frames_first"
}
