import ChatWire
import SquallCore

// Declarations of the actions on responses to frames and requests.

extension ServerAction {
    static let answers: [ServerActionDeclaration] = [
        .init(
            "swallow",
            main: "frame",
            "Processes requests as usual but does not send the next frames of a type.",
            frame("the type of the frames that are not sent"),
            count(default: 1, "the number of frames"),
            client
        ) { .addReplyRule(ReplyRule(.swallow, .frame($0), client: $2, count: $1)) },
        .init(
            "delay",
            main: "frame",
            "Sends frames of a type late, so that other frames overtake them.",
            frame("the type of the frames that are sent late"),
            duration("by", "the delay"),
            count("the number of frames; default: all").optional,
            client
        ) { .addReplyRule(ReplyRule(.delay($1), .frame($0), client: $3, count: $2)) },
        .init(
            "duplicate",
            main: "frame",
            "Sends the next frames of a type twice.",
            frame("the type of the frames that are sent twice"),
            count(default: 1, "the number of frames"),
            client
        ) { .addReplyRule(ReplyRule(.duplicate, .frame($0), client: $2, count: $1)) },
        .init(
            "hold",
            main: "frame",
            "Holds frames of a type, or responses of a route, until they are released by label. The default label is "
                + "the name of the frame type or route.",
            frame("the type of the frames that are held").optional,
            route("the requests whose responses are held, instead of a frame").optional,
            client,
            label
        ) { frame, route, client, label in
            let target: ReplyRule.Target? = frame.map { .frame($0) } ?? route.map { .route($0) }
            guard let target, let name = label ?? frame?.rawValue ?? route?.word else { return nil }
            return .addReplyRule(ReplyRule(.hold(name), target, client: client))
        },
        .init(
            "release",
            main: "label",
            "Sends the frames or responses that are held under the label and ends the hold.",
            text("label", "the label of the hold"),
            ActionParameter(
                "order",
                .json,
                default: ReleaseOrder.kept,
                range: "kept, reversed or a list of positions",
                "the order in which they are sent: kept, reversed, or the positions (from 0) to send first; default "
                    + "kept",
                ReleaseOrder.init
            )
        ) { .release(label: $0, $1) },
        .init(
            "reject",
            main: "frame",
            "Answers frames of a type with an error and does not process them.",
            word("frame", of: FrameRole.fromClient, "the type of the frames that are rejected"),
            text("code", "the error code"),
            text("message", "the error's text; default: the code").optional,
            count(default: 1, "the number of frames"),
            client
        ) { frame, code, message, count, client in
            let rejection = RequestRule.Answer.rejection(ErrorCode(code), message: message ?? code)
            return .answer(RequestRule(rejection, to: frame, client: client, count: count))
        },
        .init(
            "rule",
            "Answers frames of a type with the given frames and does not process them.",
            ActionParameter(
                "on",
                .word(FrameRole.fromClient.map(\.rawValue) + [RequestRule.opening]),
                "the type of the frames that are answered, or the opening of a WebSocket",
                RequestRule.Subject.init
            ).optional,
            json(
                "match",
                "the pattern of the messages that are answered, instead of a frame type: JSON, or text with "
                    + "placeholders"
            ).optional,
            json(
                "reply",
                "the frame to reply with; {name} is replaced by the member of the client's frame, or the placeholder "
                    + "of 'match', with that name"
            ).optional,
            ActionParameter(
                "replies",
                .json,
                range: "a list of { frame: …, after_ms: 120 } or { text: … }",
                "several frames to reply with, each { frame: …, after_ms: 120 } or { text: … }",
                RequestRule.Reply.list
            ).optional,
            count("the number of frames; default: all").optional,
            client,
            label
        ) { kind, pattern, reply, replies, count, client, label in
            guard (kind == nil) != (pattern == nil), reply == nil || replies == nil,
                let subject = kind ?? pattern.map({ .message(MessagePattern($0)) })
            else { return nil }
            let answer = RequestRule.Answer.replies(replies ?? reply.map { [RequestRule.Reply($0)] } ?? [])
            return .answer(RequestRule(answer, to: subject, client: client, count: count, label: label))
        },
        .init(
            "respond",
            "Answers HTTP requests with the given response and does not process them.",
            ActionParameter(
                "request",
                .text,
                range: "a method and a target that begins with '/'",
                "the method and target of the requests that are answered, such as GET /prices?symbol={symbol}"
            ) { $0.text.flatMap { RequestPattern($0) } },
            json("match", "the pattern of the requests' body: JSON, or text with placeholders").optional,
            integer("status", in: 200...599, default: 200, "the HTTP status"),
            ActionParameter(
                "headers",
                .json,
                default: [],
                range: "an object of header fields, whose values are strings",
                "the header fields of the response, as an object of strings"
            ) { $0.json.flatMap(RuleResponse.headers) },
            json(
                "body",
                "the body of the response; {name} is replaced by the placeholder of 'request' or 'match', or the "
                    + "member of the request's JSON body, with that name"
            ).optional,
            duration("after", default: .zero, "the delay of the response"),
            count("the number of requests; default: all").optional,
            client,
            label
        ) { request, match, status, headers, body, after, count, client, label in
            var pattern = request
            pattern.body = match.map { MessagePattern($0) }
            let response = RuleResponse(status: Int(clamping: status), headers: headers, body: body, after: after)
            return .answer(
                RequestRule(.response(response), to: .request(pattern), client: client, count: count, label: label)
            )
        },
        .init(
            "fail",
            main: "route",
            "Answers requests with an HTTP status and does not process them.",
            route("the requests that fail"),
            integer("status", in: 300...599, "the HTTP status"),
            count(named: "nth", "the number of the only request that fails, counted from now").optional,
            count("the number of requests that fail; default: all").optional,
            duration("retry_after", "the Retry-After header, in whole seconds").optional,
            text("location", "the Location header, for a redirect").optional
        ) { route, status, nth, count, delay, location in
            .fail(
                RouteFailure(
                    route: route,
                    status: status,
                    retryAfter: delay,
                    location: location,
                    passes: (nth ?? 1) - 1,
                    count: nth == nil ? count : 1
                )
            )
        },
        .init(
            "slow",
            main: "route",
            "Delays the responses to requests.",
            route("the requests whose responses are delayed"),
            duration("by", "the delay"),
            count("the number of requests; default: all").optional
        ) { .addReplyRule(ReplyRule(.delay($1), .route($0), count: $2)) },
        .init("clear", "Removes every rule for frames and requests. Held frames and responses stay held.") { .clear },
    ]
}

