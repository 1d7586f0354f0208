import SquallCore

/// The messages in a recording: requests grouped with their answers, and messages that the server sent unsolicited.
struct MessageTurns: Sendable {
    /// A client message or a WebSocket opening handshake, together with its answers.
    struct Turn: Sendable {
        var message: RecordedMessage
        var leaves: [MessageLeaf]
        var answers: [RecordedMessage] = []
        /// Whether an answer has repeated a value from the request. If so, later answers belong to the request only if
        /// they repeat one too.
        var isRepeated = false

        init(_ message: RecordedMessage) {
            self.message = message
            let pattern = MessageShape.pattern(of: message.content)
            leaves = MessageLeaf.all(of: message.content, excluding: pattern)
        }
    }

    private(set) var turns: [Turn] = []
    private(set) var unsolicited: [RecordedMessage] = []
    private let messages: RecordedMessages
    /// For each connection and identifying value, the number of the client's messages that contain the value.
    private var uses: [Use: Int] = [:]

    private struct Use: Hashable {
        var link: Int64
        var value: JSON
    }

    /// The maximum delay of an answer that repeats no value from the request.
    private static let prompt = TimeSpan.milliseconds(250)
    /// The maximum time between two answers to one request if the later one repeats no value from the request.
    private static let following = TimeSpan.milliseconds(50)
    /// The maximum delay of an answer that repeats a value from the request, but not the request's id.
    private static let repeating = TimeSpan.seconds(1)
    /// The maximum delay of an answer that repeats the request's id.
    private static let identified = TimeSpan.seconds(600)

    /// The maximum number of recent requests to consider when assigning an answer to its request.
    private static let farthest = 64

    init(_ messages: RecordedMessages) {
        self.messages = messages
        for message in messages.all where message.kind == .ofClient {
            for leaf in MessageLeaf.all(of: message.content) where leaf.isIdentity {
                uses[Use(link: message.link, value: leaf.value), default: 0] += 1
            }
        }
        let spontaneous = kindsSentUnsolicited()
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
                    unsolicited.append(message)
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

    /// Returns the pattern of each kind of message that the server sent unsolicited at least once.
    private mutating func kindsSentUnsolicited() -> Set<JSON> {
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

    /// Returns the index of the turn (request) that a message from the server answers; nil if it answers no request. If
    /// `isSpontaneous` is true, only a message that repeats a value from the request counts as an answer.
    private func turnAnswered(by message: RecordedMessage, isSpontaneous: Bool) -> Int? {
        let place = turns.lastIndex { $0.message.link == message.link }
        guard let place else { return nil }
        let said = MessageLeaf.all(of: message.content)
        // A request whose id the message repeats comes before the latest request, even if the message repeats another
        // value of that one: answers may come out of order.
        var repeatsLatest = false
        // An earlier request without an answer, one of whose ids the message repeats in a member of another name.
        var unanswered: Int?
        for index in turns.indices.reversed().prefix(Self.farthest) where turns[index].message.link == message.link {
            let time = message.time - turns[index].message.time
            guard time <= Self.identified else { break }
            var isUniqueRepeated = false
            let echoes = turns[index].leaves.compactMap { leaf -> MessageLeaf.Echo? in
                let echoes = said.compactMap { leaf.echo(in: $0.value, called: $0.name) }
                // A value that occurs in several of the client's messages, such as a session id, does not identify a
                // single message.
                let isUnique = leaf.isIdentity && uses[Use(link: message.link, value: leaf.value)] == 1
                if isUnique, !echoes.isEmpty { isUniqueRepeated = true }
                guard echoes.contains(.ofIdentity) else { return echoes.first }
                return isUnique ? .ofIdentity : .ofContent
            }
            if echoes.contains(.ofIdentity) { return index }
            if index != place, isUniqueRepeated, turns[index].answers.isEmpty { unanswered = unanswered ?? index }
            if index == place { repeatsLatest = echoes.contains(.ofContent) && time <= Self.repeating }
        }
        if repeatsLatest { return place }
        if let unanswered { return unanswered }
        guard !isSpontaneous, !turns[place].isRepeated else { return nil }
        let isSoon =
            turns[place].answers.last.map { message.time - $0.time <= Self.following }
            ?? (message.time - turns[place].message.time <= Self.prompt)
        return isSoon ? place : nil
    }
}
