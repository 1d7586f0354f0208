/// A request to one of the chat server's HTTP routes. A client creates the value to send a request; the server parses
/// it from a received request.
package enum ChatRoute: Hashable, Sendable {
    case health
    case agents
    case conversations
    /// A page of messages: with `before`, the messages older than the message with that ID; with `after`, the messages
    /// with a higher sequence number; with neither, the newest messages. `limit` is at least 1.
    case messages(conversation: String, before: String?, after: Int64?, limit: Int)
    case send(conversation: String)
    /// Marks a conversation as read for the user of the API key: up to the message with the sequence number `through`,
    /// or, without it, up to the newest message that the server has. The server rejects any other `user`.
    case markRead(conversation: String, through: Int64? = nil, user: String? = nil)
    case unread
    /// Uploads a whole file, or one part of it.
    case upload(name: String, part: UploadPart? = nil)
    case pushToken
    /// Deletes the message with this server-assigned ID.
    case delete(message: String)
    case media(name: String)
    case thumbnail(name: String)
    case conversation(String)

    /// The page size if the request specifies no limit.
    package static let defaultLimit = 50

    package var kind: RouteKind {
        switch self {
        case .health: .health
        case .agents: .agents
        case .conversations: .conversations
        case .messages: .messages
        case .send: .send
        case .markRead: .markRead
        case .unread: .unread
        case .upload: .upload
        case .pushToken: .pushToken
        case .delete: .delete
        case .media: .media
        case .thumbnail: .thumbnail
        case .conversation: .conversation
        }
    }

    /// The route's name in the trace, such as `mark_read` in `client.requested.mark_read`.
    package var name: String { kind.rawValue }
}

// MARK: - Creating a request

extension ChatRoute {
    /// Returns the HTTP request for this route. The request contains no key if the route needs none.
    package func request(_ wire: WireProfile, key: String?, body: [UInt8] = []) -> ChatRequest {
        ChatRequest(
            method: kind.method,
            target: target(wire),
            body: body,
            authorization: kind.needsKey ? key.map(ChatRoute.authorization) : nil,
            contentType: kind == .upload ? "application/octet-stream" : "application/json"
        )
    }

    /// Returns the request target, that is, the path and the query.
    ///
    /// ``parse(method:target:_:)`` rejects the target if the conversation or the name is empty.
    package func target(_ wire: WireProfile) -> String {
        let template = wire.template(kind)
        switch self {
        case .health, .agents, .conversations, .unread, .pushToken:
            return template.text
        case .send(let value), .delete(let value), .media(let value), .thumbnail(let value), .conversation(let value):
            return template.filled(with: value, placeholder: kind.placeholder)
        case .markRead(let value, let through, let user):
            let fields = [
                through.map { "\(PercentCoding.encode(wire[.lastSequenceSeen]))=\($0)" },
                user.map { "\(PercentCoding.encode(wire[.userID]))=\(PercentCoding.encode($0))" },
            ].compactMap(\.self)
            return template.filled(with: value, placeholder: kind.placeholder)
                + (fields.isEmpty ? "" : "?\(fields.joined(separator: "&"))")
        case .upload(let name, let part):
            let target = template.filled(with: name, placeholder: kind.placeholder)
            guard let part else { return target }
            return target + "?\(PercentCoding.encode(wire[.offset]))=\(part.offset)"
                + "&\(PercentCoding.encode(wire[.size]))=\(part.size)"
        case .messages(let conversation, let before, let after, let limit):
            var target = template.filled(with: conversation, placeholder: kind.placeholder)
            target += "?\(PercentCoding.encode(wire[.limit]))=\(limit)"
            if let before { target += "&\(PercentCoding.encode(wire[.before]))=\(PercentCoding.encode(before))" }
            if let after { target += "&\(PercentCoding.encode(wire[.after]))=\(after)" }
            return target
        }
    }

    /// Returns the value of the `Authorization` header (RFC 6750, section 2.1).
    package static func authorization(_ key: String) -> String {
        "Bearer \(key)"
    }

    /// Extracts the key from the value of an `Authorization` header; returns nil for a scheme other than Bearer.
    package static func key(inAuthorization value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

// MARK: - Parsing a request

extension ChatRoute {
    /// Returns the route of a request; nil if no route has this method and path, or if the query is invalid. The server
    /// then responds with 404.
    ///
    /// Unknown query fields are ignored; a repeated field is invalid. A HEAD request is treated like a GET (RFC 9110,
    /// section 9.3.2).
    package static func parse(method: String, target: String, _ wire: WireProfile) -> ChatRoute? {
        guard let (path, query) = PathTemplate.split(target) else { return nil }
        let method = method == "HEAD" ? "GET" : method
        for kind in RouteKind.allCases where kind.method == method {
            if let value = wire.template(kind).match(path) {
                return ChatRoute(kind, value, query, wire)
            }
        }
        return nil
    }

    /// Creates the route from its kind and its query; `value` is the decoded value of the path's placeholder. Fails if
    /// the query is invalid.
    private init?(_ kind: RouteKind, _ value: String, _ query: Substring.UTF8View?, _ wire: WireProfile) {
        switch kind {
        case .health: self = .health
        case .agents: self = .agents
        case .conversations: self = .conversations
        case .send: self = .send(conversation: value)
        case .markRead:
            guard let fields = QueryFields(query) else { return nil }
            let through = fields[wire[.lastSequenceSeen]]
            let number = through.flatMap { QueryFields.number($0) }
            guard (through == nil) == (number == nil) else { return nil }
            self = .markRead(conversation: value, through: number, user: fields[wire[.userID]])
        case .unread: self = .unread
        case .upload:
            guard let fields = QueryFields(query) else { return nil }
            switch (fields[wire[.offset]], fields[wire[.size]]) {
            case (nil, nil): self = .upload(name: value)
            case (let offset?, let size?):
                guard let offset = QueryFields.number(offset), let size = QueryFields.number(size), offset <= size
                else {
                    return nil
                }
                self = .upload(name: value, part: UploadPart(offset: offset, size: size))
            case (nil, _?), (_?, nil): return nil
            }
        case .pushToken: self = .pushToken
        case .delete: self = .delete(message: value)
        case .media: self = .media(name: value)
        case .thumbnail: self = .thumbnail(name: value)
        case .conversation: self = .conversation(value)
        case .messages:
            guard let fields = QueryFields(query) else { return nil }
            let limit = fields[wire[.limit]].map { QueryFields.number($0) } ?? Int64(ChatRoute.defaultLimit)
            let after = fields[wire[.after]].map { QueryFields.number($0) }
            guard let limit, limit >= 1, after != .some(nil) else { return nil }
            self = .messages(
                conversation: value,
                before: fields[wire[.before]],
                after: after ?? nil,
                limit: Int(clamping: limit)
            )
        }
    }
}

/// The decoded fields of a query.
private struct QueryFields {
    private var fields: [(name: String, value: String)] = []

    /// Decodes a query; fails if the query is invalid or repeats a name.
    init?(_ query: Substring.UTF8View?) {
        guard let query else { return }
        for field in query.split(separator: UInt8(ascii: "&")) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2,
                let name = PercentCoding.decode(parts[0], in: .query),
                let value = PercentCoding.decode(parts[1], in: .query),
                self[name] == nil
            else { return nil }
            fields.append((name, value))
        }
    }

    subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// Parses a string of decimal digits as a number from 0 to the largest `Int64`; returns nil for any other string.
    static func number(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }
}
