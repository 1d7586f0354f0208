import ChatWire

/// Fetches all messages after a sequence number over HTTP: first the list of conversations, then the new pages of each.
///
/// The open conversation is requested together with the list, so that it is updated after one round trip.
struct CatchUp {
    enum Cause {
        /// Messages are missing, and they cannot be fetched over the socket.
        case gap
        case poll
    }

    let cause: Cause
    /// The last sequence number seen; nil for a new client, which fetches only the server's newest sequence number.
    private let after: Int64?
    /// The number of fetched messages that were new to the client.
    var added = 0
    /// The newest sequence number across all conversations; nil until they have been listed.
    private var listedNewest: Int64?
    /// The newest sequence number of each conversation.
    private var targets: [String: Int64] = [:]
    /// The sequence number up to which each conversation has been fetched.
    private var reached: [String: Int64] = [:]
    private var asked: Set<String> = []
    /// The conversation whose page was requested together with the list; nil once that page has arrived.
    ///
    /// The server may have answered this request before it stored a message that the list contains.
    private var askedWithTheList: String?

    init(_ cause: Cause, after: Int64?) {
        self.cause = cause
        self.after = after
    }

    var isDone: Bool { listedNewest != nil && asked.isEmpty }
    var newest: Int64 { max(listedNewest ?? 0, after ?? 0) }

    mutating func begin(watching watched: String?) -> [ClientRequest] {
        guard let after, let watched else { return [.listing] }
        askedWithTheList = watched
        return [.listing, ask(watched, after: after)]
    }

    mutating func listed(_ list: ConversationList) -> [ClientRequest] {
        var questions: [ClientRequest] = []
        listedNewest = list.conversations.compactMap { $0.lastMessage?.sequence }.max() ?? 0
        guard let after else { return [] }
        for conversation in list.conversations {
            guard let target = conversation.lastMessage?.sequence else { continue }
            targets[conversation.id] = target
            // A conversation with a request in flight is checked when its page arrives.
            guard target > reached[conversation.id] ?? after, !asked.contains(conversation.id) else { continue }
            questions.append(ask(conversation.id, after: reached[conversation.id] ?? after))
        }
        return questions
    }

    mutating func paged(_ conversation: String, _ page: MessagePage) -> [ClientRequest] {
        asked.remove(conversation)
        let mayPrecedeTheList = conversation == askedWithTheList
        if mayPrecedeTheList { askedWithTheList = nil }
        let before = reached[conversation] ?? after ?? 0
        let last = page.messages.map(\.sequence).max() ?? before
        reached[conversation] = max(last, before)
        let isBehindTheList = last < targets[conversation] ?? 0
        // If a page requested after the list contains no newer messages, the conversation's catch-up is complete:
        // another request would return the same page.
        guard last > before ? page.hasMore || isBehindTheList : mayPrecedeTheList && isBehindTheList else { return [] }
        return [ask(conversation, after: max(last, before))]
    }

    private mutating func ask(_ conversation: String, after sequence: Int64) -> ClientRequest {
        asked.insert(conversation)
        return .page(conversation: conversation, after: sequence)
    }
}
