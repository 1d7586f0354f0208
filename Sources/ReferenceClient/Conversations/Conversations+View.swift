import ChatWire
import SquallCore

// Opens and closes conversations, and loads and refreshes the open conversation.

extension Conversations {
    /// Opens a conversation and requests its newest page.
    mutating func open(_ conversation: String, _ step: inout Step) {
        open = conversation
        step.changes.insert(.conversations)
        step.store("view.conversation", .string(conversation))
        if policy.switching == .wipes { wipe(conversation) }
        if policy.replies == .areMatched, policy.staleErrors == .areDropped { withdrawHistory(&step) }
        loadHistory(of: conversation, &step)
    }

    /// Cancels requests for the newest pages of conversations that are no longer open.
    private mutating func withdrawHistory(_ step: inout Step) {
        step.emit(.cancelRequests(.history))
        // The cancelled response would have ended the refresh of the previous conversation, so the refresh is ended
        // here. There is no haptic feedback, because the user no longer sees that conversation.
        guard let refreshing, refreshing != open else { return }
        endRefresh(isGood: false, isSeen: false, added: 0, &step)
    }

    /// Closes the open conversation, so that the list of conversations is displayed.
    mutating func leave(_ step: inout Step) {
        guard open != nil else { return }
        open = nil
        step.store("view.conversation", nil)
        step.changes.insert(.conversations)
    }

    /// Requests the newest page of the open conversation unless it has loaded or a request is in flight.
    mutating func loadMissingHistory(_ step: inout Step) {
        guard let open else { return }
        switch self[open].load {
        case .failed, .none: loadHistory(of: open, &step)
        case .loading, .loaded: break
        }
    }

    /// Whether the newest page of the open conversation could not be loaded.
    var lacksPage: Bool {
        guard let open, policy.failedPage == .isRequestedAgain else { return false }
        return self[open].load == .failed
    }

    /// Requests the newest page of the open conversation when the connection is established.
    ///
    /// A page that has loaded is requested again only if the policy refreshes after each connect.
    mutating func connected(_ step: inout Step) {
        if rules.policy.session.refresh == .afterEachConnect, let open {
            loadHistory(of: open, &step)
        } else {
            loadMissingHistory(&step)
        }
        if let open, self[open].load == .loaded { askToJoin(open, &step) }
    }

    /// Requests the newest page again for each conversation that lacks messages up to the sequence number `newest`.
    ///
    /// `newest` is the server's newest sequence number when the client first connects. A catch-up delivers only later
    /// messages, so those between a page and `newest` would be missing, even in a conversation that the user has left.
    mutating func historyBegins(after newest: Int64, _ step: inout Step) {
        let stale = names.filter { name in
            let wasRequested = self[name].load == .loaded || self[name].load == .loading
            // An earlier process may have stored a page and ended before its first connection. The open conversation's
            // page is requested in any case.
            let isStored = name != open && !self[name].rows.isEmpty
            guard wasRequested || isStored else { return false }
            return self[name].rows.last.flatMap { messages[$0.key]?.sequence } ?? 0 < newest
        }
        guard !stale.isEmpty else { return }
        step.emit(.cancelRequests(.history))
        for name in stale { step.emit(.ask(.history(conversation: name))) }
    }

    /// Requests the newest page of a conversation.
    mutating func loadHistory(of conversation: String, _ step: inout Step) {
        if policy.pages == .replaceTheStore { knownWhenAsked[conversation] = Set(self[conversation].rows.map(\.id)) }
        self[conversation].load = .loading
        step.changes.insert(.conversations)
        step.emit(.ask(.history(conversation: conversation)))
    }

    /// Reloads the open conversation because the user has pulled to refresh.
    mutating func refresh(_ step: inout Step) {
        guard let open else { return }
        if refreshing != open {
            refreshing = open
            step.log("client.refresh.began", ["cause": "user"])
            step.changes.insert(.session)
            step.emit(.cancelRequests(.history))
        }
        loadHistory(of: open, &step)
    }

