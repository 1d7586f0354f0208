import ChatWire
package import SquallCore

/// What an action of the script is aimed at, as the trace names it: one that never meets it changes nothing.
package struct ActionAim: Hashable, Sendable {
    /// The word of the script: `swallow`.
    package let verb: String
    /// The frame, the route, the label of what is held, the client, or the message: `confirm`, `messages`.
    package let target: String
    /// What there was none of, where it has met nothing.
    package let absence: String

    /// The fields of `server.action.hit`.
    package var fields: JSON { ["action": .string(verb), "of": .string(target)] }

    fileprivate init(_ verb: String, answer target: String) {
        self.init(verb: verb, target: target, absence: "the server had no such answer to give")
    }

    fileprivate init(_ verb: String, request target: String) {
        self.init(verb: verb, target: target, absence: "nothing of the kind came")
    }

    fileprivate init(_ verb: String, connectionsOf client: ClientID?) {
        self.init(verb: verb, target: client.map { "\($0)" } ?? "all", absence: "no connection was there")
    }

    private init(verb: String, target: String, absence: String) {
        self.verb = verb
        self.target = target
        self.absence = absence
    }

    /// A message that is so many before the newest.
    static func push(_ conversation: String, back: Int64) -> ActionAim {
        ActionAim(
            verb: "push",
            target: "\(conversation) back \(back)",
            absence: "the conversation has no message so far back, and nothing was pushed"
        )
    }

    static func release(_ label: String) -> ActionAim {
        ActionAim(verb: "release", target: label, absence: "nothing was held under it, or fewer than its order names")
    }
}

extension ReplyRule {
    var aim: ActionAim {
        switch (target, effect) {
        case (.route(let route), .delay): ActionAim("slow", answer: route.word)
        case (.route(let route), _): ActionAim(verb, answer: route.word)
        case (.frame(let role), _): ActionAim(verb, answer: role.rawValue)
        }
    }

    private var verb: String {
        switch effect {
        case .swallow: "swallow"
        case .delay: "delay"
        case .duplicate: "duplicate"
        case .hold: "hold"
        }
    }
}

extension RequestRule {
    var aim: ActionAim {
        switch answer {
        case .rejection: ActionAim("reject", request: role.rawValue)
        case .raw: ActionAim("rule", request: role.rawValue)
        }
    }
}

extension RouteFailure {
    var aim: ActionAim { ActionAim("fail", request: route.word) }
}

extension ServerAction {
    /// Nil for what stands by itself.
    package var aim: ActionAim? {
        switch self {
        case .bend(let rule): rule.aim
        case .answer(let rule): rule.aim
        case .fail(let failure): failure.aim
        case .release(let label, _): .release(label)
        case .close(_, _, let client): ActionAim("close", connectionsOf: client)
        case .disconnect(_, let client): ActionAim("disconnect", connectionsOf: client)
        case .push(let order): order.back.map { .push(order.conversation, back: $0) }
        default: nil
        }
    }
}
