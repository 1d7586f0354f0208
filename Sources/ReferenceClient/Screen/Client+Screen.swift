import ChatWire
import SquallCore

// Coordinates the components involved when the user opens a conversation, scrolls or starts the app.

extension Client {
    /// Opens a conversation, even if it is open already.
    mutating func openConversation(_ conversation: String, _ step: inout Step) {
        session.watched = conversation
        screen.opened()
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
            leaveView(of: before, &step)
        }
        unread.opened(conversation, insteadOf: before, &step)
        people.opened()
        conversations.open(conversation, &step)
        step.changes.formUnion([.people, .screen])
    }

    /// Closes the open conversation and returns to the conversation list.
    mutating func close(_ step: inout Step) {
        session.watched = nil
        guard let open = conversations.open else { return }
        leaveView(of: open, &step)
        unread.left(open, &step)
        conversations.leave(&step)
        // The screen's header disappears together with the conversation.
        step.changes.formUnion([.people, .screen])
    }

    /// Notifies the client's components that a conversation has been closed.
    private mutating func leaveView(of conversation: String, _ step: inout Step) {
        scroll.left(conversation)
        newMarker.clear(&step)
        history.left(&step)
        conversations.left(conversation)
    }

    /// Scrolls the open conversation at the user's command; does nothing if the target is not in it.
    mutating func scroll(to target: ScrollTarget, _ step: inout Step) {
        guard let open = conversations.open else { return }
        let keys = conversations[open].keys
        history.giveUpSearch(&step)
        switch target {
        case .end:
            scroll.move(to: nil, in: open, because: "user", &step)
            newMarker.clear(&step)
            return markVisibleAsRead(in: open, &step)
        case .start:
            guard let first = keys.first else { return }
            scroll.move(to: first, in: open, because: "user", &step)
        case .message(let name):
            guard let key = conversations.key(of: name), keys.contains(key) else { return }
            scroll.move(to: key, in: open, because: "user", &step)
        }
        markVisibleAsRead(in: open, &step)
        if scroll.anchor(of: open) == keys.first {
            history.reachedTop(of: open, oldest: conversations[open].rows.first?.id, &step)
        }
    }

    /// Requests the page before the oldest message of the open conversation.
    mutating func loadEarlier(_ step: inout Step) {
        guard let open = conversations.open else { return }
        history.load(open, before: conversations[open].rows.first?.id, &step)
    }

    /// Updates the scroll position and the separator above new messages after a message has been added to the open
    /// conversation.
    mutating func messageAdded(_ id: String, via arrival: Arrival, _ step: inout Step) {
        guard let key = conversations.key(of: id), let message = conversations.messages[key],
            message.conversation == conversations.open
        else { return }
        let isAtEnd = scroll.isAtEnd(message.conversation)
        scroll.messageArrived(into: message.conversation, via: arrival)
        guard !message.isOwn else { return }
        let isSeen = isAtEnd && appState.isInForeground
        // The separator uses the rows to decide whether this message comes before the first new one.
        let rows = newMarker.place == nil ? [] : conversations[message.conversation].keys
        newMarker.messageArrived(
            message.key,
            into: message.conversation,
            via: arrival,
            isSeen: isSeen,
            rows: rows,
            &step
        )
    }

    /// Handles a page of older messages; `page` is nil if the request has failed.
    mutating func endEarlier(_ conversation: String, _ page: (hasMore: Bool, added: Int)?, _ step: inout Step) {
        history.pageEnded(conversation, page, oldest: conversations[conversation].rows.first?.id, &step)
        goOnSeeking(&step)
    }

    /// Requests the list of chat partners at launch if the profile requires it.
    mutating func beginScreen(_ step: inout Step) {
        if screen.begin(&step) { people.ask(&step) }
    }

    /// Handles the list of chat partners; `agents` is nil if the request has failed.
    mutating func listed(_ agents: [Agent]?, _ step: inout Step) {
        let messagesWaited = !screen.letsMessagesLoad
        // A pending deep link opens a conversation next, so the screen must not choose one itself.
        let isOpen = conversations.open != nil || deepLink.pending != nil
        screen.listed(agents, order: people.conversations, isOpen: isOpen, &step)
        if agents != nil {
            step.emit(.troubleEnded(rules.profile.text.banner.partnersFailed))
        } else if screen.list == .failed, !isOpen, channel != .none, rules.policy.list.failure == .isShown {
            step.emit(.trouble(rules.profile.text.banner.partnersFailed, .retry))
        }
        if messagesWaited { conversations.loadMissingHistory(&step) }
    }

    // MARK: - Searching for a message

    /// Searches the open conversation for a message, page by page, and scrolls to it.
    mutating func seek(_ target: MessageTarget, _ step: inout Step) {
        history.seek(target, &step)
        goOnSeeking(&step)
    }

    /// Continues a running search with the messages that have loaded so far.
    mutating func goOnSeeking(_ step: inout Step) {
        guard let searched = history.searched else { return }
        let conversation = conversations[searched.conversation]
        let key = conversations.key(of: searched.message)
        history.continueSearch(
            isHere: key.map(conversation.keys.contains) ?? false,
            conversation.load,
            oldest: conversation.rows.first?.id,
            &step
        )
    }

    /// Scrolls to the message if the search has found it.
    mutating func searched(_ target: MessageTarget, _ end: History.SearchEnd, _ step: inout Step) {
        guard end == .found, let key = conversations.key(of: target.message) else { return }
        scroll.move(to: key, in: target.conversation, because: "target", &step)
        markVisibleAsRead(in: target.conversation, &step)
    }

    // MARK: - End of a step

    /// Scrolls the list to its end if the current input requires it, and marks the visible messages as read.
    mutating func finishScroll(_ step: inout Step) {
        guard let conversation = scroll.finish(&step) else { return }
        markVisibleAsRead(in: conversation, &step)
    }

    /// Completes a return from the background once the missed messages have been fetched.
    mutating func finishScreen(_ step: inout Step) {
        guard newMarker.isReturning else { return }
        if connection.isPolling ? !exchanges.isRunning(.catchUp) : connection.phase == .live && !session.isSyncing {
            newMarker.settled()
        }
    }
}
