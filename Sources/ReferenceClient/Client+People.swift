import ChatWire
import SquallCore

// Dispatches inputs to the client's components: reading, the conversation list, people and times.

extension Client {
    /// Handles the server's list of conversations; `body` is nil when the request failed.
    mutating func summariesAnswered(_ body: [UInt8]?, wasAnswered: Bool, _ step: inout Step) {
        guard let body, let fetched = conversationList(in: body) else {
            list.fetchFailed(at: step.now)
            // No banner is needed if the connection is lost, which has its own banner, or if a conversation covers the
            // list. A request without a response usually fails because the connection is being lost, so it is reported
            // only if no conversation has been opened.
            let isInView = wasAnswered ? !list.isCovered : conversations.open == nil
            if channel != .none, isInView, rules.policy.list.failure == .isShown {
                step.emit(.trouble(rules.profile.text.banner.listFailed, .retry))
            }
            return
        }
        step.emit(.troubleEnded(rules.profile.text.banner.listFailed))
        let isOld = list.refetchIfStale(isFetching: exchanges.isRunning(.list), &step)
        for summary in fetched.conversations {
            if !isOld, let count = summary.unread {
                unread.counted(summary.id, count, through: summary.lastMessage?.sequence, focus, &step)
            }
            list.changed(summary.id, unread[summary.id], &step)
        }
        list.fetched(fetched, &step)
        // An older server sends the unread counts only in response to a separate request.
        if !isOld, fetched.conversations.contains(where: { $0.unread == nil }) { step.emit(.ask(.counts)) }
    }

    /// Parses the server's list of conversations; returns nil if the client rejects it.
    func conversationList(in body: [UInt8]) -> ConversationList? {
        guard let list = try? ConversationList.decode(body, rules.wire) else { return nil }
        let isOlder = list.conversations.contains { $0.unread == nil }
        return isOlder && rules.policy.frames.chatRecords == .mustBeNew ? nil : list
    }

    /// Handles the server's unread counts; `body` is nil when the request failed. `status` is nil if the server has not
    /// responded.
    mutating func countsAnswered(_ body: [UInt8]?, status: Int?, _ step: inout Step) {
        guard let body, let fetched = try? UnreadCounts.decode(body, rules.wire) else {
            // The counts stay unchanged. A permanent rejection, for example by a server that lacks this route, is not
            // retried.
            if !(status.map(ChatStatus.isFinal) ?? false) { list.countsFailed(at: step.now) }
            return
        }
        guard !list.refetchIfStale(isFetching: exchanges.isRunning(.list), &step) else { return list.countsFetched() }
        for count in fetched.counts {
            unread.counted(count.conversation, count.unread, through: count.sequence, focus, &step)
        }
        list.countsFetched()
    }

    /// Handles the server's list of chat partners; `body` is nil when the request failed.
    mutating func partnersAnswered(_ body: [UInt8]?, _ step: inout Step) {
        let agents = body.flatMap { try? AgentList.decode($0, rules.wire) }?.agents
        if let agents {
            people.fetched(agents, serverTime: times.serverTime(at: step.now), &step)
        } else {
            people.fetchFailed(&step)
        }
        listed(agents, &step)
    }

    mutating func listChanged(_ conversation: String, _ step: inout Step) {
        list.changed(conversation, unread[conversation], &step)
    }

    mutating func became(_ person: People.Person, since: Int64?, _ step: inout Step) {
        var latency: TimeSpan?
        if let since {
            times.observe(since, &step)
            // `serverTime` lags behind the server's clock by the one-way delay, about half a round trip.
            let onTheWay = (connection.heartbeat.roundTrip ?? .zero).nanoseconds / 2
            let age = TimeSpan.milliseconds(max(times.serverTime(at: step.now) - since, 0))
            latency = age + TimeSpan(nanoseconds: onTheWay)
        }
        people.became(person, after: latency, &step)
    }

    /// Handles a report that a user has begun or stopped typing in a conversation, whether or not it is open.
    mutating func typed(_ user: String, in conversation: String, isActive: Bool, _ step: inout Step) {
        if rules.policy.people.typing == .sinceTheOpening, conversation != conversations.open { return }
        peers.typed(user, in: conversation, isActive: isActive, &step)
    }

