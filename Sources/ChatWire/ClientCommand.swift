package import Foundations

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
    /// Scrolls so that this message is the first on the screen.
    case lookAt(message: String)
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

/// The two orders in which a phone wakes.
package enum WakeOrder: String, Hashable, Sendable, CaseIterable {
    case timersFirst = "timers_first"
    case framesFirst = "frames_first"
}
