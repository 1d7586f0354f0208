package import ChatWire
package import Foundations
package import WebSocketWire

/// A case of the chat protocol: what is said, and what must be answered.
package struct ChatCase: Sendable {
    package let summary: CaseSummary
    package let judged: WebSocketRole
    package let steps: [ChatStep]
    /// Whether it is told and not judged.
    package let isInformational: Bool

    init(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ rule: String,
        judged: WebSocketRole = .server,
        isInformational: Bool = false,
        _ steps: [ChatStep]
    ) {
        summary = CaseSummary(id: CaseID(id), title: title, allowed: allowed, sections: ["Chat protocol, \(rule)"])
        self.judged = judged
        self.isInformational = isInformational
        self.steps = steps
    }
}

/// A value that a case says or looks for.
package enum ChatValue: Hashable, Sendable {
    case exactly(JSON)
    /// What an earlier frame held under a name that the case gave it.
    case kept(String)
    /// A count above one that was kept.
    case above(String)
    /// Not what was kept.
    case other(String)
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
    /// A replay must come whose messages ascend and hold the one whose id was kept, or not.
    case expectReplay(holding: String?, without: String?)
    /// The peer closes with this code.
    case expectClose(UInt16)
    case close(UInt16)
    /// The connection is cut, and another one made.
    case reconnect
}
