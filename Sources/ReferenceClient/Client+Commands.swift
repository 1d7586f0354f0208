import ChatWire
import SquallCore

// Dispatches commands from the user and the phone to the client's components, which make all decisions.

extension Client {
    mutating func route(_ command: ClientCommand, _ step: inout Step) {
        // While no user is signed in, the app accepts only commands that make sense without one, such as signing in.
        guard account.user != nil || command.declaration.isAllowedSignedOut else { return }
        switch command {
        case .start: start(&step)
        case .open(let conversation):
            openConversation(conversation, &step)
            list.conversationOpened()
            appeared(conversation, &step)
        case .send(let conversation, let text, let label):
            // The input field is part of a conversation's screen, so text can be sent only while a conversation is
            // open.
            guard let conversation = conversation ?? conversations.open else { return }
            send(text, to: conversation, label: label, &step)
            screen.sent(into: conversation, &step)
            if conversation == conversations.open { scroll.sent(into: conversation) }
            if appState.isInForeground { notifications.askAfterSend(&step) }
        case .share(let file, let bytes, let label): uploads.share(file, bytes: bytes, label: label, &step)
        case .retry(let label):
            outbox.retry(label: label, &step)
            resumeImages(&step)
        case .retryAll:
            outbox.retryAll(&step)
            resumeImages(&step)
        case .reconnect: connection.reconnectAsAsked(&step)
        case .disconnect: connection.disconnect(&step)
        case .refresh: conversations.refresh(&step)
        case .dismissBanner: notices.dismiss(banner?.kind, &step)
        case .portalLogin: connection.portalLogin(&step)
        case .markRead(let conversation):
            let isKnown = conversations.names.contains(conversation)
            unread.userMarkedRead(conversation, isKnown: isKnown, &step)
        case .execute(let text): tasks.execute(text, over: channel, &step)
        case .say(let text): connection.say(text: text, &step)
        case .stop(let id): tasks.stop(id, over: channel, &step)
        case .setKey(let key): connection.setKey(key, &step)
        case .background: background(&step)
        case .foreground: foreground(&step)
        case .lock: if appState.locked() { background(&step) }
        case .unlock: unlock(&step)
        case .network(let reachable): connection.networkChanged(reachable: reachable, &step)
        case .handoff:
            // Requests that were sent over the old network path would otherwise time out only after the new connection
            // has requested the missing messages.
            if rules.policy.reachability.handoff == .reconnects { endLostRequests(&step) }
            connection.handoff(&step)
        case .suspend, .kill, .reboot, .disk, .shareMessage, .killExtension:
            // These commands are carried out by the program that hosts the client.
            break
        case .scroll(let target):
            deepLink.giveUpSearch()
            scroll(to: target, &step)
        case .loadEarlier: loadEarlier(&step)
        case .takeSuggestion(let number): screen.take(suggestion: number, in: conversations.open, &step)
        case .jump(let message):
            deepLink.giveUpSearch()
            if let open = conversations.open { seek(MessageTarget(conversation: open, message: message), &step) }
        // Account and notification commands.
        case .leave:
            if conversations.open != nil { session.viewDisappeared(&step) }
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
            pushToken.tokenArrived(token, isLeaving: account.isLeaving, &step)
        case .permission(let permission): notifications.permitted(permission, &step)
        case .answerPrompt:
            // The phone delivers the user's answer to the app as a `permission` command.
            break
        case .push(let push):
            let viewed = appState.isInForeground ? appState.viewing : nil
            let partner = screen.knownName(of: push.conversation)
            notifications.pushed(push, from: partner, viewed: viewed, &step)
            keepText(of: push, &step)
            if connection.phase == .suspended, !isHere(push.message) { unread.pushed(push, &step) }
        // Commands for the lists and messages that the user views.
        case .openList:
            list.open((conversations.names + unread.names).map { ($0, unread[$0]) }, &step)
            people.listOpened(&step)
            notifications.checkPermission(.appears, &step)
            step.changes.insert(.unread)
        case .see(let message): if let open = conversations.open { saw(upTo: message, in: open, &step) }
        case .longPress(let message):
            times.longPressed(message, &step)
            deletions.openMenu(message, &step)
        case .forgeReading(let conversation, let user):
            step.emit(.ask(.forgedMarkRead(conversation: conversation, user: user)))
        case .appear(let conversation):
            // A view may report its appearance late, after the user has closed its conversation. Such a report is
            // ignored.
            guard conversation == conversations.open else { return }
            unread.appeared(conversation, &step)
            appState.appeared(conversation, &step)
        case .disappear(let conversation):
            unread.disappeared(conversation, &step)
            session.viewDisappeared(&step)
            appState.vanished(conversation, &step)
        // Image and deletion commands.
        case .attach(let image):
            guard media.attach(image, &step) else { return }
            uploads.share(image.file, bytes: image.bytes, label: nil, &step)
        case .cancelImage: media.cancel(&step)
        case .sendImage(let label): sendImage(label: label, &step)
        case .delete(let first, let last): askToDelete(from: first, through: last ?? first, &step)
        case .confirmDelete: delete(&step)
        case .cancelDelete: deletions.cancel(&step)
        case .undo(let key): deletions.undo(key, &step)
        }
    }
}