    // MARK: - Reading

    /// Handles the end of a catch-up. If messages are unread or the list is in use, requests the server's counts.
    ///
    /// The user may have read messages on another device while this client was disconnected, and only connected clients
    /// are notified of that. While the client polls, every poll response contains the counts.
    mutating func caughtUp(_ step: inout Step) {
        // A client that polls receives no tokens, so its streams are silent even while the server writes them.
        if connection.phase == .live { conversations.caughtUp(at: step.now) }
        unread.caughtUp(&step)
        let mayBeRead = unread.sum > 0 && rules.policy.unread.absence == .asksServer
        guard connection.phase == .live, mayBeRead || list.requestsCountsOnConnect else { return }
        step.emit(.ask(.counts))
    }

    /// Lowers the unread counts that exceed those in the server's list, because the user has read messages on another
    /// device.
    mutating func readElsewhere(accordingTo list: ConversationList, _ step: inout Step) {
        guard rules.policy.unread.absence == .asksServer else { return }
        for summary in list.conversations {
            guard let count = summary.unread else { continue }
            unread.lower(summary.id, to: count, through: summary.lastMessage?.sequence, &step)
        }
    }

    /// Marks the messages up to and including `id` as read, because the user has read them on another device.
    mutating func readElsewhere(_ conversation: String, through id: String, _ step: inout Step) {
        if exchanges.isRunning(.list) { list.overtaken() }
        guard let remaining = conversations.others(after: id, in: conversation) else {
            // The client does not have the message `id`, so it asks the server for the unread counts.
            if unread[conversation] > 0 { step.emit(.ask(.counts)) }
            return
        }
        unread.readElsewhere(conversation, leaving: remaining, &step)
    }

    /// Handles the messages on the newest page that the client did not have: counts them as unread, or reports them as
    /// read. `ids` are their server-assigned IDs.
    mutating func pageArrived(_ conversation: String, _ ids: [String], _ step: inout Step) {
        let others = conversations.toBeRead(ids, in: conversation)
        let known = conversations.newestSequence(of: conversation, except: Set(ids))
        let isAtEnd = scroll.isAtEnd(conversation)
        unread.pageArrived(conversation, others, isAtEnd: isAtEnd, knownThrough: known, focus, &step)
    }

    /// Marks the messages on the screen as read after the list has been scrolled.
    mutating func markVisibleAsRead(in conversation: String, _ step: inout Step) {
        guard unread[conversation] > 0, let last = lastVisibleMessage(of: conversation) else { return }
        saw(upTo: last, in: conversation, &step)
    }

    /// Returns the key of the message at the lower edge of the screen; nil if that message is unknown.
    private mutating func lastVisibleMessage(of conversation: String) -> String? {
        let anchor = scroll.anchor(of: conversation)
        return conversations.lastOnScreen(of: conversation, from: anchor, Int(clamping: rules.profile.view.height))
    }

    /// Marks messages as read up to and including the one with this key, which the user has scrolled to the lower edge
    /// of the screen.
    mutating func saw(upTo key: String, in conversation: String, _ step: inout Step) {
        guard let message = conversations.lastToBeRead(upTo: key, in: conversation), let id = message.id,
            let remaining = conversations.others(after: id, in: conversation)
        else { return }
        unread.saw(message, leaving: remaining, focus, &step)
    }

    /// Marks messages in a newly opened conversation as read once they have loaded: the first unread message, and as
    /// many after it as fit on the screen.
    mutating func markUnreadAsVisible(_ step: inout Step) {
        // After most inputs there is nothing to mark as read, so this check comes first.
        guard unread.wasAnyUnread, let conversation = unread.awaitingVisibility(focus) else { return }
        let height = Int(clamping: rules.profile.view.height)
        // If the user had scrolled up before leaving, the conversation opens at that position, not at its end.
        let last =
            scroll.isAtEnd(conversation)
            ? conversations.lastOnScreen(of: conversation, unread: unread[conversation], height)
            : lastVisibleMessage(of: conversation)
        guard let last else { return }
        saw(upTo: last, in: conversation, &step)
    }
}
