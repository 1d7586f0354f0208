import ChatWire
import SquallCore

extension RequestRule {
    /// Creates a rule from the arguments of `server: rule`; returns nil if the arguments contradict each other.
    init?(_ arguments: Arguments) {
        let subject: Subject
        switch (arguments.text("on"), arguments.json("match")) {
        case (Self.opening?, nil): subject = .opening
        case (let word?, nil):
            guard let role = FrameRole(rawValue: word), FrameRole.fromClient.contains(role) else { return nil }
            subject = .frame(role)
        case (nil, let pattern?): subject = .message(MessagePattern(pattern))
        default: return nil
        }
        let reply = arguments.json("reply")
        var replies = reply.map { [Reply($0)] } ?? []
        if let list = arguments.json("replies") {
            guard reply == nil, let items = list.arrayValue else { return nil }
            for item in items {
                guard let reply = Reply(item: item) else { return nil }
                replies.append(reply)
            }
        }
        self.init(
            .replies(replies),
            to: subject,
            client: arguments.text("client").map { ClientID($0) },
            count: arguments.integer("count"),
            label: arguments.label
        )
    }
}

extension RequestRule {
    /// Creates a rule for HTTP requests from the arguments of `server: respond`. Returns nil if `request` is not a
    /// method and a target, or if `headers` is not an object of strings.
    init?(responding arguments: Arguments) {
        guard let request = arguments.text("request"),
            let pattern = RequestPattern(request, body: arguments.json("match")),
            let response = RuleResponse(
                status: Int(clamping: arguments.integer("status") ?? 200),
                headers: arguments.json("headers"),
                body: arguments.json("body"),
                after: arguments.duration("after") ?? .zero
            )
        else { return nil }
        self.init(
            .response(response),
            to: .request(pattern),
            client: arguments.text("client").map { ClientID($0) },
            count: arguments.integer("count"),
            label: arguments.label
        )
    }
}

extension RequestRule.Reply {
    private static let longest: Int64 = 86_400_000

    /// Parses `{ frame: JSON, after_ms: 120 }` or `{ text: TEXT }`; returns nil for anything else.
    fileprivate init?(item: JSON) {
        guard let members = item.members, members.allSatisfy({ ["frame", "text", "after_ms"].contains($0.name) })
        else { return nil }
        switch (item["frame"], item["text"]) {
        case (let frame?, nil): content = frame
        case (nil, .string(let text)?): content = .string(text)
        default: return nil
        }
        switch item["after_ms"] {
        case nil: after = .zero
        case .integer(let count)? where 0...Self.longest ~= count: after = .milliseconds(count)
        default: return nil
        }
    }
}
