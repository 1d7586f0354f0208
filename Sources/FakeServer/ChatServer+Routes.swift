import ChatWire
import SquallCore
import WebSocketWire

/// The response to a request, before it is encoded as HTTP.
struct Answer: Hashable, Sendable {
    var status: Int
    var body: AnswerBody = .none
    var retryAfter: TimeSpan?
    var location: String?

    enum AnswerBody: Hashable, Sendable {
        case none
        case json([UInt8])
        case file([UInt8])
        case error(ServerFrame.ServerError)
    }

    init(_ status: ChatStatus, _ object: some WireObject, _ wire: WireProfile) {
        self.status = status.rawValue
        body = .json(object.encode(wire))
    }

    /// Creates a 200 response with this JSON.
    init(json: [UInt8]) {
        status = ChatStatus.ok.rawValue
        body = .json(json)
    }

    /// Creates a 200 response with the bytes of a file.
    init(file: [UInt8]) {
        status = ChatStatus.ok.rawValue
        body = .file(file)
    }

    init(_ status: ChatStatus, _ message: String, code: ErrorCode? = nil, retryAfter: TimeSpan? = nil) {
        self.init(status.rawValue, message: message, code: code)
        self.retryAfter = retryAfter
    }

    /// Creates a response with this status, and with an error body if the status is 400 or above.
    init(_ status: Int, message: String? = nil, code: ErrorCode? = nil) {
        self.status = status
        guard status >= 400 else { return }
        body = .error(
            ServerFrame.ServerError(
                code: code ?? ErrorCode(status: status),
                message: message ?? ChatStatus(rawValue: status)?.phrase ?? "Status \(status)"
            )
        )
    }

    init(_ failure: RouteFailure) {
        self.init(Int(clamping: failure.status))
        retryAfter = failure.retryAfter
        location = failure.location
    }

    func response(to route: ServerRoute?, _ wire: WireProfile) -> OutgoingResponse {
        let bytes: [UInt8] =
            switch body {
            case .none: []
            case .json(let bytes), .file(let bytes): bytes
            case .error(var error): error.encode(wire, retryAfter: retryAfter)
            }
        var headers = HTTPHeaders()
        if case .file = body {
            headers.append("Content-Type", "application/octet-stream")
        } else if !bytes.isEmpty {
            headers.append("Content-Type", "application/json")
        }
        headers.append("Content-Length", String(bytes.count))
        if let location { headers.append("Location", location) }
        if let retryAfter {
            let (whole, rest) = max(retryAfter, .zero).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            headers.append("Retry-After", String(rest > 0 ? whole + 1 : whole))
        }
        headers.append("Connection", "close")
        let phrase = ChatStatus(rawValue: status)?.phrase ?? ""
        let head = HTTPResponseHead(status: status, reason: phrase, headers: headers)
        return OutgoingResponse(route: route, status: status, head: head.encode(), body: bytes)
    }
}

extension ServerFrame.ServerError {
    fileprivate mutating func encode(_ wire: WireProfile, retryAfter: TimeSpan?) -> [UInt8] {
        self.retryAfter = retryAfter
        return wire.encodeOverHTTP(self)
    }
}

extension ErrorCode {
    /// Creates the error code that corresponds to an HTTP status.
    fileprivate init(status: Int) {
        switch ChatStatus(rawValue: status) {
        case .unauthorized: self = .notAuthenticated
        case .forbidden: self = .notMember
        case .tooLarge: self = .tooLarge
        case .tooManyRequests: self = .rateLimited
        case .locked: self = .sessionLocked
        case .ok, .created, .accepted, .badRequest, .notFound, .conflict, .internalError, .unavailable,
            .networkAuthenticationRequired, nil:
            self = status >= 500 ? .internalError : .malformed
        }
    }
}

/// Handles the HTTP routes.
extension ChatServer {
    mutating func answer(_ route: ChatRoute, _ body: [UInt8], for principal: Principal) -> Answer {
        let (client, user) = (principal.client, principal.user)
        switch route {
        case .health:
            return Answer(.ok, StatusBody.ok, wire)
        case .agents:
            return Answer(.ok, AgentList(agents(for: user)), wire)
        case .conversations:
            let summaries = store.conversations.map { summary($0, for: user) }
            let newestFirst = summaries.sorted { ($0.lastMessage?.sequence ?? 0) > ($1.lastMessage?.sequence ?? 0) }
            return Answer(.ok, ConversationList(newestFirst), wire)
        case .messages(let conversation, let before, let after, let limit):
            return page(of: conversation, before: before, after: after, limit: limit)
        case .send(let conversation):
            return send(body, to: conversation, from: principal)
        case .markRead(let conversation, let through, let other):
            guard other == nil || other == user || policy.readings == .ofAnybody else {
                return Answer(.forbidden, "A user cannot mark messages as read for another user.")
            }
            let before = through.flatMap { $0 < .max ? $0 + 1 : nil }
            if let last = store.page(of: conversation, before: before, after: nil, limit: 1).messages.last {
                read(conversation, through: last.id, by: principal, for: other)
            }
            return Answer(.ok, count(conversation, for: other ?? user), wire)
        case .unread:
            return Answer(.ok, UnreadCounts(store.conversations.map { count($0, for: user) }), wire)
        case .upload(let name, let part):
            return store(body, of: name, part, from: principal)
        case .pushToken:
            do throws(Malformed) {
                register(try PushRegistration.decode(body, wire).token, of: user, by: client)
                return Answer(.ok, StatusBody.ok, wire)
            } catch {
                return Answer(.badRequest, error.reason)
            }
        case .delete(let message): return delete(message, by: principal)
        case .media(let name): return file(name, atMost: nil)
        case .thumbnail(let name): return file(name, atMost: profile.media.thumbnail)
        case .conversation(let conversation):
            guard store.conversations.contains(conversation) else {
                return Answer(.notFound, "Conversation not found")
            }
            guard members.isMember(user, of: conversation) else {
                return Answer(.forbidden, Self.notMember, code: .notMember)
            }
            return Answer(.ok, summary(conversation, for: user), wire)
        }
    }

