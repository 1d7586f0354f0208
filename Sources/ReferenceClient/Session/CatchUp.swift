import ChatWire

/// Everything after one sequence, over HTTP: which conversations have something new, then page by page what.
///
/// The watched conversation is asked for at once, so that what the user looks at is one round trip away.
struct CatchUp {
    enum Cause {
        /// The server's buffer did not reach back far enough.
        case gap
        case poll
    }

    let cause: Cause
    /// Nil where the client has no past: then only how far the server has come is asked.
    private let after: Int64?
    /// Messages that were new to the client.
    var added = 0
    /// The newest sequence of all conversations, once they are listed.
    private var listedNewest: Int64?
    /// How far each conversation goes.
    private var targets: [String: Int64] = [:]
    /// How far each has come.
    private var reached: [String: Int64] = [:]
    private var asked: Set<String> = []

    init(_ cause: Cause, after: Int64?) {
        self.cause = cause
        self.after = after
    }

    var isDone: Bool { listedNewest != nil && asked.isEmpty }
    var newest: Int64 { max(listedNewest ?? 0, after ?? 0) }

    mutating func begin(watching watched: String?) -> [Question] {
        guard let after, let watched else { return [.listing] }
        return [.listing, ask(watched, after: after)]
    }

    mutating func listed(_ list: ConversationList) -> [Question] {
        var questions: [Question] = []
        listedNewest = list.conversations.compactMap { $0.lastMessage?.sequence }.max() ?? 0
        guard let after else { return [] }
        for conversation in list.conversations {
            guard let target = conversation.lastMessage?.sequence else { continue }
            targets[conversation.id] = target
            // One that is being asked for is judged when its page is here.
            guard target > reached[conversation.id] ?? after, !asked.contains(conversation.id) else { continue }
            questions.append(ask(conversation.id, after: reached[conversation.id] ?? after))
        }
        return questions
    }

    mutating func paged(_ conversation: String, _ page: MessagePage) -> [Question] {
        asked.remove(conversation)
        let before = reached[conversation] ?? after ?? 0
        let last = page.messages.map(\.sequence).max() ?? before
        reached[conversation] = max(last, before)
        // A page that leads nowhere would lead nowhere again.
        guard last > before, page.hasMore || last < targets[conversation] ?? 0 else { return [] }
        return [ask(conversation, after: max(last, before))]
    }

    private mutating func ask(_ conversation: String, after sequence: Int64) -> Question {
        asked.insert(conversation)
        return .page(conversation: conversation, after: sequence)
    }
}
