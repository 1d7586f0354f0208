import ChatWire
import Faults
import SquallCore
import WebSocketWire

// Dispatches HTTP responses, and requests that failed, to the client's components.

extension Client {
    /// Returns whether responses to this request are handled with a delay; false unless a planted defect is active.
    func isHandledLate(_ request: ClientRequest) -> Bool {
        switch request {
        case .image: rules.policy.media.arrival == .isShownLate
        case .conversation: rules.policy.deepLink.opening == .isDelayed
        default: false
        }
    }

    mutating func answered(_ request: ClientRequest, _ response: ChatResponse, _ step: inout Step) {
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
            let page = isGood ? page(in: response.body, &step) : nil
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
            if isGood, let page = page(in: response.body, &step) {
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
            if isGood, let page = page(in: response.body, &step) {
                _ = add(page.messages, via: .page, &step)
                session.paged(conversation, page, &step)
            } else {
                session.catchUpFailed(isAnswered: true, &step)
            }
        case .post(let wireID, _, _, _): postAnswered(wireID, response, verdict, &step)
        case .markRead(let conversation, let through):
            if exchanges.isRunning(.list) { list.overtaken() }
            unread.readingAnswered(conversation, isGood: isGood, status: response.status, &step)
            if isGood, let count = try? UnreadCount.decode(response.body, rules.wire) {
                unread.readingCounted(count, readThrough: through, focus, &step)
            }
        case .chunk(let chunk): uploads.answered(chunk, receipt(in: response, ofSize: chunk.size), response, &step)
        case .image(let url, _):
            if isGood {
                images.arrived(url, bytes: Int64(response.body.count), &step)
            } else {
                images.failed(url, &step)
            }
        case .delete(let key, _): deletionAnswered(key, isGood: isGood, response, &step)
        case .saveToken: pushToken.answered(status: status, &step)
        case .removeToken: step.emit(.tokenRemovalEnded(isGood))
        case .conversation(let conversation): lookedUp(conversation, status: status, &step)
        case .earlier(let conversation, _):
            let page = isGood ? page(in: response.body, &step) : nil
            let added = page.map { counted(add($0.messages, via: .earlier, &step), of: $0) } ?? 0
            endEarlier(conversation, page.map { ($0.hasMore, added) }, &step)
        case .summaries: summariesAnswered(isGood ? response.body : nil, wasAnswered: true, &step)
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

    /// Parses a page of messages; returns nil if it is malformed.
    private func page(in body: [UInt8], _ step: inout Step) -> MessagePage? {
        let page = try? MessagePage.decode(body, rules.wire)
        if page == nil, rules.policy.frames.malformedAnswer == .crashes { step.crash("a malformed page") }
        return page
    }

    /// Returns how many messages of a page its record counts as new; with a planted defect, it counts all of them.
    func counted(_ new: Int, of page: MessagePage) -> Int {
        rules.policy.conversations.counted == .all ? page.messages.count : new
    }

    /// Returns the server's receipt for an upload; nil if the response is not a receipt, or comes from a captive portal
    /// instead of the server.
    ///
    /// `size` is the number of bytes that were sent; only a planted defect uses it.
    func receipt(in response: ChatResponse, ofSize size: Int64?) -> UploadReceipt? {
        let verdict = connection.portal.judge(response)
        if isRedirect(response, verdict), rules.policy.portal.post == .isDone, let size {
            return UploadReceipt(received: size, isComplete: true)
        }
        guard verdict == .server, (200..<300).contains(response.status) else { return nil }
        return try? UploadReceipt.decode(response.body, rules.wire)
    }

    /// Fails the requests that were sent over a lost network path.
    mutating func endLostRequests(_ step: inout Step) {
        for request in exchanges.pathLost(&step) { unanswered(request, &step) }
    }

    /// Handles a request that failed or timed out.
    mutating func unanswered(_ request: ClientRequest, _ step: inout Step) {
        switch request {
        case .probe: connection.answered(nil, isProbe: true, &step)
        case .history(let conversation):
            conversations.historyEnded(conversation, isGood: false, added: 0, &step)
            goOnSeeking(&step)
            screenLoaded(&step)
        case .joining(let conversation, _): conversations.joinFailed(conversation, &step)
        case .listing, .page: session.catchUpFailed(isAnswered: false, &step)
        case .post(let wireID, _, _, _): outbox.postFailed(wireID, &step)
        case .markRead(let conversation, _): unread.readingEnded(conversation, isGood: false, &step)
        case .chunk(let chunk): uploads.unanswered(chunk, &step)
        case .image(let url, _): images.failed(url, &step)
        case .delete(let key, _): _ = deletions.unanswered(key, status: nil, &step)
        case .saveToken: pushToken.answered(status: nil, &step)
        case .removeToken: step.emit(.tokenRemovalEnded(false))
        case .conversation(let conversation): lookedUp(conversation, status: nil, &step)
        case .earlier(let conversation, _): endEarlier(conversation, nil, &step)
        case .people: partnersAnswered(nil, &step)
        case .summaries: summariesAnswered(nil, wasAnswered: false, &step)
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