extension ReleaseOrder {
    /// Parses the `order` argument; returns nil if it is invalid.
    fileprivate init?(_ argument: ArgumentValue) {
        switch argument {
        case .text("kept"), .json("kept"): self = .kept
        case .text("reversed"), .json("reversed"): self = .reversed
        case .json(.array(let elements)):
            let positions = elements.compactMap(\.intValue)
            guard positions.count == elements.count else { return nil }
            self = .positions(positions)
        case .list(let items):
            let positions = items.compactMap(\.integer)
            guard positions.count == items.count else { return nil }
            self = .positions(positions)
        case .text, .integer, .duration, .flag, .json: return nil
        }
    }
}

extension RequestRule.Subject {
    /// Parses the `on` argument: the name of a client frame, or the keyword for the opening handshake.
    fileprivate init?(_ argument: ArgumentValue) {
        switch argument.text {
        case RequestRule.opening?: self = .opening
        case let word?:
            guard let role = FrameRole(rawValue: word), FrameRole.fromClient.contains(role) else { return nil }
            self = .frame(role)
        case nil: return nil
        }
    }
}

extension RequestRule.Reply {
    private static let longest: Int64 = 86_400_000

    /// Parses the `replies` argument; returns nil if one of the items is invalid.
    fileprivate static func list(_ argument: ArgumentValue) -> [RequestRule.Reply]? {
        guard let items = argument.json?.arrayValue else { return nil }
        let replies = items.compactMap { RequestRule.Reply(item: $0) }
        return replies.count == items.count ? replies : nil
    }

    /// Parses `{ frame: JSON, after_ms: 120 }` or `{ text: TEXT }`; returns nil for anything else.
    private init?(item: JSON) {
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
