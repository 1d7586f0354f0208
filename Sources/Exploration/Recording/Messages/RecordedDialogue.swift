import ScenarioModel
package import SquallCore
package import Trace

/// The messages in a recording that the profile does not define, converted to script steps.
package struct RecordedDialogue: Sendable {
    /// The recording. If a rule answers a client's message, the message's key is replaced with the rule's label.
    ///
    /// If the protocol is unknown, the recording also has events for the start and end of each connection.
    package private(set) var recording: Recording
    /// Whether the recording contains none of the profile's frames, so that the whole protocol is treated as unknown.
    package let isUnknown: Bool
    /// The rules, followed by the client's messages and then the server's unsolicited messages, each group in recorded
    /// order.
    package private(set) var actions: [PerformedAction] = []
    /// The time of the last HTTP response that a rule reproduces; nil if there is none.
    package let lastExchange: Instant?
    /// Notes for the user about messages that are missing from the script.
    package private(set) var gaps: [String]

    /// Creates the dialogue from a recording; returns nil if the profile defines every message in the recording.
    package init?(_ recording: Recording) {
        var concealer = SecretConcealer()
        var exchanges = RecordedExchanges(recording, hidingIn: &concealer)
        let messages = RecordedMessages(recording, hidingIn: &concealer)
        let hasMessages = messages.all.contains { $0.kind != .opening } || !messages.gaps.isEmpty
        let hasFrames = recording.events.contains { Self.isFrame($0.name) }
        let isUnknown = !hasFrames && (hasMessages || exchanges.hasForeign)
        // Squall's own server answers the requests that the profile defines.
        if !isUnknown { exchanges.leaveOutProfile() }
        guard hasMessages || !exchanges.isEmpty else { return nil }
        self.recording = recording
        self.isUnknown = isUnknown
        let turns = MessageTurns(messages)
        let rules = MessageRules(turns.turns)
        let requests = ExchangeRules(exchanges, concealer)
        gaps = messages.gaps + rules.gaps + requests.gaps
        lastExchange = exchanges.end
        for arguments in requests.all {
            actions.append(PerformedAction(.server, "respond", arguments, clients: [], position: 0, time: .zero))
        }
        if isUnknown { nameConnections() }
        for rule in rules.all {
            for turn in rule.turns {
                let message = turns.turns[turn].message
                if message.kind == .ofClient { self.recording.events[message.position].observation.key = rule.label }
            }
            actions.append(
                PerformedAction(.server, "rule", rule.arguments, clients: [], position: 0, time: .zero)
            )
        }
        var sent = SentMessages(recording)
        for message in messages.all where message.kind == .ofClient {
            let arguments = Arguments([("text", .text(message.text))])
            add(.user, arguments, message, at: sent.position(of: message))
        }
        for message in turns.unsolicited {
            let isText = message.content.stringValue != nil
            let arguments = Arguments(
                isText ? [("text", .text(message.text))] : [("json", .json(message.content))]
            )
            add(.server, arguments, message, at: message.position)
        }
    }

    private mutating func add(_ actor: Actor, _ arguments: Arguments, _ message: RecordedMessage, at position: Int) {
        let clients = message.client.map { $0 == .only ? [] : [$0] } ?? []
        actions.append(
            PerformedAction(
                actor,
                "say",
                arguments,
                clients: clients,
                position: position,
                time: recording.events[position].time
            )
        )
    }

    /// Returns whether an event is a frame that the profile defines.
    private static func isFrame(_ name: String) -> Bool {
        let others = [
            "server.received.text", "server.received.close", "server.sent.close", "server.received.request",
            "server.sent.response",
        ]
        guard !others.contains(name) else { return false }
        return name.hasPrefix("server.sent.") || name.hasPrefix("server.received.")
    }

    /// The index of the event with which the client ended the session: its close frame or, if no close frame was sent
    /// and no fault was injected, the end of its connection; `Int.max` if the client did not end the session.
    private var closingIndex: Int {
        let last = recording.events.lastIndex { $0.name == "server.answered.ws" } ?? 0
        let first = recording.events[last...].first {
            ["server.received.close", "server.sent.close"].contains($0.name)
        }
        if let first { return first.name == "server.received.close" ? first.index : .max }
        guard !recording.actions.contains(where: { $0.actor == .network && $0.position > last }),
            let loss = recording.events[last...].first(where: { $0.name == "client.attempt.failed" })
        else { return .max }
        let after = recording.events[loss.index...].prefix { $0.time == loss.time }
        let isClients = after.contains {
            $0.name == "network.closed" && $0.fields?["side"]?.stringValue == "client"
        }
        return isClients ? loss.index : .max
    }

    /// If the protocol is unknown, replaces the events for opened and lost links with `client.connected` and
    /// `client.disconnected`, because a client counts as connected while its WebSocket is open.
    ///
    /// The recording has no connection events, because none of the profile's frames occurred.
    private mutating func nameConnections() {
        guard !recording.events.contains(where: { $0.name == "client.connected" }) else { return }
        var open: Set<ClientID?> = []
        let closingIndex = closingIndex
        for index in recording.events.indices {
            let event = recording.events[index]
            switch (event.name, event.observation.change) {
            case ("link.state", .set("open")):
                open.insert(event.client)
                recording.events[index].observation = .happened("client.connected", ["resumed": false], by: .observed)
            case ("client.attempt.failed", .happened(let fields))
            where open.remove(event.client) != nil && index < closingIndex:
                recording.events[index].observation = .happened("client.disconnected", fields, by: .observed)
            default: break
            }
        }
    }
}

extension RecordedMessage {
    /// The text that was sent, with placeholders in place of secrets.
    fileprivate var text: String { content.stringValue ?? String(decoding: content.encode(), as: UTF8.self) }
}

/// For each client, the indices of its send events that have not yet been matched with a message received by the
/// server.
private struct SentMessages {
    private var positions: [ClientID?: [Int]] = [:]

    init(_ recording: Recording) {
        for event in recording.events where event.name == "client.sent.text" {
            positions[event.client, default: []].append(event.index)
        }
        for client in positions.keys { positions[client]?.reverse() }
    }

    /// Returns the position of the event in which the client sent the message or, if there is none, of the event in
    /// which the server received it.
    mutating func position(of message: RecordedMessage) -> Int {
        guard let place = positions[message.client]?.last, place < message.position else { return message.position }
        positions[message.client]?.removeLast()
        return place
    }
}
