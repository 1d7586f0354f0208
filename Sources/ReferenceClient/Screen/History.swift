import ChatWire
import SquallCore

/// Owns the loading of older messages: whether a conversation has any, and the requests for their pages.
///
/// At most one page is requested at a time, for the open conversation. A search for a message requests page after page
/// until it finds the message or no older messages are left.
struct History {
    private let rules: Rules
    private var policy: HistoryPolicy { rules.policy.history }
    /// Maps each conversation to whether it has older messages, according to the pages that have arrived.
    private var known: [String: Bool] = [:]
    /// The conversations for which a page of older messages has arrived, so that the newest page no longer determines
    /// whether older messages remain.
    private var paged: Set<String> = []
    /// The `hasMore` value of the last page of any conversation; used only with a planted defect.
    private var latest: Bool?
    /// The conversation for which a page of older messages is being requested; nil if no request is in flight.
    private(set) var loading: String?
    /// The end of the debounce time that follows a page; until then, scrolling to the top requests no further page.
    private var debounceUntil = Instant.zero
    /// The message that is being searched for; nil if no search is in progress.
    private(set) var searched: MessageTarget?
    /// The oldest message before which the search's last page was requested; nil before its first page.
    private var searchedBefore: String?
    /// Whether any conversation has had older messages; the observables for older messages are not reported until then.
    private(set) var isInUse = false

    init(_ rules: Rules) {
        self.rules = rules
    }

    /// Returns whether the conversation has messages older than those that the client has; nil if unknown.
    func hasMore(_ conversation: String) -> Bool? {
        policy.hasMore == .ofEachConversation ? known[conversation] : latest
    }

    /// The conversations for which ``hasMore(_:)`` is known, sorted.
    var conversations: [String] { known.keys.sorted() }

    /// Returns the text of the control above the oldest message; nil if there is no control.
    func control(of conversation: String) -> String? {
        if loading == conversation { return rules.profile.text.history.loading }
        return hasMore(conversation) == true ? rules.profile.text.history.loadEarlier : nil
    }

    // MARK: - User actions

    /// Requests one page because the user has scrolled to the oldest message.
    ///
    /// One gesture reports several scroll positions, so nothing is requested within the debounce time.
    mutating func reachedTop(of conversation: String, oldest: String?, _ step: inout Step) {
        guard step.now >= debounceUntil else { return }
        load(conversation, before: oldest, &step)
    }

    /// Requests the page before `oldest`, the server-assigned ID of the oldest message that the client has.
    mutating func load(_ conversation: String, before oldest: String?, _ step: inout Step) {
        guard loading == nil, hasMore(conversation) == true, let oldest else { return }
        loading = conversation
        step.changes.insert(.screen)
        step.log("client.history.began")
        step.emit(.ask(.earlier(conversation: conversation, before: oldest)))
    }

    /// Ends the search because the user has scrolled or has opened another conversation.
    mutating func giveUpSearch(_ step: inout Step) { endSearch(.givenUp, &step) }

    /// Cancels the request and the search because the conversation has been closed.
    mutating func left(_ step: inout Step) {
        endSearch(.givenUp, &step)
        guard loading != nil else { return }
        loading = nil
        step.changes.insert(.screen)
        step.emit(.cancelRequests(.earlier))
    }

    // MARK: - Pages

    /// Records whether older messages precede the newest page.
    ///
    /// If the client has messages that precede the page, only a page of older messages determines whether more exist.
    mutating func newestPage(of conversation: String, hasMore: Bool, isPreceded: Bool, _ step: inout Step) {
        let isNews = !paged.contains(conversation) && (!isPreceded || known[conversation] == nil)
        guard !hasMore || isNews || policy.newestPage == .decides else { return }
        learn(conversation, hasMore, &step)
    }

