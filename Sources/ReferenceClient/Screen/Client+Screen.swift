import ChatWire
import SquallCore

// The screen as the user meets it: what several concerns do together when he looks elsewhere, scrolls or starts the app.

extension Client {
    /// Another conversation takes the screen, or the same once more.
    mutating func look(at conversation: String, _ step: inout Step) {
        session.watched = conversation
        let before = conversations.open
        if let before, before != conversation {
            let (rows, next) = (conversations[before].keys, conversations[conversation])
            screen.switched(
                from: before,
                to: conversation,
                rows: rows,
                isBlank: next.isEmpty && next.load != .loaded,
                order: people.conversations,
                known: conversations.names,
                &step
            )
            turnAway(from: before, &step)
        }
        unread.opened(conversation, insteadOf: before, &step)
        people.opened()
        conversations.open(conversation, &step)
        step.changes.insert(.people)
    }

    /// From the conversation to the list: none is on the screen.
    mutating func close(_ step: inout Step) {
        session.watched = nil
        guard let open = conversations.open else { return }
        turnAway(from: open, &step)
        unread.left(open, &step)
        conversations.leave(&step)
    }

    /// A conversation is on the screen no more.
    private mutating func turnAway(from conversation: String, _ step: inout Step) {
        scroll.left(conversation)
        newMarker.clear(&step)
        history.left(&step)
        conversations.left(conversation)
    }

    mutating func scroll(to target: ScrollTarget, _ step: inout Step) {
        guard let open = conversations.open else { return }
        let keys = conversations[open].keys
        history.giveUpSearch(&step)
        switch target {
        case .end:
            scroll.move(to: nil, in: open, because: "user", &step)
            newMarker.clear(&step)
            return sawWhereTheReaderIs(in: open, &step)
        case .start:
            guard let first = keys.first else { return }
            scroll.move(to: first, in: open, because: "user", &step)
        case .message(let name):
            guard let key = conversations.key(of: name), keys.contains(key) else { return }
            scroll.move(to: key, in: open, because: "user", &step)
        }
        sawWhereTheReaderIs(in: open, &step)
        if scroll.anchor(of: open) == keys.first {
            history.reachedTop(of: open, oldest: conversations[open].rows.first?.id, &step)
        }
    }

    mutating func loadEarlier(_ step: inout Step) {
        guard let open = conversations.open else { return }
        history.load(open, before: conversations[open].rows.first?.id, &step)
    }

    /// A message has come that the client did not have: what that is to the reader of the open conversation.
    mutating func grew(by id: String, via arrival: Arrival, _ step: inout Step) {
        guard let key = conversations.key(of: id), let message = conversations.messages[key],
            message.conversation == conversations.open
        else { return }
        let isAtEnd = scroll.isAtEnd(message.conversation)
        scroll.came(into: message.conversation, via: arrival)
        guard !message.isOwn else { return }
        let isSeen = isAtEnd && appState.isInForeground
        newMarker.came(message.key, into: message.conversation, via: arrival, isSeen: isSeen, &step)
    }

    /// A page of older messages is here, or will not come (`nil`).
    mutating func endEarlier(_ conversation: String, _ page: (hasMore: Bool, added: Int)?, _ step: inout Step) {
        history.pageEnded(conversation, page, oldest: conversations[conversation].rows.first?.id, &step)
        goOnSeeking(&step)
    }

    mutating func beginScreen(_ step: inout Step) {
        if screen.begin(&step) { people.ask(&step) }
    }

    /// Whom there is to write to is here, or will not come (`nil`).
    mutating func listed(_ agents: [Agent]?, _ step: inout Step) {
        let messagesWaited = !screen.letsMessagesLoad
        // Where a tapped notification leads is looked at next.
        let isOpen = conversations.open != nil || deepLink.pending != nil
        screen.listed(agents, order: people.conversations, isOpen: isOpen, &step)
        if messagesWaited { conversations.loadMissingHistory(&step) }
    }

    // MARK: - The search for a message

    /// Looks for a message in the open conversation, page by page, and makes it the first one visible.
    mutating func seek(_ target: MessageTarget, _ step: inout Step) {
        history.seek(target, &step)
        goOnSeeking(&step)
    }

    mutating func goOnSeeking(_ step: inout Step) {
        guard let sought = history.sought else { return }
        let conversation = conversations[sought.conversation]
        let key = conversations.key(of: sought.message)
        history.goOn(
            isHere: key.map(conversation.keys.contains) ?? false,
            conversation.load,
            oldest: conversation.rows.first?.id,
            &step
        )
    }

    /// The end of a search; the rows are here where the message was found.
    mutating func sought(_ target: MessageTarget, _ end: History.SearchEnd, _ step: inout Step) {
        guard end == .found, let key = conversations.key(of: target.message) else { return }
        scroll.move(to: key, in: target.conversation, because: "target", &step)
        sawWhereTheReaderIs(in: target.conversation, &step)
    }

    // MARK: - The end of a step

    mutating func finishScroll(_ step: inout Step) {
        guard let conversation = scroll.finish(&step) else { return }
        sawWhereTheReaderIs(in: conversation, &step)
    }

    mutating func finishScreen(_ step: inout Step) {
        guard newMarker.isReturning else { return }
        switch connection.phase {
        case .live where !session.isSyncing: newMarker.settled()
        case .polling where !exchanges.isRunning(.catchUp): newMarker.settled()
        default: break
        }
    }
}
