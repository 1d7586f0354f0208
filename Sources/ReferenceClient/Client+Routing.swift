import ChatWire
import Faults
import SquallCore
import WebSocketWire

// Dispatches inputs and signals to the client's components, which make all decisions.

extension Client {
    mutating func route(_ input: ClientInput, _ step: inout Step) {
        switch input {
        case .command(let command): route(command, &step)
        case .opened(let id): connection.opened(id, &step)
        case .connectFailed(let id, let failure): connection.connectFailed(id, failure, &step)
        case .received(let id, let bytes): connection.received(id, bytes, &step)
        case .ended(let id, let failure): connection.ended(id, failure, &step)
        case .response(let id, let response):
            guard let request = exchanges.answered(id, response.status, &step) else { return }
            if isHandledLate(request) {
                lateResponses.add((request, response), at: step.now)
            } else {
                answered(request, response, &step)
            }
        case .requestFailed(let id, let failure):
            guard let request = exchanges.failed(id, failure, &step) else { return }
            unanswered(request, &step)
        case .transferred(let key, let response):
            uploads.transferred(key, receipt(in: response, ofSize: uploads.size(of: key)), response, &step)
        case .persisted(let number): persisted(number, &step)
        case .persistFailed(let number): persistFailed(number, &step)
        case .sharedChanged: lookForSharedMessages(&step)
        case .shared(let messages): found(messages, &step)
        case .timer: timer(&step)
        }
    }

    private mutating func timer(_ step: inout Step) {
        for (request, response) in lateResponses.takeDue(at: step.now) { answered(request, response, &step) }
        for request in exchanges.overdue(&step) { unanswered(request, &step) }
        connection.timer(&step)
        session.timer(&step)
        outbox.timer(&step)
        conversations.timer(isConnected: channel != .none, &step)
        uploads.timer(&step)
        notices.timer(&step)
        deletions.timer(&step)
        appState.timer(&step)
        pushToken.timer(&step)
        highlight.timer(&step)
        list.timer(&step)
        unread.timer(&step)
        people.timer(&step)
        times.timer(&step)
        if lateUnread.isDue(at: step.now) { step.changes.insert(.unread) }
        if lateStatuses.isDue(at: step.now) { step.changes.insert(.outbox) }
    }

    mutating func send(_ text: String, to conversation: String, label: String?, _ step: inout Step) {
        guard let entry = outbox.accept(text, to: conversation, label: label, over: channel, &step) else { return }
        show(entry, &step)
    }

    /// Adds one of the user's messages to its conversation, and adds the conversation to the list.
    mutating func show(_ entry: OutboxEntry, _ step: inout Step) {
        conversations.add(entry)
        step.changes.insert(.conversations)
        listChanged(entry.conversation, &step)
    }

