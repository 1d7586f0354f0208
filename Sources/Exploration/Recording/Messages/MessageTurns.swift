import SquallCore

/// The messages of a recording as requests with their answers, and those that the server sent by itself.
struct MessageTurns: Sendable {
    /// A message of the client, or the opening of a WebSocket, with what answered it.
    struct Turn: Sendable {
        var message: RecordedMessage
        var leaves: [MessageLeaf]
        var answers: [RecordedMessage] = []
        /// Whether an answer repeats a value of the request; then the other answers must, too.
        var isRepeated = false

        init(_ message: RecordedMessage) {
            self.message = message
            let pattern = MessageShape.pattern(of: message.content)
            leaves = MessageLeaf.all(of: message.content, besides: pattern)
        }
    }

    private(set) var turns: [Turn] = []
    private(set) var unasked: [RecordedMessage] = []
    private let messages: RecordedMessages
    /// How often each identifying value occurs on a connection, in messages of the client.
    private var uses: [Use: Int] = [:]

    private struct Use: Hashable {
        var link: Int64
        var value: JSON
    }

    /// The time limit for an answer that shows no sign of what it answers.
    private static let prompt = TimeSpan.milliseconds(250)
    /// The time limit for a further answer after the one before.
    private static let following = TimeSpan.milliseconds(50)
    /// The time limit for an answer that repeats a value of the request.
    private static let repeating = TimeSpan.seconds(1)
    /// The time limit for an answer that repeats the request's id.
    private static let identified = TimeSpan.seconds(600)

    /// How many requests an answer can come behind.
    private static let farthest = 64

    init(_ messages: RecordedMessages) {
        self.messages = messages
        for message in messages.all where message.kind == .ofClient {
            for leaf in MessageLeaf.all(of: message.content) where leaf.isIdentity {
                uses[Use(link: message.link, value: leaf.value), default: 0] += 1
            }
        }
        let spontaneous = kindsSentUnasked()
        turns = []
        for message in messages.all {
            switch message.kind {
            case .opening, .ofClient:
                turns.append(Turn(message))
            case .ofServer:
                let kind = MessageShape.pattern(of: message.content)
                if let asked = turnAnswered(by: message, isSpontaneous: spontaneous.contains(kind)) {
                    take(message, asAnswerTo: asked)
                } else {
                    unasked.append(message)
                }
            }
        }
    }

    private mutating func take(_ message: RecordedMessage, asAnswerTo turn: Int) {
        turns[turn].answers.append(message)
        let said = MessageLeaf.all(of: message.content)
        let repeats = turns[turn].leaves.contains { leaf in
            said.contains { leaf.echo(in: $0.value, called: $0.name) != nil }
        }
        if repeats { turns[turn].isRepeated = true }
    }

    /// The kinds of messages that the server has sent unasked at least once.
    private mutating func kindsSentUnasked() -> Set<JSON> {
        var kinds: Set<JSON> = []
        for message in messages.all {
            switch message.kind {
            case .opening, .ofClient:
                turns.append(Turn(message))
            case .ofServer:
                if let asked = turnAnswered(by: message, isSpontaneous: false) {
                    take(message, asAnswerTo: asked)
                } else {
                    kinds.insert(MessageShape.pattern(of: message.content))
                }
            }
        }
        return kinds
    }

    /// The turn that a message of the server answers; nil if it answers none.
    private func turnAnswered(by message: RecordedMessage, isSpontaneous: Bool) -> Int? {
        let place = turns.lastIndex { $0.message.link == message.link }
        guard let place else { return nil }
        let said = MessageLeaf.all(of: message.content)
        for index in turns.indices.reversed().prefix(Self.farthest) where turns[index].message.link == message.link {
            let time = message.time - turns[index].message.time
            guard time <= Self.identified else { break }
            let echoes = turns[index].leaves.compactMap { leaf -> MessageLeaf.Echo? in
                let echoes = said.compactMap { leaf.echo(in: $0.value, called: $0.name) }
                guard echoes.contains(.ofIdentity) else { return echoes.first }
                // A value that every message repeats, such as a session id, identifies none of them.
                return uses[Use(link: message.link, value: leaf.value)] == 1 ? .ofIdentity : .ofContent
            }
            if echoes.contains(.ofIdentity) || index == place && echoes.contains(.ofContent) && time <= Self.repeating {
                return index
            }
        }
        guard !isSpontaneous, !turns[place].isRepeated else { return nil }
        let isSoon =
            turns[place].answers.last.map { message.time - $0.time <= Self.following }
            ?? (message.time - turns[place].message.time <= Self.prompt)
        return isSoon ? place : nil
    }
}
