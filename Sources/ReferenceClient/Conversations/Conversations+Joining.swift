import ChatWire
import SquallCore

// Holes in the list: the newest page may not reach back to the messages that the client has. Older pages are then
// requested until one does.

extension Conversations {
    /// Handles the page before the message `end`, or the newest page if `end` is nil, after its messages were added.
    ///
    /// `unknown` are the ids of its messages that the client did not have.
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
            // All messages of a server share one sequence, so nothing can be missing between two consecutive numbers.
            guard let before = messages[older.key]?.sequence, let after = messages[oldest.key]?.sequence else {
                return true
            }
            return after - before > 1
        }
        askToJoin(name, &step)
    }

    /// Requests the next page towards the other side of the newest hole of the open conversation.
    ///
    /// After too many pages, the messages before the hole are forgotten; scrolling up loads them again.
    mutating func askToJoin(_ name: String, _ step: inout Step) {
        guard name == open, let hole = self[name].holes.last else { return }
        joinAt = nil
        guard self[name].joinPages < rules.profile.history.joinPages else {
            for row in self[name].dropBeforeHole() { forget(row) }
            step.changes.insert(.conversations)
            return
        }
        self[name].joinPages += 1
        step.emit(.ask(.joining(conversation: name, before: hole)))
    }

    /// Schedules another request for a page towards a hole, because one has failed.
    mutating func joinFailed(_ name: String, _ step: inout Step) {
        guard name == open else { return }
        self[name].joinPages -= 1
        joinAt = step.now + max(rules.profile.sync.retry, .milliseconds(1))
    }

    /// The earliest instant at which a hole or a stream that was cut off needs attention.
    var deadline: Instant? { joinAt.or(sooner: streams.limit) }

    /// `isConnected` is whether requests can succeed; otherwise the next connection resumes them.
    mutating func timer(isConnected: Bool, _ step: inout Step) {
        if let due = joinAt, due <= step.now {
            joinAt = nil
            if isConnected, let open { askToJoin(open, &step) }
        }
        let cut = streams.cutOff(at: step.now)
        guard !cut.isEmpty else { return }
        for name in names where self[name].hasStream(of: cut) { self[name].removeStreams(cut) }
        for id in cut.sorted() { step.touch(id) }
        step.changes.formUnion([.peers, .conversations])
    }

    /// Notes that every message that the server has stored was fetched.
    ///
    /// Streams that go on are still being written; the others have ended with the server that wrote them.
    mutating func caughtUp(at now: Instant) {
        streams.awaitPieces(until: now + rules.profile.sync.streamLimit)
    }
}
