import ChatWire
import SquallCore

/// The cases of the chat protocol, generated from its description for one target.
package enum ChatCatalogue {
    package static func cases(_ target: ChatTarget) -> [ChatCase] {
        servers(target) + routes(target) + clients(target)
    }

    /// What there is to play them with, beside the peer itself.
    package struct Means: Hashable, Sendable {
        /// A client is started anew for each case.
        package var hasOwnClients: Bool
        /// Commands of the adapter protocol that the client takes.
        package var commands: Set<String>

        package init(hasOwnClients: Bool = false, commands: Set<String> = []) {
            self.hasOwnClients = hasOwnClients
            self.commands = commands
        }
    }

    /// Why a case is not played; nil where it is.
    package static func obstacle(_ subject: ChatCase, _ target: ChatTarget, _ means: Means = Means()) -> String? {
        for need in subject.needs.sorted() {
            switch need {
            case .otherUser where target.otherKey == nil:
                return "needs the key of another user in the conversation: --other-key"
            case .replayUntilAcknowledged where !target.replaysUntilAcknowledged:
                return "the profile's replay.mode is by_sequence: nothing is replayed unasked"
            case .ownClient where !means.hasOwnClients:
                return "needs a client started for this case alone: --client with an adapter"
            case .command(let word) where !means.commands.contains(word):
                return "needs a client that takes the command '\(word)': --client with an adapter that does"
            case .otherUser, .replayUntilAcknowledged, .ownClient, .command: continue
            }
        }
        return nil
    }

    /// No case: whether somebody is a server of the protocol at all.
    package static let probe = ChatCase(
        "probe",
        "Nothing, once the connection is open.",
        "The server says something.",
        "rule 1",
        [hello]
    )

    // MARK: - Samples

    /// A right frame of the client's, one value a field.
    static func sample(_ shape: FrameShape, _ target: ChatTarget) -> [WireField: ChatValue] {
        Dictionary(uniqueKeysWithValues: shape.judged.map { ($0.field, .exactly(value(of: $0, target))) })
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

    /// A value that no field of the kind can hold.
    static func wrong(_ kind: FieldKind) -> JSON {
        switch kind {
        case .text, .timestamp, .word, .object, .list: true
        case .count, .milliseconds: -1
        case .flag: "yes"
        }
    }

    // MARK: - Pieces of conversations

    static let hello = ChatStep.expect(ChatPattern(.hello))

    static func login(_ target: ChatTarget, keeps: [WireField: String] = [:]) -> [ChatStep] {
        [
            hello, .say(.connect, [.apiKey: .exactly(.string(target.key))]),
            .expect(ChatPattern(.connected, keeps: keeps)),
        ]
    }

    /// A round trip that shows the connection goes on, and a close in order.
    static let goesOn: [ChatStep] = [
        .say(.ping, [.id: .exactly("still there?")]), .expect(ChatPattern(.pong, [.id: .exactly("still there?")])),
        .close(1000), .expectClose(1000),
    ]

    /// Somebody's login on a connection that has just been made.
    static func enter(key: String, session: ChatValue? = nil, _ connected: ChatPattern) -> [ChatStep] {
        var fields: [WireField: ChatValue] = [.apiKey: .exactly(.string(key))]
        fields[.sessionID] = session
        return [hello, .say(.connect, fields), .expect(connected)]
    }

    /// The session kept under `session`, taken up again.
    static func resume(_ target: ChatTarget) -> [ChatStep] {
        [.reconnect()]
            + enter(
                key: target.key,
                session: .kept("session"),
                ChatPattern(.connected, [.resumed: .exactly(true), .sessionID: .kept("session")])
            )
    }

    static func refused(_ code: ErrorCode) -> ChatStep {
        .expect(ChatPattern(.error, [.code: .exactly(.string(code.word))]))
    }

    /// An object with one more member than the protocol knows.
    static func text(_ shape: FrameShape, _ values: [WireField: ChatValue], _ wire: WireProfile, extra: Bool) -> String
    {
        var members = [JSONMember(wire[.type], .string(wire[type: shape.role]))]
        for field in shape.judged {
            if case .exactly(let json)? = values[field.field] {
                members.append(JSONMember(wire[field.field], json))
            }
        }
        if extra { members.append(JSONMember("squall_unknown", ["nested": [1, 2, 3]])) }
        return JSON.object(members).description
    }
}
