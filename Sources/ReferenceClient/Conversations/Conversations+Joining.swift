import ChatWire
import SquallCore

// Handles gaps in the list: if the newest page does not reach back to the messages that the client already has, older
// pages are requested until the gap is closed.

extension Conversations {
    /// Updates the gaps after the messages of a page have been added: the page before the message `end`, or the newest
    /// page if `end` is nil.
    ///
    /// `unknown` contains the IDs of the page's messages that the client did not have.
    mutating func pageJoins(
        _ name: String,
        _ page: MessagePage,
        unknown: [String],
        before end: String?,
        _ step: inout Step
    ) {
        guard conversations[name] != nil else { return }
        if end == nil { self[name].joinPages = 0 }
        let messages = messages
        self[name].join(Set(page.messages.map(\.id)), before: end) { older, oldest in
            guard page.hasMore, unknown.contains(oldest.id) else { return false }
            // All messages on a server share one sequence, so no message is missing between two consecutive sequence
            // numbers.
            guard let before = messages[older.key]?.sequence, let after = messages[oldest.key]?.sequence else {
                return true
            }
            return after - before > 1
        }
        askToJoin(name, &step)
    }

    /// Requests the next older page to close the newest gap of the open conversation.
    ///
    /// After too many pages, the messages before the gap are dropped instead; scrolling up loads them again.
    mutating func askToJoin(_ name: String, _ step: inout Step) {
        guard name == open, let gap = self[name].gaps.last else { return }
        joinAt = nil
        guard self[name].joinPages < rules.profile.history.joinPages else {
            for row in self[name].dropBeforeGap() { forget(row) }
            step.changes.insert(.conversations)
            return
        }
        self[name].joinPages += 1
        step.emit(.ask(.joining(conversation: name, before: gap)))
    }

    /// Schedules a retry of a failed request for a page that is needed to close a gap.
    mutating func joinFailed(_ name: String, _ step: inout Step) {
        guard name == open else { return }
        self[name].joinPages -= 1
        joinAt = step.now + max(rules.profile.sync.retry, .milliseconds(1))
    }

    /// The instant at which a gap request is retried or interrupted streams are hidden, whichever comes first.
    var deadline: Instant? { joinAt.or(sooner: streams.limit) }

    /// Retries a failed request for a page, and removes interrupted streams that have timed out.
    ///
    /// If the client is not connected (`isConnected` is false), the request is sent after the next reconnect instead.
    mutating func timer(isConnected: Bool, _ step: inout Step) {
        if let due = joinAt, due <= step.now {
            joinAt = nil
            if isConnected, let open { askToJoin(open, &step) }
        }
        removeStreams(streams.cutOff(at: step.now), &step)
    }

    /// Handles the loss of the connection.
    mutating func linkLost(_ step: inout Step) {
        streams.linkLost()
        if policy.partialMessages == .areHidden { removeStreams(streams.hideSilent(), &step) }
    }

    /// Removes the rows of streams that have been hidden.
    private mutating func removeStreams(_ cut: Set<String>, _ step: inout Step) {
        guard !cut.isEmpty else { return }
        for name in names where self[name].hasStream(of: cut) { self[name].removeStreams(cut) }
        for id in cut.sorted() { step.touch(id) }
        step.changes.formUnion([.peers, .conversations])
    }

    /// Records that the client has fetched every message that the server has stored.
    ///
    /// A stream that the server is still writing will soon deliver another piece. Any other stream was cut off when the
    /// server process that wrote it ended, so it is hidden after a timeout.
    mutating func caughtUp(at now: Instant) {
        streams.startSilenceTimeout(until: now + rules.profile.sync.streamLimit)
    }
}
