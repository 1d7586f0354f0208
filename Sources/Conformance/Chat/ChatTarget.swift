package import ChatWire

/// The parameters that the chat-protocol cases need to test a peer.
package struct ChatTarget: Hashable, Sendable {
    package var wire: WireProfile
    /// An API key that the server accepts.
    package var key: String
    /// The id of a conversation that the user of ``key`` may write to.
    package var conversation: String
    /// A prefix that makes message ids unique to this run, because a server keeps the messages from earlier runs.
    package var nonce: String
    /// The id of a conversation that does not exist.
    package var missingConversation: String
    /// The API key of a second user in the conversation; nil if none is available.
    package var otherKey: String?
    /// The id of a conversation that the user of ``key`` is not a member of; nil if none is available.
    package var foreignConversation: String?
    /// Whether a server with this profile sends unsolicited replays of unacknowledged messages.
    package var replaysUntilAcknowledged: Bool
    /// Whether a server with this profile works on one prompt at a time in a conversation and rejects other prompts
    /// until it has finished.
    package var locksConversations: Bool
    /// Whether a server with this profile rejects replayed login frames.
    package var checksFreshness: Bool
    /// Whether a server with this profile lists the deleted messages on a page after all others.
    package var listsDeletedLast: Bool
    /// The time on the server's clock when the cases are created, in milliseconds since 1970.
    package var clock: Int64

    package init(
        wire: WireProfile = WireProfile(),
        key: String = "key-1",
        conversation: String = "stukov",
        nonce: String = "1",
        missingConversation: String? = nil,
        otherKey: String? = nil,
        foreignConversation: String? = nil,
        replaysUntilAcknowledged: Bool = false,
        locksConversations: Bool = false,
        checksFreshness: Bool = false,
        listsDeletedLast: Bool = false,
        clock: Int64 = 0
    ) {
        self.wire = wire
        self.key = key
        self.conversation = conversation
        self.nonce = nonce
        self.missingConversation = missingConversation ?? "squall-nowhere"
        self.otherKey = otherKey
        self.foreignConversation = foreignConversation
        self.replaysUntilAcknowledged = replaysUntilAcknowledged
        self.locksConversations = locksConversations
        self.checksFreshness = checksFreshness
        self.listsDeletedLast = listsDeletedLast
        self.clock = clock
    }
}