    mutating func route(_ signal: ClientSignal, _ step: inout Step) {
        switch signal {
        case .connected(let connected):
            if let time = connected.time { times.announced(time, &step) }
            session.connected(connected, &step)
            outbox.retryFailed(&step)
            resumeImages(&step)
            images.connected()
            conversations.me = connected.user ?? account.user ?? id.name
            beginScreen(&step)
            // This signal is handled after `historyBegins`, so pages that `historyBegins` has already requested are not
            // requested twice.
            step.emit(.loadMissing)
            unread.pendingReads.connected()
            people.connected(&step)
            list.connected(isCatchingUp: session.isSyncing, &step)
            metrics.connected(&step)
            tasks.connected(&step)
            deepLink.connected(&step)
        case .linkLost(let failure):
            session.linkLost(&step)
            unread.pendingReads.linkLost(provenUntil: connection.heartbeat.provenUntil)
            outbox.linkLost(failure, &step)
            uploads.linkLost(&step)
            conversations.linkLost(&step)
            peers.linkLost(&step)
            people.linkLost(&step)
            tasks.linkLost(&step)
            list.linkLost()
            metrics.linkLost(at: step.now)
        case .linkProven(let time): unread.pendingReads.proven(until: time, &step)
        case .serverTime(let time): times.announced(time, &step)
        case .attemptFailed:
            // A client that polls over HTTP still tries to connect. If such an attempt fails, a banner that the user
            // has dismissed must not return.
            if !connection.isPolling { notices.attemptFailed(&step) }
            if rules.policy.metrics.attempts == .areAllCounted { metrics.attemptFailed(&step) }
        case .received(let frame): route(frame, &step)
        case .say(let frame): connection.say(frame, &step)
        case .ask(let request):
            exchanges.begin(request, key: connection.credentials.keyToUse, of: connection.requestHost, &step)
        case .handOver(let upload, let chunks):
            exchanges.handOver(upload, chunks, key: connection.credentials.keyToUse, of: connection.requestHost, &step)
        case .cancelRequests(let topic): exchanges.cancelRequests(topic, &step)
        case .messages(let messages, let arrival): _ = add(messages, via: arrival, &step)
        case .replayEnded(let complete, let newest): session.replayEnded(complete: complete, through: newest, &step)
        case .loadMissing: if screen.letsMessagesLoad { conversations.connected(&step) }
        case .historyBegins(let newest):
            conversations.historyBegins(after: newest, &step)
            list.historyBegins(after: newest, &step)
        case .sequenceNumbersReset: unread.sequenceNumbersReset(&step)
        case .caughtUpWithServer: caughtUp(&step)
        case .caughtUp(let missed): notices.synced(missed, &step)
        case .pollOnce: session.pollOnce(&step)
        case .pollNow: session.pollNow(&step)
        case .trouble(let text, let action): notices.trouble(text, action, &step)
        case .troubleEnded(let text): notices.troubleEnded(text, &step)
        case .refreshEnded(let isGood):
            // A poll delivers only new messages, so a page that could not be loaded is requested again. The error stays
            // until it has arrived.
            guard isGood, conversations.lacksPage, screen.letsMessagesLoad else {
                notices.refreshEnded(isGood: isGood, &step)
                break
            }
            conversations.loadMissingHistory(&step)
        case .imageUploaded(let key, let receipt): imageUploaded(key, receipt, &step)
        case .imageFailed(let key, let isFinal): imageFailed(key, isFinal: isFinal, &step)
        case .sendFailed(let conversation):
            // In the open conversation, the message itself shows that it has failed. If an error frame has rejected the
            // message, the banner has the server's reason already.
            guard conversation != conversations.open, notices.error == nil else { break }
            notices.trouble(failureText(of: conversation), .retry, &step)
        case .failureEnded(let conversation): notices.troubleEnded(failureText(of: conversation), &step)
        case .retryFailed:
            metrics.retries.ended(isGood: false)
            step.changes.insert(.metrics)
        case .deleted(let message, let behind): unread.deleted(message, leaving: behind, &step)
        case .badgeCompared(let isRight):
            metrics.badges.ended(isGood: isRight)
            step.changes.insert(.metrics)
        case .deletedHere(let key): conversations.markDeleted(key, &step)
        case .signedIn(let user, let key): signedIn(user, key: key, &step)
        case .signInNext(let user, let key): account.signIn(user, key: key, &step)
        case .signOut(let part): signOut(part, &step)
        case .tokenRemovalEnded(let isGone): account.tokenRemovalEnded(isGone, &step)
        case .follow(let target): follow(target, &step)
        case .bringToForeground: if !appState.isInForeground { route(.foreground, &step) }
        case .lookAt(let conversation):
            openConversation(conversation, &step)
            appState.opened(conversation, &step)
        case .seek(let target): seek(target, &step)
        case .searched(let target, let end):
            searched(target, end, &step)
            found(target, end, &step)
        case .arrived(let message, let arrival):
            let isAtEnd = scroll.isAtEnd(message.conversation)
            unread.arrived(message, via: arrival, isAtEnd: isAtEnd, focus, &step)
            listChanged(message.conversation, &step)
        case .arrivedAgain(let message): unread.arrivedAgain(message, focus, &step)
        case .unreadChanged(let conversation): listChanged(conversation, &step)
        case .presenceArrived(let latency): metrics.presenceArrived(after: latency, &step)
        }
    }

    private func failureText(of conversation: String) -> String {
        rules.profile.text.banner.sendFailed.filling("name", with: screen.name(of: conversation))
    }

