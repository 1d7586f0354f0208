import ChatWire
import Faults
package import SquallCore

extension ServerAction {
    /// Creates the action for a verb and its arguments.
    ///
    /// Returns nil if the server has no such verb, or if the verb's ``ActionEntry`` does not allow the arguments.
    package init?(verb: String, _ arguments: Arguments) {
        let made =
            Self.message(verb, arguments) ?? Self.life(verb, arguments) ?? Self.connection(verb, arguments)
            ?? Self.answer(verb, arguments) ?? Self.setting(verb, arguments) ?? Self.person(verb, arguments)
        guard let made else { return nil }
        self = made
    }

    private static func message(_ verb: String, _ arguments: Arguments) -> ServerAction? {
        switch verb {
        case "post":
            guard let to = arguments.text("to"), let count = arguments.count(default: 1) else { return nil }
            var post = Post(
                to: to,
                count: count,
                text: arguments.text("text"),
                sender: arguments.text("sender"),
                label: arguments.label
            )
            post.media = arguments.media
            post.every = arguments.span("every") ?? .zero
            return .post(post)
        case "history":
            guard let conversation = arguments.text("conversation"), let count = arguments.count(default: nil) else {
                return nil
            }
            let history = ServerHistory(conversation: conversation, count: count)
            return .history(
                ServerHistory(
                    conversation: conversation,
                    count: count,
                    age: arguments.span("age") ?? history.age
                )
            )
        case "stream":
            guard let conversation = arguments.text("conversation"), let text = arguments.text("text") else {
                return nil
            }
            return .stream(
                Stream(
                    conversation: conversation,
                    text: text,
                    pieces: arguments.count("pieces", default: 4) ?? 4,
                    every: arguments.span("every") ?? .milliseconds(100),
                    label: arguments.label
                )
            )
        case "type":
            guard let conversation = arguments.text("conversation") else { return nil }
            return .type(
                conversation: conversation,
                user: arguments.text("user") ?? conversation,
                active: arguments.flag("active") ?? true
            )
        case "introduce":
            guard let id = arguments.text("id") else { return nil }
            return .introduce(
                Introduction(
                    id: id,
                    name: arguments.text("name"),
                    status: arguments.text("status").flatMap(PresenceStatus.init(rawValue:)),
                    about: arguments.text("about"),
                    lastSeen: arguments.span("last_seen")
                )
            )
        case "presence":
            guard let user = arguments.text("user"),
                let status = arguments.text("status").flatMap(PresenceStatus.init(rawValue:))
            else { return nil }
            return .presence(user: user, status, text: arguments.text("text"))
        case "group":
            guard let conversation = arguments.text("conversation"), let members = arguments.text("members") else {
                return nil
            }
            return .group(conversation: conversation, members: members.split(separator: " ").map(String.init))
        case "identify":
            guard let client = arguments.client, let user = arguments.text("user") else { return nil }
            return .identify(client, user: user)
        case "error":
            guard let code = arguments.text("code") else { return nil }
            let error = ServerFrame.ServerError(
                code: ErrorCode(code),
                message: arguments.text("message") ?? code,
                retryAfter: arguments.span("retry_after")
            )
            return .error(error, client: arguments.client)
        case "say":
            if var json = arguments.json("json") {
                if let label = arguments.label { json.set("message_id", to: .string(label)) }
                return .say(.json(json), client: arguments.client)
            }
            return arguments.text("text").map { .say(.text($0), client: arguments.client) }
        case "binary":
            return arguments.text("bytes").flatMap(bytes(fromHex:)).map { .say(.binary($0), client: arguments.client) }
        default:
            return nil
        }
    }

    private static func life(_ verb: String, _ arguments: Arguments) -> ServerAction? {
        switch verb {
        case "stop": return .stop
        case "start": return .start
        case "restart":
            let state = arguments.text("state") ?? "keep"
            guard let down = arguments.span("down"), state == "keep" || state == "lose" else { return nil }
            return .restart(down: down, keeping: state == "keep", notice: arguments.span("notice"))
        case "crash": return .crash(down: arguments.span("down"))
        case "vanish": return .vanish(client: arguments.client)
        case "down": return arguments.text("host").map { .down(host: $0) }
        case "up": return arguments.text("host").map { .up(host: $0) }
        case "fail_prompt": return arguments.text("conversation").map { .failPrompt(conversation: $0) }
        case "drain":
            return .drain(
                retryAfter: arguments.span("retry_after"),
                notice: arguments.span("notice"),
                down: arguments.span("down")
            )
        default: return nil
        }
    }

    private static func connection(_ verb: String, _ arguments: Arguments) -> ServerAction? {
        switch verb {
        case "close":
            guard let code = arguments.integer("code"), (1000...4999).contains(code) else { return nil }
            return .close(
                code: UInt16(clamping: code),
                reason: arguments.text("reason") ?? "",
                client: arguments.client
            )
        case "disconnect":
            return arguments.text("how").flatMap(LinkEnd.init(rawValue:)).map {
                .disconnect($0, client: arguments.client)
            }
        default: return nil
        }
    }

