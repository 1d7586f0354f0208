import ChatWire
import Foundations

// Who hears what of account and notifications. Nothing is decided here that a concern can decide.

extension Client {
    /// Before anything else of a start: what the phone has for the app may say where it begins.
    mutating func startPhone(launchedBy push: Push?, _ step: inout Step) {
        notifications.start(&step)
        if let user = account.user {
            if pushToken.isKnown { appState.use(&step) }
            pushToken.signedIn(user, key: connection.credentials.keyToUse, isNew: false, &step)
        }
        guard let push, account.user != nil else { return }
        let target = DeepLink.Target(push)
        if deepLink.replacesStart, let usual = conversations.open {
            conversations.open = nil
            session.watched = nil
            unread.left(&step)
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

    mutating func routePhone(_ command: ClientCommand, _ step: inout Step) {
        switch command {
        case .leave:
            leave(&step)
            appState.use(&step)
            appState.left(&step)
        case .signIn(let user, let key): account.signIn(user, key: key, &step)
        case .signOut:
            appState.use(&step)
            account.signOut(&step)
        case .openSettings: notifications.openSettings(&step)
        case .tap(_, let push): if let push { tapped(push, &step) }
        case .reply(_, let text, let label, let push): if let push { replied(text, to: push, label: label, &step) }
        case .token(let token):
            appState.use(&step)
            pushToken.came(token, &step)
        case .permission(let permission): notifications.permitted(permission, &step)
        case .push(let push):
            let viewed = unread.isInForeground ? appState.viewing : nil
            let known = screen.name(of: push.conversation)
            let name = known == push.conversation ? nil : known
            notifications.pushed(push, from: name, viewed: viewed, &step)
        default: break
        }
    }

    mutating func routePhone(_ happening: Happening, _ step: inout Step) {
        switch happening {
        case .signedIn(let user, let key):
            conversations.me = user
            connection.setKey(key, &step)
            for entry in outbox.signedIn(user) { conversations.add(entry) }
            deletions.signedIn(user)
            resumeImages(&step)
            step.changes.formUnion([.outbox, .conversations])
            appState.signedIn(user, &step)
            notifications.signedIn(user, &step)
            connection.reconnect(&step)
            pushToken.signedIn(user, key: key, isNew: true, &step)
        case .signInNext(let user, let key): account.signIn(user, key: key, &step)
        case .signOut(let part): signOut(part, &step)
        case .tokenIsGone(let isGone): account.tokenIsGone(isGone, &step)
        case .follow(let target): follow(target, &step)
        case .comeToFront: if !unread.isInForeground { route(.foreground, &step) }
        default: break
        }
    }

    private mutating func signOut(_ part: Account.Part, _ step: inout Step) {
        switch part {
        case .token: pushToken.remove(key: connection.credentials.keyToUse, &step)
        case .state:
            leave(&step)
            conversations.forgetAll(&step)
            media.cancel(&step)
            images.forgetAll(&step)
            unread.forgetAll(&step)
            list.forgetAll(&step)
            screen.forgetAll(&step)
            history.forgetAll(&step)
            scroll.forgetAll()
            deepLink.clear(&step)
            highlight.clear(&step)
            notifications.signedOut(&step)
            appState.clear(&step)
        case .session:
            connection.signOut(&step)
            session.signOut(&step)
        case .user:
            outbox.signedIn(nil)
            deletions.signedIn(nil)
            uploads.holdImages(except: [], &step)
            step.changes.insert(.outbox)
            pushToken.signedOut(&step)
            appState.signedOut(&step)
        }
    }

    /// What was asked for over HTTP has an answer, by its status; nil for none from the server, or none in time.
    mutating func answeredPhone(_ question: Question, status: Int?, _ step: inout Step) {
        let isGood = status.map { (200..<300).contains($0) } ?? false
        switch question {
        case .saveToken:
            pushToken.answered(failure: isGood ? nil : status.map { "status \($0)" } ?? "no answer", &step)
        case .removeToken: step.tell(.tokenIsGone(isGood))
        case .conversation(let conversation): deepLink.answered(conversation, status: status, &step)
        default: break
        }
    }

    // MARK: - Notifications

    private func isKnown(_ conversation: String) -> Bool { conversations.conversations[conversation] != nil }

    private var isTargetKnown: Bool { deepLink.pending.map { isKnown($0.conversation) } ?? false }

    /// A tap brings the app to the screen, and there to the conversation: not to another one first.
    private mutating func tapped(_ push: Push, _ step: inout Step) {
        guard account.user != nil else { return }
        let target = DeepLink.Target(push)
        let isBusy = conversations.open.map { conversations[$0].load == .loading } ?? false
        appState.use(&step)
        deepLink.tapped(target, isKnown: isKnown(target.conversation), isBusy: isBusy, &step)
        step.tell(.comeToFront)
        step.changes.insert(.phone)
    }

    private mutating func replied(_ text: String, to push: Push, label: String?, _ step: inout Step) {
        guard account.user != nil else { return }
        send(text, to: push.conversation, label: label, &step)
    }

    private mutating func follow(_ target: DeepLink.Target, _ step: inout Step) {
        let conversation = target.conversation
        if conversations.open != conversation {
            look(at: conversation, &step)
            appState.opened(conversation, &step)
        } else if !isHere(target.message) {
            // It has come while nobody was connected.
            conversations.loadHistory(of: conversation, &step)
        }
        guard deepLink.showsPlace else { return }
        deepLink.searches(for: target)
        seek(target.message, in: conversation, &step)
    }

    private func isHere(_ message: String) -> Bool { conversations.key(of: message) != nil }

    /// The search for the message that was tapped for is over.
    mutating func found(_ message: String, _ end: History.SearchEnd, _ step: inout Step) {
        guard deepLink.endsSearch(for: message) else { return }
        switch end {
        case .found: if let key = conversations.key(of: message) { highlight.begin(key, &step) }
        case .notThere: step.tell(.trouble(rules.profile.text.deepLink.messageGone, .change))
        case .failed, .givenUp: break
        }
    }

    /// From the conversation to the list.
    private mutating func leave(_ step: inout Step) {
        session.watched = nil
        guard let open = conversations.open else { return }
        scroll.left(open)
        newMarker.clear(&step)
        history.left(&step)
        conversations.left(open)
        unread.left(&step)
        conversations.leave(&step)
    }

    /// The user has opened a conversation.
    mutating func appeared(_ conversation: String, _ step: inout Step) {
        appState.opened(conversation, &step)
        notifications.look(.appears, &step)
        deepLink.screenAppears(isKnown: isTargetKnown, &step)
    }

    /// What the screen has waited for is here, or will not come.
    mutating func screenLoaded(_ step: inout Step) {
        deepLink.loaded(isKnown: isTargetKnown, &step)
    }
}
