import ChatWire
import SquallCore

/// The chat-protocol cases for one target. Most are generated from the description of the protocol.
package enum ChatCatalogue {
    package static func cases(_ target: ChatTarget) -> [ChatCase] {
        servers(target) + routes(target) + clients(target)
    }

    /// The facilities that cases may require in addition to a peer: a new client for each case, and adapter commands.
    package struct Facilities: Hashable, Sendable {
        /// Whether a new client is started for each case.
        package var hasOwnClients: Bool
        /// The commands of the adapter protocol that the client supports.
        package var commands: Set<String>

        package init(hasOwnClients: Bool = false, commands: Set<String> = []) {
            self.hasOwnClients = hasOwnClients
            self.commands = commands
        }
    }

    /// Returns the reason why a case cannot be run, or nil if it can.
    package static func reasonNotRunnable(
        _ testCase: ChatCase,
        _ target: ChatTarget,
        _ means: Facilities = Facilities()
    ) -> String? {
        for need in testCase.needs.sorted() {
            switch need {
            case .otherUser where target.otherKey == nil:
                return "needs the key of another user in the conversation: --other-key"
            case .foreignConversation where target.foreignConversation == nil:
                return "needs a conversation without the user: --foreign-conversation"
            case .replayUntilAcknowledged where !target.replaysUntilAcknowledged:
                return "the profile's replay.mode is by_sequence, without unsolicited replays"
            case .lockedConversations where !target.locksConversations:
                return "the profile's server.work.span is 0, so that no prompt is in progress"
            case .freshLogins where !target.checksFreshness:
                return "the profile's server.auth.window is 0, without a check of recorded logins"
            case .ownClient where !means.hasOwnClients:
                return "needs a client that is started for this case only: --client with an adapter"
            case .command(let word) where !means.commands.contains(word):
                return "needs a client that supports the command '\(word)': --client with an adapter that supports it"
            case .otherUser, .foreignConversation, .replayUntilAcknowledged, .lockedConversations, .freshLogins,
                .ownClient, .command:
                continue
            }
        }
        return nil
    }

    /// A case outside the catalogue that only checks that the target is a chat-protocol server.
    package static let probe = ChatCase(
        "probe",
        "Silence after the connection opens.",
        "The server sends something.",
        "rule 1",
        [hello]
    )

    // MARK: - Samples

    /// Returns the fields of a valid client frame, each with a sample value.
    static func sample(_ shape: FrameShape, _ target: ChatTarget) -> [WireField: ChatValue] {
        Dictionary(uniqueKeysWithValues: shape.testedFields.map { ($0.field, .exactly(value(of: $0, target))) })
    }

    static func value(of field: FieldShape, _ target: ChatTarget) -> JSON {
        switch (field.field, field.kind) {
        case (.apiKey, _): .string(target.key)
        case (.conversationID, _): .string(target.conversation)
        case (_, .text): .string("squall \(target.wire[field.field])")
        case (_, .count), (_, .milliseconds): 0
        case (_, .flag): false
        case (_, .timestamp): target.wire.timestampForm == .iso8601 ? "2026-03-01T12:30:45.250Z" : 1_772_368_245_250
        case (_, .word(let words)): .string(words.first ?? "")
        case (_, .object): .object([])
        case (_, .list): []
        }
    }

    /// Returns a value that is invalid for fields of this kind.
    static func wrong(_ kind: FieldKind) -> JSON {
        switch kind {
        case .text, .timestamp, .word, .object, .list: true
        case .count, .milliseconds: -1
        case .flag: "yes"
        }
    }

    // MARK: - Common steps

    static let hello = ChatStep.expect(ChatPattern(.hello))

    static func login(_ target: ChatTarget, saves: [WireField: String] = [:]) -> [ChatStep] {
        [
            hello, .say(.connect, [.apiKey: .exactly(.string(target.key))]),
            .expect(ChatPattern(.connected, saves: saves)),
        ]
    }

    /// Steps that check with a ping and a pong that the connection is still open, and then close it normally.
    static let stillOpen: [ChatStep] = [
        .say(.ping, [.id: .exactly("still there?")]), .expect(ChatPattern(.pong, [.id: .exactly("still there?")])),
        .close(1000), .expectClose(1000),
    ]

    /// Returns the steps that log in with the given key on a new connection.
    static func enter(key: String, session: ChatValue? = nil, _ connected: ChatPattern) -> [ChatStep] {
        var fields: [WireField: ChatValue] = [.apiKey: .exactly(.string(key))]
        fields[.sessionID] = session
        return [hello, .say(.connect, fields), .expect(connected)]
    }

    /// Returns the steps that open a new connection and resume the session whose id was saved under the name `session`.
    static func resume(_ target: ChatTarget) -> [ChatStep] {
        [.reconnect()]
            + enter(
                key: target.key,
                session: .saved("session"),
                ChatPattern(.connected, [.resumed: .exactly(true), .sessionID: .saved("session")])
            )
    }

    static func refused(_ code: ErrorCode) -> ChatStep {
        .expect(ChatPattern(.error, [.code: .exactly(.string(code.word))]))
    }

    /// Returns the frame as JSON text. With `extra`, the frame has an additional, unknown member.
    static func text(_ shape: FrameShape, _ values: [WireField: ChatValue], _ wire: WireProfile, extra: Bool) -> String
    {
        var members = [JSONMember(wire[.type], .string(wire[type: shape.role]))]
        for field in shape.testedFields {
            if case .exactly(let json)? = values[field.field] {
                members.append(JSONMember(wire[field.field], json))
            }
        }
        if extra { members.append(JSONMember("squall_unknown", ["nested": [1, 2, 3]])) }
        return JSON.object(members).description
    }
}