    /// Whether a refresh by the user is displayed.
    var showsRefresh: Bool { refreshing != nil && policy.refreshFlag != .isNeverSet }

    /// Handles the end of a request for the newest page; `isGood` is true if the page has arrived, with `added` new
    /// messages.
    mutating func historyEnded(_ conversation: String, isGood: Bool, added: Int, _ step: inout Step) {
        self[conversation].load = isGood ? .loaded : .failed
        step.changes.insert(.conversations)
        if refreshing == conversation {
            if !isGood, policy.failedRefresh == .removesMessages { wipe(conversation) }
            endRefresh(isGood: isGood, isSeen: true, added: added, &step)
        }
        if conversation == open || policy.staleErrors == .areShown { step.emit(.refreshEnded(isGood: isGood)) }
    }

    private mutating func endRefresh(isGood: Bool, isSeen: Bool, added: Int, _ step: inout Step) {
        if isGood || policy.refreshFlag != .outlivesFailure { refreshing = nil }
        step.changes.insert(.session)
        step.log("client.refresh.ended", ["ok": .bool(isGood), "added": .integer(Int64(added))])
        if isSeen, policy.refreshEnd == .hasFeedback {
            step.log("client.haptic", ["kind": isGood ? "success" : "failure"])
        }
    }
}

extension Conversations {
    static let registry: [RegistryEntry] = [
        .observable("view.conversation", .text, "The open conversation; null if there is none."),
        .observable("view.phase", .words(ViewPhase.self), "The state of the conversation view."),
        .observable("view.rows", .list, "The messages on the screen, in the order shown."),
        .observable(
            "conversation.messages",
            .list,
            key: "conversation",
            "The messages of the conversation, in the order shown."
        ),
        .observable("message.text", .text, key: "message", "The text of the message."),
        .observable(
            "message.timestamp",
            .integer,
            key: "message",
            parity: .measured,
            "Milliseconds since 1970, by the phone's clock until the server confirms the message, then by the server's."
        ),
        .observable(
            "message.status",
            .words(MessageStatus.self),
            key: "message",
            "The delivery status of the user's message."
        ),
        .observable(
            "message.icon",
            .word(["clock", "exclamation"]),
            key: "message",
            "The status icon of the message; null once the message is delivered."
        ),
        .observable(
            "message.icon_pulses",
            .flag,
            key: "message",
            "Whether the message's clock icon pulses, which it does while the message is being sent."
        ),
        .observable(
            "message.tone",
            .words(Tone.self),
            key: "message",
            "The colour of the message's status icon; null once the message is delivered."
        ),
        .observable(
            "message.hint",
            .text,
            key: "message",
            "The hint shown below the message; null if there is no hint."
        ),
        .observable(
            "message.retry_available",
            .flag,
            key: "message",
            "Whether the user can tap the message to send it again."
        ),
        .observable("message.read", .flag, key: "message", "Whether another user has read the user's message."),
        .observable(
            "stream.text",
            .text,
            key: "message",
            "The text received so far of a streamed message; null once it is complete."
        ),
        .observable(
            "refresh.in_flight",
            .flag,
            "Whether the client is fetching pages of messages, for a refresh by the user or to fill a gap."
        ),
        .event(
            "client.dropped_duplicate",
            key: "message",
            "A message that the client already had has arrived again and was ignored."
        ),
        .event(
            "client.refresh.began",
            ["cause"],
            "The client has begun to fetch messages again; `cause` is `user` (a refresh) or `gap` (missing messages)."
        ),
        .event(
            "client.refresh.ended",
            [.flag("ok"), .integer("added")],
            "A refresh of messages has succeeded or failed; `added` is the number of new messages."
        ),
        .event("client.haptic", ["kind"], "The phone has given haptic feedback: `success` or `failure`."),
    ]
}
