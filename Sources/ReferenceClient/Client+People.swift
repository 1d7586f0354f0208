import ChatWire
import SquallCore

// Who hears what of reading, the list, people and times.

extension Client {
    /// The server's list of conversations; nil where there is no good answer.
    mutating func summarized(_ body: [UInt8]?, _ step: inout Step) {
        guard let body, let fetched = try? ConversationList.decode(body, rules.wire) else { return }
        for summary in fetched.conversations {
            unread.counted(summary.id, summary.unread, through: summary.lastMessage?.sequence, focus, &step)
            list.changed(summary.id, unread[summary.id], &step)
        }
        list.fetched(fetched, &step)
    }

    /// The server's counts; nil where there is no good answer.
    mutating func counted(_ body: [UInt8]?, _ step: inout Step) {
        guard let body, let fetched = try? UnreadCounts.decode(body, rules.wire) else { return }
        for count in fetched.counts {
            unread.counted(count.conversation, count.unread, through: count.sequence, focus, &step)
        }
        list.countsFetched()
    }

    /// Who there is; nil where there is no good answer.
    mutating func met(_ body: [UInt8]?, _ step: inout Step) {
        let agents = body.flatMap { try? AgentList.decode($0, rules.wire) }?.agents
        if let agents { people.fetched(agents, &step) } else { people.fetchFailed(&step) }
        listed(agents, &step)
    }

    mutating func listChanged(_ conversation: String, _ step: inout Step) {
        list.changed(conversation, unread[conversation], &step)
    }

    mutating func became(_ person: People.Person, since: Int64?, _ step: inout Step) {
        var latency: TimeSpan?
        if let since {
            times.heard(since, at: step.now)
            // What the server said last was on its way for half a round trip.
            let onTheWay = (connection.heartbeat.roundTrip ?? .zero).nanoseconds / 2
            let age = TimeSpan.milliseconds(max(times.serverTime(at: step.now) - since, 0))
            latency = age + TimeSpan(nanoseconds: onTheWay)
        }
        people.became(person, after: latency, &step)
    }

    // MARK: - Reading

    /// Another device of the same user has read up to a message.
    mutating func readElsewhere(_ conversation: String, through id: String, _ step: inout Step) {
        guard let remaining = conversations.others(after: id, in: conversation) else { return }
        unread.readElsewhere(conversation, leaving: remaining, &step)
    }

    /// The newest page has brought messages, by the server's ids, that the client did not have.
    mutating func pageArrived(_ conversation: String, _ ids: [String], _ step: inout Step) {
        let others = conversations.toBeRead(ids, in: conversation)
        unread.pageArrived(conversation, others, isAtEnd: scroll.isAtEnd(conversation), focus, &step)
    }

    /// The list has moved: what is on the screen now was seen.
    mutating func sawWhereTheReaderIs(in conversation: String, _ step: inout Step) {
        guard unread[conversation] > 0, let last = lastInSight(of: conversation) else { return }
        saw(upTo: last, in: conversation, &step)
    }

    /// The message at the screen's lower edge; nil where that is not known.
    private mutating func lastInSight(of conversation: String) -> String? {
        let anchor = scroll.anchor(of: conversation)
        return conversations.lastOnScreen(of: conversation, from: anchor, Int(clamping: rules.profile.view.height))
    }

    /// The user has scrolled a message to the screen's lower edge.
    mutating func saw(upTo key: String, in conversation: String, _ step: inout Step) {
        guard let message = conversations.lastToBeRead(upTo: key, in: conversation), let id = message.id,
            let remaining = conversations.others(after: id, in: conversation)
        else { return }
        unread.saw(message, leaving: remaining, focus, &step)
    }

    /// An opened conversation shows its first unread message, and what else the screen has room for, as soon as these are here.
    mutating func lookAtUnread(_ step: inout Step) {
        // Most steps have nothing to look at, and end here.
        guard unread.wasAnyUnread, let conversation = unread.awaitsSight(focus) else { return }
        let height = Int(clamping: rules.profile.view.height)
        // Who has left his place further up finds himself there.
        let last =
            scroll.isAtEnd(conversation)
            ? conversations.lastOnScreen(of: conversation, unread: unread[conversation], height)
            : lastInSight(of: conversation)
        guard let last else { return }
        saw(upTo: last, in: conversation, &step)
    }
}
