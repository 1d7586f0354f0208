package import ChatWire

/// What a case of the chat protocol must know of the peer.
package struct ChatTarget: Hashable, Sendable {
    package var wire: WireProfile
    /// A key that the server accepts.
    package var key: String
    /// A conversation that exists and that the key's user may write to.
    package var conversation: String
    /// Makes the ids of messages those of one run: a server keeps what earlier runs have sent.
    package var nonce: String
    /// One that there is none of.
    package var nowhere: String
    /// The key of somebody else in the conversation, where there is one to be had.
    package var otherKey: String?
    /// Whether the profile has the server replay what was not acknowledged, unasked.
    package var replaysUntilAcknowledged: Bool

    package init(
        wire: WireProfile = WireProfile(),
        key: String = "key-1",
        conversation: String = "stukov",
        nonce: String = "1",
        nowhere: String? = nil,
        otherKey: String? = nil,
        replaysUntilAcknowledged: Bool = false
    ) {
        self.wire = wire
        self.key = key
        self.conversation = conversation
        self.nonce = nonce
        self.nowhere = nowhere ?? "squall-nowhere"
        self.otherKey = otherKey
        self.replaysUntilAcknowledged = replaysUntilAcknowledged
    }
}
