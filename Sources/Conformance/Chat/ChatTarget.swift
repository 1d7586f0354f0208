package import ChatWire

/// The parameters of the peer that the cases of the chat protocol need.
package struct ChatTarget: Hashable, Sendable {
    package var wire: WireProfile
    /// A key that the server accepts.
    package var key: String
    /// An existing conversation that the key's user may write to.
    package var conversation: String
    /// Makes message ids unique to this run, because a server keeps the messages of earlier runs.
    package var nonce: String
    /// A conversation that does not exist.
    package var nowhere: String
    /// The key of another user in the conversation; nil if none is available.
    package var otherKey: String?
    /// Whether the profile's server sends unsolicited replays of unacknowledged messages.
    package var replaysUntilAcknowledged: Bool
    /// Whether the profile's server works on one prompt of a conversation at a time, and refuses others meanwhile.
    package var locksConversations: Bool
    /// Whether the profile's server refuses recorded logins.
    package var checksFreshness: Bool
    /// The server's clock when the cases are made, in milliseconds since 1970.
    package var clock: Int64

    package init(
        wire: WireProfile = WireProfile(),
        key: String = "key-1",
        conversation: String = "stukov",
        nonce: String = "1",
        nowhere: String? = nil,
        otherKey: String? = nil,
        replaysUntilAcknowledged: Bool = false,
        locksConversations: Bool = false,
        checksFreshness: Bool = false,
        clock: Int64 = 0
    ) {
        self.wire = wire
        self.key = key
        self.conversation = conversation
        self.nonce = nonce
        self.nowhere = nowhere ?? "squall-nowhere"
        self.otherKey = otherKey
        self.replaysUntilAcknowledged = replaysUntilAcknowledged
        self.locksConversations = locksConversations
        self.checksFreshness = checksFreshness
        self.clock = clock
    }
}