    /// Handles a page of older messages; `page` is nil if the request has failed.
    ///
    /// `added` is the number of new messages, and `oldest` the server-assigned ID of the oldest message that the client
    /// has.
    mutating func pageEnded(
        _ conversation: String,
        _ page: (hasMore: Bool, added: Int)?,
        oldest: String?,
        _ step: inout Step
    ) {
        guard loading == conversation else { return }
        loading = nil
        debounceUntil = step.now + rules.profile.history.debounce
        step.changes.insert(.screen)
        step.log(
            "client.history.ended",
            ["ok": .bool(page != nil), "added": .integer(Int64(page?.added ?? 0))]
        )
        guard let page else {
            step.emit(.trouble(rules.profile.text.banner.historyFailed, .retry))
            return endSearch(.failed, &step)
        }
        step.emit(.troubleEnded(rules.profile.text.banner.historyFailed))
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

// MARK: - Searching for a message

extension History {
    /// The outcome of a search.
    enum SearchEnd: String, Hashable {
        case found
        /// All messages of the conversation have loaded, and the message is not among them.
        case notFound = "not_there"
        /// A page could not be fetched.
        case failed
        /// The search was abandoned, because the user scrolled, opened another conversation or started another search.
        case givenUp = "given_up"
    }

    /// Begins the search for a message and abandons any other search; does nothing if this search is already running.
    ///
    /// The caller must call ``continueSearch(isHere:_:oldest:_:)`` immediately and again after each page. The outcome
    /// is emitted as ``ClientSignal/searched(_:_:)``.
    mutating func seek(_ wanted: MessageTarget, _ step: inout Step) {
        guard searched != wanted else { return }
        endSearch(.givenUp, &step)
        searched = wanted
        searchedBefore = nil
    }

    /// Continues the search: ends it or requests the next page.
    ///
    /// - Parameters:
    ///   - isHere: Whether the client has the message now.
    ///   - load: The state of the newest page.
    ///   - oldest: The server-assigned ID of the oldest message that the client has; nil if it has none.
    ///   - step: Receives the outputs.
    mutating func continueSearch(isHere: Bool, _ load: Conversation.Load, oldest: String?, _ step: inout Step) {
        guard let searched else { return }
        if isHere { return endSearch(.found, &step) }
        switch load {
        case .none, .loading: return
        case .failed: return endSearch(.failed, &step)
        case .loaded: break
        }
        guard loading == nil else { return }
        // If the last page has brought no older message, the next request would be the same.
        let isProgress = oldest != searchedBefore || policy.search == .trustsTheServer
        guard hasMore(searched.conversation) == true, oldest != nil, isProgress else {
            return endSearch(.notFound, &step)
        }
        searchedBefore = oldest
        self.load(searched.conversation, before: oldest, &step)
    }

    private mutating func endSearch(_ end: SearchEnd, _ step: inout Step) {
        guard let searched else { return }
        self.searched = nil
        step.log("client.search.ended", key: searched.message, ["outcome": .string(end.rawValue)])
        step.emit(.searched(searched, end))
    }
}

/// How the client loads older messages.
package struct HistoryPolicy: Hashable, Sendable {
    package enum HasMore: Hashable, Sendable { case ofEachConversation, ofTheLastPage }
    package enum NextPage: Hashable, Sendable { case isAskedFor, followsByItself }
    /// What the newest page says about older messages once a page of them has loaded: nothing, or whether any exist.
    package enum NewestPage: Hashable, Sendable { case isNoNews, decides }
    /// When a search for a message ends without it: when a page brings no older message, or when the server says so.
    package enum Search: Hashable, Sendable { case endsWithoutProgress, trustsTheServer }

    package var hasMore = HasMore.ofEachConversation
    package var nextPage = NextPage.isAskedFor
    package var newestPage = NewestPage.isNoNews
    package var search = Search.endsWithoutProgress

    static let defects: [Defect] = [
        Defect(
            "staleHasMore",
            ["UX-1.3d"],
            "the last page of any conversation decides whether the open one has more history",
            policy: { $0.history.hasMore = .ofTheLastPage }
        ),
        Defect(
            "newestPageRestoresControl",
            ["UX-1.3e"],
            "the newest page offers older messages again, although all of them have loaded",
            policy: { $0.history.newestPage = .decides }
        ),
        Defect(
            "searchPagesForever",
            ["UX-4.4c"],
            "a search for a message requests the same page again while the server says that there are more",
            policy: { $0.history.search = .trustsTheServer }
        ),
        Defect(
            "loadMoreLoop",
            ["UX-1.3c", "UX-1.3e"],
            "each history page requests the next one without scrolling",
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
            "Whether the conversation has older messages that the client has not loaded."
        ),
        .observable(
            "history.control_text",
            .text,
            "The text of the control above the oldest message; null if there is no control."
        ),
        .observable("history.in_flight", .flag, "Whether a request for older messages is in flight."),
        .event("client.history.began", [], "The client has requested a page of older messages."),
        .event(
            "client.history.ended",
            [.flag("ok"), .integer("added")],
            "A request for older messages has succeeded or failed; `added` messages were new."
        ),
        .event(
            "client.search.ended",
            ["outcome"],
            key: "message",
            "The search for a message has ended: `found`, `not_there`, `failed` to fetch a page, or `given_up`."
        ),
    ]
}