    private static func answer(_ verb: String, _ arguments: Arguments) -> ServerAction? {
        switch verb {
        case "swallow", "duplicate":
            guard let frame = arguments.role("frame", of: FrameRole.fromServer), let count = arguments.count(default: 1)
            else { return nil }
            let effect = verb == "swallow" ? ReplyRule.Effect.swallow : .duplicate
            return .addReplyRule(ReplyRule(effect, .frame(frame), client: arguments.client, count: count))
        case "delay":
            guard let frame = arguments.role("frame", of: FrameRole.fromServer), let span = arguments.span("by") else {
                return nil
            }
            return .addReplyRule(
                ReplyRule(.delay(span), .frame(frame), client: arguments.client, count: arguments.integer("count"))
            )
        case "slow":
            guard let route = arguments.route, let span = arguments.span("by") else { return nil }
            return .addReplyRule(ReplyRule(.delay(span), .route(route), count: arguments.integer("count")))
        case "hold":
            return hold(arguments)
        case "release":
            guard let label = arguments.text("label"), let order = ReleaseOrder(arguments["order"]) else { return nil }
            return .release(label: label, order)
        case "reject":
            guard let frame = arguments.role("frame", of: FrameRole.fromClient), let code = arguments.text("code"),
                let count = arguments.count(default: 1)
            else { return nil }
            let rejection = RequestRule.Answer.rejection(
                ErrorCode(code),
                message: arguments.text("message") ?? code
            )
            return .answer(RequestRule(rejection, to: frame, client: arguments.client, count: count))
        case "rule": return RequestRule(arguments).map { .answer($0) }
        case "respond": return RequestRule(responding: arguments).map { .answer($0) }
        case "fail":
            guard let route = arguments.route, let status = arguments.integer("status"), (300...599).contains(status)
            else { return nil }
            let nth = arguments.integer("nth")
            return .fail(
                RouteFailure(
                    route: route,
                    status: status,
                    retryAfter: arguments.span("retry_after"),
                    location: arguments.text("location"),
                    passes: max(nth ?? 1, 1) - 1,
                    count: nth == nil ? arguments.integer("count") : 1
                )
            )
        case "clear": return .clear
        default: return nil
        }
    }

    private static func hold(_ arguments: Arguments) -> ServerAction? {
        if let frame = arguments.role("frame", of: FrameRole.fromServer) {
            let effect = ReplyRule.Effect.hold(arguments.label ?? frame.rawValue)
            return .addReplyRule(ReplyRule(effect, .frame(frame), client: arguments.client))
        }
        guard let route = arguments.route else { return nil }
        return .addReplyRule(ReplyRule(.hold(arguments.label ?? route.word), .route(route), client: arguments.client))
    }

    private static func setting(_ verb: String, _ arguments: Arguments) -> ServerAction? {
        switch verb {
        case "auth":
            if let key = arguments.text("key") { return .auth(.key(key)) }
            return arguments.flag("accept").map { .auth(.accept($0)) }
        case "limit":
            guard let count = arguments.integer("count"), (0...most).contains(count), let span = arguments.span("per")
            else { return nil }
            return .limit(count: count, per: span)
        case "heartbeat": return arguments.flag("on").map { .heartbeat(on: $0, every: arguments.span("every")) }
        case "pong": return arguments.flag("on").map { .pong(on: $0) }
        case "clock": return arguments.duration("skew").map { .clock(skew: $0) }
        case "restrict":
            guard let conversation = arguments.text("conversation"), let users = arguments.text("to") else {
                return nil
            }
            return .restrict(conversation: conversation, users: users.split(separator: " ").map(String.init))
        default: return nil
        }
    }

    /// Decodes pairs of hexadecimal digits, optionally separated by spaces; returns nil for any other text.
    static func bytes(fromHex text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Arguments {
    fileprivate var client: ClientID? { text("client").map { ClientID($0) } }

    fileprivate var route: ServerRoute? { text("route").flatMap(ServerRoute.init(word:)) }

    fileprivate var media: ServerAction.PostedMedia? {
        text("media").map {
            ServerAction.PostedMedia(
                type: $0,
                bytes: integer("bytes") ?? 100_000,
                width: integer("width") ?? 1200,
                height: integer("height") ?? 900
            )
        }
    }

    /// Returns a duration argument; a negative duration becomes zero.
    fileprivate func span(_ name: String) -> TimeSpan? {
        duration(name).map { max($0, .zero) }
    }

    fileprivate func role(_ name: String, of roles: [FrameRole]) -> FrameRole? {
        text(name).flatMap(FrameRole.init(rawValue:)).flatMap { roles.contains($0) ? $0 : nil }
    }

    fileprivate func count(_ name: String = "count", default otherwise: Int64?) -> Int64? {
        guard let count = integer(name) else { return otherwise }
        return (1...ServerAction.most).contains(count) ? count : nil
    }
}

extension ReleaseOrder {
    /// Parses the argument `order`; returns nil if it is invalid. A missing argument means ``kept``.
    fileprivate init?(_ argument: ArgumentValue?) {
        switch argument {
        case nil, .text("kept"), .json(.string("kept")): self = .kept
        case .text("reversed"), .json(.string("reversed")): self = .reversed
        case .json(.array(let elements)):
            let positions = elements.compactMap(\.intValue)
            guard positions.count == elements.count else { return nil }
            self = .positions(positions)
        case .list(let items):
            let positions = items.compactMap { if case .integer(let position) = $0 { position } else { nil } }
            guard positions.count == items.count else { return nil }
            self = .positions(positions)
        case .text, .integer, .duration, .flag, .json: return nil
        }
    }
}
