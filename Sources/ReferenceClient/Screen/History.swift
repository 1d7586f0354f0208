import ChatWire
import SquallCore

/// Owns the way back: whether a conversation has older messages than those that are here, and their pages.
///
/// One page at a time, for the conversation on the screen. A search for one message asks for page after page, until the
/// message is here or there is nothing older.
struct History {
    private let rules: Rules
    private var policy: HistoryPolicy { rules.policy.history }
    /// Whether there are older messages, of each conversation whose pages have said so.
    private var known: [String: Bool] = [:]
    /// Conversations of which an older page has come: what a newest page says of them is no news.
    private var paged: Set<String> = []
    /// What the last page of any conversation said; only a defect asks for it.
    private var latest: Bool?
    /// The conversation whose older page is on its way.
    private(set) var loading: String?
    /// Until when a scroll is still the one that has loaded the last page.
    private var calmUntil = Instant.zero
    /// The message that is looked for.
    private(set) var sought: MessageTarget?
    /// Whether anything of it was ever to be seen.
    private(set) var isInUse = false

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// Nil while that is not known.
    func hasMore(_ conversation: String) -> Bool? {
        policy.hasMore == .ofEachConversation ? known[conversation] : latest
    }

    /// The conversations of which it is known, in a fixed order.
    var conversations: [String] { known.keys.sorted() }

    /// What the control above the oldest message says; nil where there is none.
    func control(of conversation: String) -> String? {
        if loading == conversation { return rules.profile.text.history.loading }
        return hasMore(conversation) == true ? rules.profile.text.history.loadEarlier : nil
    }

    // MARK: - What the user does

    /// The user has scrolled to the oldest message: one page for one gesture.
    mutating func reachedTop(of conversation: String, oldest: String?, _ step: inout Step) {
        guard step.now >= calmUntil else { return }
        load(conversation, before: oldest, &step)
    }

    /// Asks for the page before `oldest`, the server's id of the oldest message that is here.
    mutating func load(_ conversation: String, before oldest: String?, _ step: inout Step) {
        guard loading == nil, hasMore(conversation) == true, let oldest else { return }
        loading = conversation
        step.changes.insert(.screen)
        step.log("client.history.began")
        step.emit(.ask(.earlier(conversation: conversation, before: oldest)))
    }

    /// The user has turned to something else than the message that is looked for.
    mutating func giveUpSearch(_ step: inout Step) { endSearch(.givenUp, &step) }

    /// Another conversation is on the screen: nobody waits for the page, or looks for the message, any more.
    mutating func left(_ step: inout Step) {
        endSearch(.givenUp, &step)
        guard loading != nil else { return }
        loading = nil
        step.changes.insert(.screen)
        step.emit(.withdraw(.earlier))
    }

    // MARK: - What comes

    /// The newest page of a conversation is here.
    mutating func newestPage(of conversation: String, hasMore: Bool, _ step: inout Step) {
        guard hasMore == false || !paged.contains(conversation) else { return }
        learn(conversation, hasMore, &step)
    }

    /// An older page is here, with so many messages that were new; nil where it will not come.
    ///
    /// `oldest` is the oldest message by now.
    mutating func pageEnded(
        _ conversation: String,
        _ page: (hasMore: Bool, added: Int)?,
        oldest: String?,
        _ step: inout Step
    ) {
        guard loading == conversation else { return }
        loading = nil
        calmUntil = step.now + rules.profile.history.debounce
        step.changes.insert(.screen)
        step.log(
            "client.history.ended",
            ["ok": .bool(page != nil), "added": .integer(Int64(page?.added ?? 0))]
        )
        guard let page else {
            step.emit(.trouble(rules.profile.text.banner.historyFailed, .retry))
            return endSearch(.failed, &step)
        }
        paged.insert(conversation)
        learn(conversation, page.hasMore, &step)
        if policy.nextPage == .followsByItself { load(conversation, before: oldest, &step) }
    }

    private mutating func learn(_ conversation: String, _ hasMore: Bool, _ step: inout Step) {
        latest = hasMore
        known[conversation] = hasMore
        if hasMore { isInUse = true }
        step.changes.insert(.screen)
    }
}

// MARK: - The search for a message

extension History {
    /// How a search ends.
    enum SearchEnd: String, Hashable {
        case found
        /// There is nothing older, and the message is not among what is here.
        case notThere = "not_there"
        /// A page could not be had.
        case failed
        /// The user has turned to something else.
        case givenUp = "given_up"
    }

    /// Looks for a message, back to the first message of its conversation.
    ///
    /// ``goOn(isHere:_:oldest:_:)`` is asked for right away, and again after each page. How it ended is told as
    /// ``ClientSignal/sought(_:_:)``.
    ///
    /// What is looked for already is looked for on.
    mutating func seek(_ wanted: MessageTarget, _ step: inout Step) {
        guard sought != wanted else { return }
        endSearch(.givenUp, &step)
        sought = wanted
    }

    /// One step of the search: whether the message is here by now, and whether the newest page is.
    mutating func goOn(isHere: Bool, _ load: Conversation.Load, oldest: String?, _ step: inout Step) {
        guard let sought else { return }
        if isHere { return endSearch(.found, &step) }
        switch load {
        case .none, .loading: return
        case .failed: return endSearch(.failed, &step)
        case .loaded: break
        }
        guard loading == nil else { return }
        guard hasMore(sought.conversation) == true, oldest != nil else { return endSearch(.notThere, &step) }
        self.load(sought.conversation, before: oldest, &step)
    }

    private mutating func endSearch(_ end: SearchEnd, _ step: inout Step) {
        guard let sought else { return }
        self.sought = nil
        step.log("client.search.ended", key: sought.message, ["outcome": .string(end.rawValue)])
        step.emit(.sought(sought, end))
    }
}

/// How the client goes back in a conversation.
package struct HistoryPolicy: Hashable, Sendable {
    package enum HasMore: Hashable, Sendable { case ofEachConversation, ofTheLastPage }
    package enum NextPage: Hashable, Sendable { case isAskedFor, followsByItself }

    package var hasMore = HasMore.ofEachConversation
    package var nextPage = NextPage.isAskedFor

    static let defects: [Defect] = [
        Defect(
            "staleHasMore",
            ["UX-1.3d"],
            "whether there is more history is what the last page said, of whichever conversation",
            policy: { $0.history.hasMore = .ofTheLastPage }
        ),
        Defect(
            "loadMoreLoop",
            ["UX-1.3c"],
            "each page of history fetches the next, without anybody scrolling",
            policy: { $0.history.nextPage = .followsByItself }
        ),
    ]
}

extension History {
    static let registry: [RegistryEntry] = [
        .observable(
            "history.has_more",
            .flag,
            key: "conversation",
            "Whether it has older messages than those that are here."
        ),
        .observable(
            "history.control_text",
            .text,
            "What the control above the oldest message says; null where there is no control."
        ),
        .observable("history.in_flight", .flag, "Whether a page of older messages is on its way."),
        .event("client.history.began", [], "A page of older messages is asked for."),
        .event("client.history.ended", [.flag("ok"), .integer("added")], "It is here, or will not come."),
        .event(
            "client.search.ended",
            ["outcome"],
            key: "message",
            "A message that was looked for is `found`, `not_there` however far back, or given up: `failed`, `given_up`."
        ),
    ]
}
