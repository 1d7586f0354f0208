package import ChatWire
package import SquallCore
package import WebSocketWire

/// A case of the chat protocol: the frames and requests to send, and the expected answers.
package struct ChatCase: Sendable {
    package let summary: CaseSummary
    package let judged: WebSocketRole
    package let steps: [ChatStep]
    /// Whether the result is reported but not judged.
    package let isInformational: Bool
    /// The requirements for playing the case.
    package let needs: Set<ChatNeed>

    init(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ rule: String,
        judged: WebSocketRole = .server,
        isInformational: Bool = false,
        needs: Set<ChatNeed> = [],
        _ steps: [ChatStep]
    ) {
        summary = CaseSummary(id: CaseID(id), title: title, allowed: allowed, sections: ["Chat protocol, \(rule)"])
        self.judged = judged
        self.isInformational = isInformational
        self.needs = needs
        self.steps = steps
    }
}

/// A requirement of a case.
package enum ChatNeed: Hashable, Sendable, Comparable {
    /// The key of another user in the conversation.
    case otherUser
    /// A server that replays unacknowledged messages without a `sync`.
    case replayUntilAcknowledged
    /// A server that refuses a second prompt of a conversation while it works on the first.
    case lockedConversations
    /// A server that refuses recorded logins.
    case freshLogins
    /// A client that is started for this case only.
    case ownClient
    /// A client that supports this command of the adapter protocol.
    case command(String)
}

/// The pattern of an expected frame.
package struct ChatPattern: Hashable, Sendable {
    package var role: FrameRole
    package var fields: [WireField: ChatValue]
    /// Fields whose values are saved, with the names to save them under.
    package var keeps: [WireField: String]

    package init(_ role: FrameRole, _ fields: [WireField: ChatValue] = [:], keeps: [WireField: String] = [:]) {
        self.role = role
        self.fields = fields
        self.keeps = keeps
    }
}

/// One step of a case of the chat protocol.
package enum ChatStep: Hashable, Sendable {
    case say(FrameRole, [WireField: ChatValue])
    /// Sends a text message, which need not be a frame.
    case sayText(String)
    /// Expects this frame next. Frames that a peer may send at any time are skipped.
    case expect(ChatPattern)
    /// Expects one of these frames, or a close with this code.
    case expectAny([ChatPattern], orClose: UInt16)
    /// Expects no frames for this time, except of these roles.
    case silence(TimeSpan, except: [FrameRole])
    /// Expects a replay in ascending order with the messages saved under the names `holding` and without those in
    /// `lacking`.
    ///
    /// With `fromStart`, all messages were requested; an incomplete replay may then also lack messages in `holding`.
    case expectReplay(holding: [String], lacking: [String], fromStart: Bool = false)
    /// Expects that no replay within this time contains the message whose id was saved.
    case noReplay(of: String, TimeSpan)
    /// Expects a close with this code.
    case expectClose(UInt16)
    case close(UInt16)
    /// When judging a server, resets the connection and opens a new one as this user of the case, counted from 0. When
    /// judging a client, waits for its next connection.
    case reconnect(user: Int = 0)
    /// Expects that the client does not reconnect within this time.
    case staysAway(TimeSpan)
    /// Sends an HTTP request on its own connection and expects this reply.
    case ask(RouteRequest, RouteReply)
    /// Sends a command to the client through its adapter.
    case command(UserAction)
}

/// An action of the client's user, sent as a command of the adapter protocol.
package enum UserAction: Hashable, Sendable {
    case send(conversation: String, text: String)

    /// The type of the command.
    package var word: String {
        switch self {
        case .send: "send"
        }
    }
}
