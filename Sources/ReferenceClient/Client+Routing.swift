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
            uploads.transferred(key, receipt(in: response), response, &step)
        case .persisted(let number): persisted(number, &step)
        case .persistFailed(let number): persistFailed(number, &step)
        case .sharedChanged: lookForSharedMessages(&step)
        case .shared(let messages): found(messages, &step)
        case .timer: timer(&step)
        }
    }

    /// Returns whether responses to this request are handled with a delay; false unless a planted defect is active.
    private func isHandledLate(_ request: ClientRequest) -> Bool {
        switch request {
        case .image: rules.policy.media.arrival == .isShownLate
        case .conversation: rules.policy.deepLink.opening == .isDelayed
        default: false
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
        case .linkLost(let announced):
            session.linkLost(&step)
            unread.pendingReads.linkLost(provenUntil: connection.heartbeat.provenUntil)
            outbox.linkLost(announced: announced, &step)
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
        case .refreshEnded(let isGood): notices.refreshEnded(isGood: isGood, &step)
        case .imageUploaded(let key, let receipt): imageUploaded(key, receipt, &step)
        case .imageFailed(let key, let isFinal): imageFailed(key, isFinal: isFinal, &step)
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
        case .deleted(let deletion): conversations.markDeleted(id: deletion.messageID, &step)
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
            if let id = message.clientMessageID { _ = outbox.confirmed(id, &step) }
            guard conversations.add(message, via: arrival, &step) else { continue }
            added += 1
            session.added(message)
            if scroll.isInUse || newMarker.isReturning || !appState.isInForeground {
                messageAdded(message.id, via: arrival, &step)
            }
        }
        if arrival == .live || arrival == .replay { session.acknowledge(messages, &step) }
        return added
    }

    /// Adds the page before the message `end`, or the newest page if `end` is nil; returns how many of its messages are
    /// new to the client.
    private mutating func take(
        _ page: MessagePage,
        of conversation: String,
        before end: String?,
        _ step: inout Step
    ) -> Int {
        let unknown = page.messages.map(\.id).filter { conversations.key(of: $0) == nil }
        let added = add(page.messages, via: .history, &step)
        if !unknown.isEmpty { pageArrived(conversation, unknown, &step) }
        conversations.pageJoins(conversation, page, unknown: unknown, before: end, &step)
        return added
    }

    private mutating func confirmed(_ confirmation: ServerFrame.Confirmation, _ step: inout Step) {
        session.observed(confirmation.sequence, &step)
        times.observe(confirmation.timestamp, &step)
        guard let entry = outbox.confirmed(confirmation.clientMessageID, &step) else { return }
        metrics.delivered(after: entry.age(at: step.now, rules), &step)
        if !entry.isFresh { metrics.retries.ended(isGood: true) }
        conversations.confirm(
            entry.key,
            id: confirmation.messageID,
            sequence: confirmation.sequence,
            timestamp: confirmation.timestamp,
            &step
        )
    }

    // MARK: - HTTP

    private mutating func answered(_ request: ClientRequest, _ response: ChatResponse, _ step: inout Step) {
        let verdict =
            request == .probe
            ? connection.portal.judge(probe: response, rules.wire) : connection.portal.judge(response)
        connection.answered(verdict, isProbe: request == .probe, &step)
        if verdict == .server, response.status == ChatStatus.unauthorized.rawValue { connection.unauthorized(&step) }
        let isSuccess = verdict == .server && (200..<300).contains(response.status)
        // A proxy may answer with 204 in place of the server, so a 2xx response counts as a success only if it has the
        // body that the route requires.
        let isGood = isSuccess && request.isAnswered(by: response.body, rules.wire)
        let status = verdict == .server && isGood == isSuccess ? response.status : nil
        switch request {
        case .probe: break
        case .history(let conversation):
            let page = isGood ? try? MessagePage.decode(response.body, rules.wire) : nil
            if let page { conversations.pageArrived(conversation, page.messages) }
            let added = page.map { take($0, of: conversation, before: nil, &step) } ?? 0
            conversations.historyEnded(conversation, isGood: page != nil, added: added, &step)
            if let page {
                let isPreceded = conversations[conversation].rows.first.map { row in
                    !page.messages.contains { $0.id == row.id }
                }
                history.newestPage(of: conversation, hasMore: page.hasMore, isPreceded: isPreceded ?? false, &step)
            }
            goOnSeeking(&step)
            screenLoaded(&step)
        case .joining(let conversation, let end):
            if isGood, let page = try? MessagePage.decode(response.body, rules.wire) {
                _ = take(page, of: conversation, before: end, &step)
            } else {
                conversations.joinFailed(conversation, &step)
            }
        case .listing:
            if isGood, let list = conversationList(in: response.body) {
                readElsewhere(accordingTo: list, &step)
                session.listed(list, &step)
            } else {
                session.catchUpFailed(isAnswered: true, &step)
            }
        case .page(let conversation, _):
            if isGood, let page = try? MessagePage.decode(response.body, rules.wire) {
                _ = add(page.messages, via: .page, &step)
                session.paged(conversation, page, &step)
            } else {
                session.catchUpFailed(isAnswered: true, &step)
            }
        case .post(let wireID, _, _, _): postAnswered(wireID, response, verdict, &step)
        case .markRead(let conversation):
            if exchanges.isRunning(.list) { list.overtaken() }
            unread.readingAnswered(conversation, isGood: isGood, status: response.status, &step)
            if isGood, let count = try? UnreadCount.decode(response.body, rules.wire) {
                unread.readingCounted(count, focus, &step)
            }
        case .chunk(let chunk): uploads.answered(chunk, receipt(in: response, to: chunk), response, &step)
        case .image(let url, _):
            if isGood {
                images.arrived(url, bytes: Int64(response.body.count), &step)
            } else {
                images.failed(url, &step)
            }
        case .delete(let key, _): deletionAnswered(key, isGood: isGood, response, &step)
        case .saveToken: pushToken.answered(status: status, &step)
        case .removeToken: step.emit(.tokenRemovalEnded(isGood))
        case .conversation(let conversation):
            deepLink.answered(conversation, status: status, &step)
        case .earlier(let conversation, _):
            let page = isGood ? try? MessagePage.decode(response.body, rules.wire) : nil
            let added = page.map { add($0.messages, via: .earlier, &step) } ?? 0
            endEarlier(conversation, page.map { ($0.hasMore, added) }, &step)
        case .summaries: summariesAnswered(isGood ? response.body : nil, &step)
        case .counts: countsAnswered(isGood ? response.body : nil, status: status, &step)
        case .people: partnersAnswered(isGood ? response.body : nil, &step)
        case .forgedMarkRead:
            // The client ignores the response: the forged request exists only so that a scenario can test the server.
            break
        }
    }

    /// Returns whether the response is a redirect or comes from a captive portal.
    private func isRedirect(_ response: ChatResponse, _ verdict: Portal.Verdict) -> Bool {
        verdict == .portal || (300..<400).contains(response.status)
    }

    private mutating func postAnswered(
        _ wireID: String,
        _ response: ChatResponse,
        _ verdict: Portal.Verdict,
        _ step: inout Step
    ) {
        if isRedirect(response, verdict) {
            if rules.policy.portal.post == .isDone {
                _ = outbox.confirmed(wireID, &step)
            } else {
                outbox.postFailed(wireID, &step)
            }
        } else if let confirmation = try? ServerFrame.Confirmation.decode(response.body, rules.wire) {
            confirmed(confirmation, &step)
        } else {
            outbox.postRefused(wireID, status: response.status, retryAfter: response.retryAfter, &step)
        }
    }

    /// Returns the server's receipt for an upload; nil if the response is not a receipt, or comes from a captive portal
    /// instead of the server.
    private func receipt(in response: ChatResponse, to chunk: Chunk? = nil) -> UploadReceipt? {
        let verdict = connection.portal.judge(response)
        if isRedirect(response, verdict), rules.policy.portal.post == .isDone, let chunk {
            return UploadReceipt(received: chunk.size, isComplete: true)
        }
        guard verdict == .server, (200..<300).contains(response.status) else { return nil }
        return try? UploadReceipt.decode(response.body, rules.wire)
    }

    /// Fails the requests that were sent over a lost network path.
    mutating func endLostRequests(_ step: inout Step) {
        for request in exchanges.pathLost(&step) { unanswered(request, &step) }
    }

    /// Handles a request that failed or timed out.
    private mutating func unanswered(_ request: ClientRequest, _ step: inout Step) {
        switch request {
        case .probe: connection.answered(nil, isProbe: true, &step)
        case .history(let conversation):
            conversations.historyEnded(conversation, isGood: false, added: 0, &step)
            goOnSeeking(&step)
            screenLoaded(&step)
        case .joining(let conversation, _): conversations.joinFailed(conversation, &step)
        case .listing, .page: session.catchUpFailed(isAnswered: false, &step)
        case .post(let wireID, _, _, _): outbox.postFailed(wireID, &step)
        case .markRead(let conversation): unread.readingEnded(conversation, isGood: false, &step)
        case .chunk(let chunk): uploads.unanswered(chunk, &step)
        case .image(let url, _): images.failed(url, &step)
        case .delete(let key, _): _ = deletions.unanswered(key, status: nil, &step)
        case .saveToken: pushToken.answered(status: nil, &step)
        case .removeToken: step.emit(.tokenRemovalEnded(false))
        case .conversation(let conversation): deepLink.answered(conversation, status: nil, &step)
        case .earlier(let conversation, _): endEarlier(conversation, nil, &step)
        case .people: partnersAnswered(nil, &step)
        case .summaries: summariesAnswered(nil, &step)
        case .counts: countsAnswered(nil, status: nil, &step)
        case .forgedMarkRead: break
        }
    }
}

extension ChatResponse {
    /// The delay in the `Retry-After` header (RFC 9110 section 10.2.3); nil if the header is absent or contains a date,
    /// which the chat server never sends.
    var retryAfter: TimeSpan? { header("retry-after").flatMap(TimeSpan.init(retryAfter:)) }
}

extension HTTPResponseHead {
    var retryAfter: TimeSpan? { headers["retry-after"].flatMap(TimeSpan.init(retryAfter:)) }
}

extension TimeSpan {
    /// Parses a `Retry-After` value in whole seconds, capped at one day; fails for any other value.
    fileprivate init?(retryAfter value: String) {
        guard let seconds = Int64(value), seconds >= 0 else { return nil }
        self = .seconds(min(seconds, 86_400))
    }
}
