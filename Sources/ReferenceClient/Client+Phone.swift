import ChatWire
import SquallCore

// Dispatches account and notification inputs to the client's components, which make all decisions.

extension Client {
    /// Applies the state that the phone keeps for the app: the push token, and the notification that launched the app.
    ///
    /// Called at the beginning of a launch, because a tapped notification decides which conversation is opened first.
    mutating func startPhone(launchedBy push: Push?, _ step: inout Step) {
        notifications.start(&step)
        lookForSharedMessages(isLaunch: true, &step)
        if let user = account.user {
            if pushToken.isKnown { appState.use(&step) }
            pushToken.signedIn(user, key: connection.credentials.keyToUse, isNew: false, &step)
        }
        guard let push, account.user != nil else { return }
        keepText(of: push, &step)
        notifications.tapped(push, &step)
        let target = MessageTarget(push)
        if deepLink.replacesStart, let usual = conversations.open {
            close(&step)
            appState.vanished(usual, &step)
        }
        deepLink.tapped(
            target,
            isKnown: isKnown(target.conversation),
            isBusy: conversations.open != nil,
            isLaunch: true,
            &step
        )
    }

    mutating func signedIn(_ user: String, key: String, _ step: inout Step) {
        conversations.me = user
        connection.setKey(key, &step)
        for entry in outbox.signedIn(user) {
            show(entry, &step)
            step.touch(entry.key)
        }
        uploads.signedIn(user)
        deletions.signedIn(user)
        step.changes.formUnion([.outbox, .conversations, .uploads, .deletions])
        appState.signedIn(user, &step)
        notifications.signedIn(user, &step)
        lookForSharedMessages(&step)
        connection.reconnect(&step)
        pushToken.signedIn(user, key: key, isNew: true, &step)
    }

    mutating func signOut(_ part: Account.Part, _ step: inout Step) {
        switch part {
        case .token: pushToken.remove(key: connection.credentials.keyToUse, &step)
        case .state:
            forgetUser(&step)
            notifications.signedOut(&step)
            appState.clear(&step)
        case .session:
            connection.signOut(&step)
            exchanges.withdrawAll(&step)
        case .user:
            outbox.signedIn(nil)
            uploads.signedIn(nil)
            deletions.signedIn(nil)
            step.changes.formUnion([.outbox, .uploads, .deletions])
            pushToken.signedOut(&step)
            appState.signedOut(&step)
        }
        account.completed(part, &step)
    }

    // MARK: - Screen

    mutating func background(_ step: inout Step) {
        appState.background()
        newMarker.background(&step)
        people.background()
        list.background()
        connection.background(&step)
        uploads.background(&step)
    }

    mutating func foreground(_ step: inout Step) {
        let wasAway = !appState.isInForeground
        guard appState.foreground() else { return }
        newMarker.foreground(wasAway: wasAway)
        unread.foreground(focus, &step)
        people.foreground(&step)
        list.foreground(at: step.now)
        if connection.phase == .suspended { session.woke() }
        connection.foreground(&step)
        notifications.checkPermission(.foreground, &step)
        lookForSharedMessages(&step)
    }

    /// Handles an unlocked screen: continues a launch that was waiting for the API key, and returns the app to the
    /// foreground if the screen lock had moved it to the background.
    mutating func unlock(_ step: inout Step) {
        let hasWaited = connection.credentials.mustWait
        connection.credentials.unlock()
        if hasWaited { start(&step) }
        if appState.unlocked() { foreground(&step) }
    }

    // MARK: - Notifications

    /// Returns whether the client has the conversation: messages of it, or its entry in the server's list.
    private func isKnown(_ conversation: String) -> Bool {
        conversations.conversations[conversation] != nil || list.summaries[conversation] != nil
    }

    private var isTargetKnown: Bool { deepLink.pending.map { isKnown($0.conversation) } ?? false }

    /// Brings the app to the foreground and opens a tapped notification's conversation without opening any other
    /// conversation first.
    mutating func tapped(_ push: Push, _ step: inout Step) {
        let target = MessageTarget(push)
        let isBusy = conversations.open.map { conversations[$0].load == .loading } ?? false
        appState.use(&step)
        keepText(of: push, &step)
        notifications.tapped(push, &step)
        deepLink.tapped(target, isKnown: isKnown(target.conversation), isBusy: isBusy, &step)
        step.emit(.bringToForeground)
    }

    /// Adds a message with the text from its push notification. Only a planted defect does this.
    mutating func keepText(of push: Push, _ step: inout Step) {
        guard rules.policy.notifications.content == .isThePush, !isHere(push.message) else { return }
        let message = ChatMessage(
            id: push.message,
            conversation: push.conversation,
            sender: push.sender,
            sequence: 0,
            timestamp: rules.deviceTime(at: step.now),
            text: push.text
        )
        _ = add([message], via: .history, &step)
    }

    mutating func replied(_ text: String, to push: Push, label: String?, _ step: inout Step) {
        send(text, to: push.conversation, label: label, &step)
    }

    mutating func follow(_ target: MessageTarget, _ step: inout Step) {
        let conversation = target.conversation
        if conversations.open != conversation {
            openConversation(conversation, &step)
            appState.opened(conversation, &step)
        } else {
            if !unread.views.isActive(conversation, chosen: conversation) {
                unread.appeared(conversation, &step)
                appState.appeared(conversation, &step)
            }
            // If the message arrived while the client was not connected, it has to be fetched.
            if !isHere(target.message) { conversations.loadHistory(of: conversation, &step) }
        }
        deepLink.arrived(at: target, &step)
    }

    func isHere(_ message: String) -> Bool { conversations.key(of: message) != nil }

    /// Ends the search for the message of a tapped notification, and highlights the message if it was found.
    mutating func found(_ target: MessageTarget, _ end: History.SearchEnd, _ step: inout Step) {
        guard deepLink.searchEnded(target, end, &step), let key = conversations.key(of: target.message) else { return }
        highlight.begin(key, &step)
    }

    /// Closes the open conversation and returns to the conversation list.
    mutating func leave(_ step: inout Step) {
        deepLink.turned(to: nil)
        close(&step)
    }

    /// Updates the state that depends on the open screen after the user has opened `conversation`.
    mutating func appeared(_ conversation: String, _ step: inout Step) {
        appState.opened(conversation, &step)
        deepLink.turned(to: conversation)
        notifications.checkPermission(.appears, &step)
        deepLink.screenAppears(isKnown: isTargetKnown, &step)
    }

    /// Continues a pending deep link once the screen's content has loaded or failed to load.
    mutating func screenLoaded(_ step: inout Step) {
        deepLink.loaded(isKnown: isTargetKnown, &step)
    }
}