    private mutating func route(_ frame: ServerFrame, _ step: inout Step) {
        switch frame {
        case .confirm(let confirmation): confirmed(confirmation, &step)
        case .message(let message):
            times.observe(message.timestamp, &step)
            _ = add([message], via: .live, &step)
            session.observed(message.sequence, &step)
        case .replay(let replay): session.replayed(replay, &step)
        case .readReceipt(let conversation, let message, let reader):
            guard reader != conversations.me else {
                return readElsewhere(conversation, through: message, &step)
            }
            conversations.readByOther(conversation, through: message, &step)
        case .typing(let conversation, let user, let isActive):
            typed(user, in: conversation, isActive: isActive, &step)
        case .token(let token): conversations.add(token, &step)
        case .presence(let user, let status, let lastSeen, let since, let text):
            let person = People.Person(user: user, status: status, lastSeen: lastSeen, text: text)
            became(person, since: since, &step)
        case .error(let error):
            outbox.refused(error, &step)
            if rules.policy.outbox.serverErrors == .endTheConnection { connection.reconnect(&step) }
        case .commandStarted(let id, _): tasks.commandStarted(id, &step)
        case .deleted(let deletion):
            conversations.markDeleted(id: deletion.messageID, &step)
            guard rules.policy.metrics.deletions == .areCountedWhenAnnounced else { break }
            metrics.deletions.ended(isGood: true)
            step.changes.insert(.metrics)
        case .hello, .connected, .authError, .ping, .pong, .draining, .stopped:
            // The connection has already handled these frames, or they need no handling.
            break
        }
    }

    /// Adds messages that the server has stored; returns how many of them are new to the client.
    mutating func add(_ messages: [ChatMessage], via arrival: Arrival, _ step: inout Step) -> Int {
        var added = 0
        for message in messages {
            if rules.policy.frames.records == .mustBeNew, message.isDeleted == nil {
                step.log("client.malformed_frame", ["reason": "is_deleted is missing"])
                continue
            }
            // The server's copy of a message proves that the server has it, even when the confirmation was lost.
            if let id = message.clientMessageID, let entry = outbox.confirmed(id, &step),
                rules.policy.metrics.deliveries == .areAllMeasured
            {
                measureDelivery(of: entry, &step)
            }
            guard conversations.add(message, via: arrival, &step) else { continue }
            added += 1
            session.added(message)
            if scroll.isInUse || newMarker.isReturning || !appState.isInForeground {
                messageAdded(message.id, via: arrival, &step)
            }
        }
        if arrival == .live || arrival == .replay { session.acknowledge(messages, &step) }
        if arrival == .live, conversations.lacksPage,
            messages.contains(where: { $0.conversation == conversations.open })
        {
            conversations.loadMissingHistory(&step)
        }
        return added
    }

    /// Adds the page before the message `end`, or the newest page if `end` is nil; returns how many of its messages are
    /// new to the client.
    mutating func take(
        _ page: MessagePage,
        of conversation: String,
        before end: String?,
        _ step: inout Step
    ) -> Int {
        let unknown = page.messages.map(\.id).filter { conversations.key(of: $0) == nil }
        let added = add(page.messages, via: .history, &step)
        if !unknown.isEmpty { pageArrived(conversation, unknown, &step) }
        conversations.pageJoins(conversation, page, unknown: unknown, before: end, &step)
        return counted(added, of: page)
    }

    private mutating func measureDelivery(of entry: OutboxEntry, _ step: inout Step) {
        metrics.delivered(after: entry.age(at: step.now, rules), &step)
        if !entry.isFresh { metrics.retries.ended(isGood: true) }
    }

    mutating func confirmed(_ confirmation: ServerFrame.Confirmation, _ step: inout Step) {
        session.observed(confirmation.sequence, &step)
        times.observe(confirmation.timestamp, &step)
        guard let entry = outbox.confirmed(confirmation.clientMessageID, &step) else { return }
        measureDelivery(of: entry, &step)
        conversations.confirm(
            entry.key,
            id: confirmation.messageID,
            sequence: confirmation.sequence,
            timestamp: confirmation.timestamp,
            &step
        )
    }
}
