import ChatWire
import SquallCore

// What the user looks at.

extension Conversations {
    mutating func open(_ conversation: String, _ step: inout Step) {
        open = conversation
        step.changes.insert(.conversations)
        step.store("view.conversation", .string(conversation))
        if policy.switching == .wipes { wipe(conversation) }
        if policy.replies == .areMatched, policy.staleErrors == .areDropped { step.emit(.withdraw(.history)) }
        loadHistory(of: conversation, &step)
    }

    /// Back to the list of conversations: none is on the screen.
    mutating func leave(_ step: inout Step) {
        guard open != nil else { return }
        open = nil
        step.store("view.conversation", nil)
        step.changes.insert(.conversations)
    }

    /// Gets what the screen has no answer for yet.
    mutating func loadMissingHistory(_ step: inout Step) {
        guard let open else { return }
        switch self[open].load {
        case .failed, .none: loadHistory(of: open, &step)
        case .loading, .loaded: break
        }
    }

    /// The server can be reached again.
    mutating func connected(_ step: inout Step) {
        if rules.policy.session.refresh == .afterEachConnect, let open {
            loadHistory(of: open, &step)
        } else {
            loadMissingHistory(&step)
        }
    }

    /// What was stored between the page on the screen and now would be known to nobody: the page is fetched again.
    mutating func historyBegins(after newest: Int64, _ step: inout Step) {
        guard let open, refreshing == nil, self[open].load == .loaded || self[open].load == .loading else { return }
        let known = self[open].rows.last.flatMap { messages[$0.key]?.sequence } ?? 0
        guard known < newest else { return }
        step.emit(.withdraw(.history))
        step.emit(.ask(.history(conversation: open)))
    }

    mutating func loadHistory(of conversation: String, _ step: inout Step) {
        if policy.pages == .replaceTheStore { knownWhenAsked[conversation] = Set(self[conversation].rows.map(\.id)) }
        self[conversation].load = .loading
        step.changes.insert(.conversations)
        step.emit(.ask(.history(conversation: conversation)))
    }

    mutating func refresh(_ step: inout Step) {
        guard let open else { return }
        if refreshing != open {
            refreshing = open
            step.log("client.refresh.began", ["cause": "user"])
            step.changes.insert(.session)
            step.emit(.withdraw(.history))
        }
        loadHistory(of: open, &step)
    }

    /// The newest page of a conversation is here, or will not come.
    ///
    /// `added` messages were new.
    mutating func historyEnded(_ conversation: String, isGood: Bool, added: Int, _ step: inout Step) {
        self[conversation].load = isGood ? .loaded : .failed
        step.changes.insert(.conversations)
        if refreshing == conversation {
            endRefresh(isGood: isGood, added: added, &step)
        }
        if conversation == open || policy.staleErrors == .areShown { step.emit(.refreshEnded(isGood: isGood)) }
    }

    private mutating func endRefresh(isGood: Bool, added: Int, _ step: inout Step) {
        refreshing = nil
        step.changes.insert(.session)
        step.log("client.refresh.ended", ["ok": .bool(isGood), "added": .integer(Int64(added))])
        if policy.refreshEnd == .isFelt {
            step.log("client.haptic", ["kind": isGood ? "success" : "failure"])
        }
    }
}

extension Conversations {
    static let registry: [RegistryEntry] = [
        .observable("view.conversation", .text, "The conversation on the screen; null for none."),
        .observable("view.phase", .words(ViewPhase.self), "What the screen shows of it."),
        .observable("view.rows", .list, "The messages on the screen, in the order shown."),
        .observable("conversation.messages", .list, key: "conversation", "Its messages, in the order shown."),
        .observable("message.text", .text, key: "message", "What it says."),
        .observable(
            "message.timestamp",
            .integer,
            key: "message",
            parity: .measured,
            "Milliseconds since 1970: the server's clock, the phone's until it is confirmed."
        ),
        .observable("message.status", .words(MessageStatus.self), key: "message", "What became of the user's message."),
        .observable("message.icon", .word(["clock", "exclamation"]), key: "message", "Its sign; null once delivered."),
        .observable("message.tone", .words(Tone.self), key: "message", "The sign's colour; null once delivered."),
        .observable("message.hint", .text, key: "message", "What is written below it; null for nothing."),
        .observable("message.retry_available", .flag, key: "message", "Whether a tap sends it again."),
        .observable("message.read", .flag, key: "message", "Whether somebody else has read the user's message."),
        .observable("stream.text", .text, key: "message", "What has come so far of a message that is being written."),
        .observable(
            "refresh.in_flight",
            .flag,
            "Whether pages are being fetched because somebody asked, or for a gap."
        ),
        .event("client.dropped_duplicate", key: "message", "A message that the client had came again; ignored."),
        .event("client.refresh.began", ["cause"], "Pages are asked for, by the `user` or for a `gap`."),
        .event("client.refresh.ended", [.flag("ok"), .integer("added")], "They are here, or will not come."),
        .event("client.haptic", ["kind"], "The phone has trembled: `success` or `failure`."),
    ]
}
