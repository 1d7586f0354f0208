package import ChatWire
package import SquallCore
package import WebSocketWire

/// A chat-protocol conformance case: the frames and requests to send, and the expected answers.
package struct ChatCase: Sendable {
    package let summary: CaseSummary
    package let testedRole: WebSocketRole
    package let steps: [ChatStep]
    /// Whether the case only reports its result and cannot fail.
    package let isInformational: Bool
    /// The requirements that must be met to run the case.
    package let needs: Set<ChatNeed>

    init(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ rule: String,
        testedRole: WebSocketRole = .server,
        isInformational: Bool = false,
        needs: Set<ChatNeed> = [],
        _ steps: [ChatStep]
    ) {
        summary = CaseSummary(id: CaseID(id), title: title, allowed: allowed, sections: ["Chat protocol, \(rule)"])
        self.testedRole = testedRole
        self.isInformational = isInformational
        self.needs = needs
        self.steps = steps
    }
}

/// A requirement that must be met to run a case.
package enum ChatNeed: Hashable, Sendable, Comparable {
    /// The API key of a second user in the conversation.
    case otherUser
    /// A conversation that the user is not a member of.
    case foreignConversation
    /// A server that replays unacknowledged messages without a `sync`.
    case replayUntilAcknowledged
    /// A server that rejects a second prompt in a conversation while it works on the first.
    case lockedConversations
    /// A server that rejects replayed login frames.
    case freshLogins
    /// A client that is started only for this case.
    case ownClient
    /// A client that supports this adapter command.
    case command(String)
}

/// The pattern of an expected frame.
package struct ChatPattern: Hashable, Sendable {
    package var role: FrameRole
    package var fields: [WireField: ChatValue]
    /// The fields whose values are saved, each with the name under which its value is saved.
    package var saves: [WireField: String]
    /// The time limit for the frame.
    package var limit: TimeSpan
    /// The name that this frame shares with other frames that must equal it in everything but the timestamp; nil if
    /// there are none.
    package var sameAs: String?

    package init(
        _ role: FrameRole,
        _ fields: [WireField: ChatValue] = [:],
        saves: [WireField: String] = [:],
        within limit: TimeSpan = ChatRun.timeout,
        sameAs: String? = nil
    ) {
        self.role = role
        self.fields = fields
        self.saves = saves
        self.limit = limit
        self.sameAs = sameAs
    }
}

/// One step of a chat-protocol case.
package enum ChatStep: Hashable, Sendable {
    case say(FrameRole, [WireField: ChatValue])
    /// Sends a WebSocket text message that need not be a valid frame of the chat protocol.
    case sayText(String)
    /// Expects a frame that matches the pattern. Skips frames that a peer may send at any time.
    case expect(ChatPattern)
    /// Expects a frame that matches one of the patterns, or a close with this code.
    case expectAny([ChatPattern], orClose: UInt16)
    /// Expects no frames for this long, except frames with the roles in `except`.
    case silence(TimeSpan, except: [FrameRole])
    /// Expects a replay in ascending order. It must contain all messages whose ids were saved under the names in
    /// `including`, and none of those whose ids were saved under the names in `excluding`.
    ///
    /// If `fromStart` is true, the case requested a replay of all messages, so a replay marked as incomplete may lack
    /// messages in `including`.
    case expectReplay(including: [String], excluding: [String], fromStart: Bool = false)
    /// Expects that, for this long, no replay contains the message whose id was saved under the name `of`.
    case noReplay(of: String, TimeSpan)
    /// Expects a close with this code. All closes with the same `sameReasonAs` must have the same reason.
    case expectClose(UInt16, sameReasonAs: String? = nil)
    case close(UInt16)
    /// Continues on another connection. If the peer is a server, Squall resets the connection and opens a new one as
    /// the case's user with this number, counted from 0. If the peer is a client, Squall waits until the client
    /// connects again.
    case reconnect(user: Int = 0)
    /// Leaves the connection to a server open without reading it, and continues on a second one as the case's user with
    /// this number. The next `reconnect` resets both.
    case openAnother(user: Int)
    /// Expects that the client does not reconnect for this long.
    case expectNoReconnect(TimeSpan)
    /// Sends an HTTP request on a new connection and expects this reply.
    case ask(RouteRequest, RouteReply)
    /// Sends a command to the client through its adapter.
    case command(UserAction)
}

/// A user action, sent to the client as an adapter command.
package enum UserAction: Hashable, Sendable {
    case send(conversation: String, text: String)

    /// The command's type in the adapter protocol.
    package var word: String {
        switch self {
        case .send: "send"
        }
    }
}