    private mutating func store(
        _ body: [UInt8],
        of name: String,
        _ part: UploadPart?,
        from principal: Principal
    ) -> Answer {
        let client = principal.client
        guard mayUpload(name, principal) else { return Answer(.forbidden, Self.notMember, code: .notMember) }
        let count = Int64(body.count)
        switch uploads.take(count, of: name, part ?? UploadPart(offset: 0, size: count)) {
        case .unfit: return Answer(.conflict, "Bytes before this part are missing, or the name is another file's.")
        case .tooLarge: return Answer(.tooLarge, "A file has at most \(UploadTable.largest >> 20) MiB.")
        case .repeated(let receipt): return Answer(.ok, receipt.naming(name, wire), wire)
        case .grew(let receipt, let offset, let bytes):
            note("server.upload_part", key: name, ["offset": .integer(offset), "bytes": .integer(bytes)], of: client)
            guard receipt.isComplete else { return Answer(.accepted, receipt, wire) }
            note(
                "server.uploaded",
                key: name,
                ["name": .string(name), "bytes": .integer(receipt.received)],
                of: client
            )
            return Answer(.created, receipt.naming(name, wire), wire)
        }
    }

    /// Returns the agents (users that `user` can write to), except those that a script action has introduced.
    ///
    /// The agents are the members of each group, one agent for every other conversation, and all other users whose
    /// presence is known.
    func unintroduced(for user: String) -> [Agent] {
        var agents: [Agent] = []
        for group in groups.conversations {
            for member in groups[group] ?? [] where member != user { agents.append(agent(member, in: group, .offline)) }
        }
        let partners = store.conversations.filter { groups[$0] == nil }
        agents += partners.map { agent($0, in: $0, .online) }
        let known = Set(agents.map(\.user))
        let others = presence.entries.keys.filter { $0 != user && !known.contains($0) }
        return agents + others.sorted().map { agent($0, in: $0, .offline) }
    }

    /// Creates an agent; `otherwise` is the status to use if the user's presence is unknown.
    private func agent(_ user: String, in conversation: String, _ otherwise: PresenceStatus) -> Agent {
        let entry = presence.entries[user]
        let introduction = partners[user]
        return Agent(
            user: user,
            conversation: conversation,
            name: introduction?.name ?? user,
            status: entry?.status ?? introduction?.status ?? otherwise,
            lastSeen: entry?.lastSeen ?? introduction.flatMap(lastSeen),
            text: entry?.text
        )
    }

    private func summary(_ conversation: String, for user: String) -> ConversationSummary {
        ConversationSummary(
            id: conversation,
            name: partners[conversation]?.name ?? conversation,
            unread: profile.list.counts ? count(conversation, for: user).unread : nil,
            lastMessage: store.last(of: conversation)
        )
    }

    private func count(_ conversation: String, for user: String) -> UnreadCount {
        UnreadCount(
            conversation: conversation,
            unread: unread.count(for: user, in: conversation, of: store),
            sequence: store.last(of: conversation)?.sequence
        )
    }

    private mutating func page(of conversation: String, before: String?, after: Int64?, limit: Int) -> Answer {
        var last: Int64?
        if let before {
            guard let message = store[before], message.conversation == conversation else {
                return Answer(.notFound, "No such message.")
            }
            last = message.sequence
        }
        let limit = min(limit, Int(clamping: profile.page.size))
        let page = store.page(of: conversation, before: last, after: after, limit: limit)
        let messages = arranged(page.messages)
        noteDeleted(among: messages, of: conversation)
        return Answer(.ok, MessagePage(messages: messages, hasMore: page.hasMore), wire)
    }

    private mutating func send(_ body: [UInt8], to conversation: String, from principal: Principal) -> Answer {
        let request: ClientFrame.SendRequest
        do throws(Malformed) {
            let said = try SendBody.decode(body, wire)
            request = .init(
                clientMessageID: said.clientMessageID,
                conversation: conversation,
                text: said.text,
                media: said.media
            )
        } catch {
            return Answer(.badRequest, error.reason)
        }
        return send(request, from: principal) { [wire] confirmation, status in Answer(status, confirmation, wire) }
    }

    /// Handles a message sent over HTTP. `confirm` creates the response if the message is accepted or was already
    /// stored.
    mutating func send(
        _ request: ClientFrame.SendRequest,
        from principal: Principal,
        confirm: (ServerFrame.Confirmation, ChatStatus) -> Answer
    ) -> Answer {
        let client = principal.client
        switch take(request, from: principal) {
        case .stored(let message):
            distribute(message, from: client)
            return confirm(message.confirmation(duplicate: false), .created)
        case .repeated(let message):
            return confirm(message.confirmation(duplicate: true), .ok)
        case .conflicting:
            return Answer(.conflict, "The client_message_id is another message's.")
        case .limited(let wait):
            note("server.rejected.send", key: request.clientMessageID, ["code": "rate_limited"], of: client)
            return Answer(.tooManyRequests, profile.rateLimit.message, retryAfter: wait)
        case .locked:
            note("server.rejected.send", key: request.clientMessageID, ["code": "session_locked"], of: client)
            return Answer(.locked, profile.work.locked)
        case .notMember:
            note("server.rejected.send", key: request.clientMessageID, ["code": "not_member"], of: client)
            return Answer(.forbidden, Self.notMember, code: .notMember)
        }
    }
}
