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
            pushToken.came(token, isLeaving: account.isLeaving, &step)
        case .permission(let permission): notifications.permitted(permission, &step)
        case .push(let push):
            let viewed = unread.isInForeground ? appState.viewing : nil
            notifications.pushed(push, viewed: viewed, &step)
        default: break
        }
    }

    mutating func routePhone(_ happening: Happening, _ step: inout Step) {
        switch happening {
        case .signedIn(let user, let key):
            conversations.me = user
            connection.setKey(key, &step)
            for entry in outbox.signedIn(user) {
                conversations.add(entry)
                step.touch(entry.key)
            }
            uploads.signedIn(user)
            deletions.signedIn(user)
            step.changes.formUnion([.outbox, .conversations, .uploads, .deletions])
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
        account.did(part, &step)
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
        let target = DeepLink.Target(push)
        let isBusy = conversations.open.map { conversations[$0].load == .loading } ?? false
        appState.use(&step)
        deepLink.tapped(target, isKnown: isKnown(target.conversation), isBusy: isBusy, &step)
        step.tell(.comeToFront)
        step.changes.insert(.phone)
    }

    private mutating func replied(_ text: String, to push: Push, label: String?, _ step: inout Step) {
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
        deepLink.arrived(at: target, &step)
    }

    private func isHere(_ message: String) -> Bool { conversations.key(of: message) != nil }

    /// The search for the message that was tapped for is over.
    mutating func found(_ message: String, _ end: History.SearchEnd, _ step: inout Step) {
        guard deepLink.searchEnded(message, end, &step), let key = conversations.key(of: message) else { return }
        highlight.begin(key, &step)
    }

    /// From the conversation to the list.
    private mutating func leave(_ step: inout Step) {
        session.watched = nil
        deepLink.turned(to: nil)
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
        deepLink.turned(to: conversation)
        notifications.look(.appears, &step)
        deepLink.screenAppears(isKnown: isTargetKnown, &step)
    }

    /// What the screen has waited for is here, or will not come.
    mutating func screenLoaded(_ step: inout Step) {
        deepLink.loaded(isKnown: isTargetKnown, &step)
    }
}
