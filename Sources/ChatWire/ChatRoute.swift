/// One request to the chat server's HTTP side, read from a target or about to be made.
package enum ChatRoute: Hashable, Sendable {
    case health
    case agents
    case conversations
    /// With `before` the messages older than that message's, with `after` those of a higher sequence, else the newest.
    /// `limit` is at least 1.
    case messages(conversation: String, before: String?, after: Int64?, limit: Int)
    case send(conversation: String)
    /// For the user of the key; `user` names another, which no server agrees to.
    case markRead(conversation: String, user: String? = nil)
    case unread
    /// The whole file, or one part of it.
    case upload(name: String, part: UploadPart? = nil)
    case pushToken
    /// Deletes a message, by the server's id.
    case delete(message: String)
    case media(name: String)
    case thumbnail(name: String)
    case conversation(String)

    /// The page size of a request that names none.
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

    /// The word in the trace: `client.requested.mark_read`.
    package var name: String { kind.rawValue }
}

// MARK: - Making a request

extension ChatRoute {
    /// The request for this route; one that needs no key gets none.
    package func request(_ wire: WireProfile, key: String?, body: [UInt8] = []) -> ChatRequest {
        ChatRequest(
            method: kind.method,
            target: target(wire),
            body: body,
            authorization: kind.needsKey ? key.map(ChatRoute.authorization) : nil,
            contentType: kind == .upload ? "application/octet-stream" : "application/json"
        )
    }

    /// Path and query.
    ///
    /// An empty conversation or name makes a target that ``parse(method:target:_:)`` refuses.
    package func target(_ wire: WireProfile) -> String {
        let template = wire.template(kind)
        switch self {
        case .health, .agents, .conversations, .unread, .pushToken:
            return template.text
        case .send(let value), .delete(let value), .media(let value), .thumbnail(let value), .conversation(let value):
            return template.filled(with: value, placeholder: kind.placeholder)
        case .markRead(let value, let user):
            let target = template.filled(with: value, placeholder: kind.placeholder)
            guard let user else { return target }
            return target + "?\(PercentCoding.encode(wire[.userID]))=\(PercentCoding.encode(user))"
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

    /// The value of the header `authorization` (RFC 6750, section 2.1).
    package static func authorization(_ key: String) -> String {
        "Bearer \(key)"
    }

    /// The key in a header's value; nil for another scheme.
    package static func key(inAuthorization value: String) -> String? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}

// MARK: - Reading a request

extension ChatRoute {
    /// Nil for a method and path that no route has, and for a query that cannot be read: the server answers 404.
    ///
    /// Query fields that the route does not have are ignored; one given twice cannot be read. A HEAD is for what a GET is for
    /// (RFC 9110 section 9.3.2).
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

    /// `value` is what the path's open segment holds.
    private init?(_ kind: RouteKind, _ value: String, _ query: Substring.UTF8View?, _ wire: WireProfile) {
        switch kind {
        case .health: self = .health
        case .agents: self = .agents
        case .conversations: self = .conversations
        case .send: self = .send(conversation: value)
        case .markRead:
            guard let fields = QueryFields(query) else { return nil }
            self = .markRead(conversation: value, user: fields[wire[.userID]])
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

/// The fields of a query, decoded.
private struct QueryFields {
    private var fields: [(name: String, value: String)] = []

    /// Nil for what is no query, and for a name given twice.
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

    /// Decimal digits only, from 0 to the largest Int64.
    static func number(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }
}
