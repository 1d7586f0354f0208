package import ChatWire
package import SquallCore
package import WebSocketWire

/// A case of the chat protocol: what is said, and what must be answered.
package struct ChatCase: Sendable {
    package let summary: CaseSummary
    package let judged: WebSocketRole
    package let steps: [ChatStep]
    /// Whether it is told and not judged.
    package let isInformational: Bool
    /// What must be there for it to be played at all.
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

/// What a case cannot do without.
package enum ChatNeed: Hashable, Sendable, Comparable {
    /// The key of another user who is in the conversation.
    case otherUser
    /// A server that replays what was not acknowledged without being asked.
    case replayUntilAcknowledged
    /// A client that was just started, and that nothing is wanted of afterwards.
    case ownClient
    /// A client that takes this command of the adapter protocol.
    case command(String)
}

/// A frame that must come.
package struct ChatPattern: Hashable, Sendable {
    package var role: FrameRole
    package var fields: [WireField: ChatValue]
    /// Values to be kept, by the name they get.
    package var keeps: [WireField: String]

    package init(_ role: FrameRole, _ fields: [WireField: ChatValue] = [:], keeps: [WireField: String] = [:]) {
        self.role = role
        self.fields = fields
        self.keeps = keeps
    }
}

/// One thing that a case of the chat protocol does.
package enum ChatStep: Hashable, Sendable {
    case say(FrameRole, [WireField: ChatValue])
    /// A text message that need be no frame.
    case sayText(String)
    /// This frame must come next; others that a peer may send at any time are passed over.
    case expect(ChatPattern)
    /// One of two must come, or a close with this code.
    case expectAny([ChatPattern], orClose: UInt16)
    /// For so long nothing may come but frames of these roles.
    case silence(TimeSpan, except: [FrameRole])
    /// A replay must come whose messages ascend, with those whose ids were kept under these names, and without those.
    ///
    /// `fromStart`: everything was asked for, so that one that says it is not complete may lack even what it should hold.
    case expectReplay(holding: [String], lacking: [String], fromStart: Bool = false)
    /// For so long no replay may come that holds the message whose id was kept.
    case noReplay(of: String, TimeSpan)
    /// The peer closes with this code.
    case expectClose(UInt16)
    case close(UInt16)
    /// Judging a server: the connection is cut, and another one made, by that user of the case's, 0 first. Judging a
    /// client: it comes back.
    case reconnect(user: Int = 0)
    /// For so long the client may not come back.
    case staysAway(TimeSpan)
    /// A request over HTTP, on a connection of its own, and what must be answered.
    case ask(RouteAsk, RouteReply)
    /// The client is told to do something.
    case command(ClientWish)
}

/// What the user of a client wants, as the adapter protocol's commands have it.
package enum ClientWish: Hashable, Sendable {
    case send(conversation: String, text: String)

    /// The command's type.
    package var word: String {
        switch self {
        case .send: "send"
        }
    }
}
