import ChatWire
package import SquallCore

/// The target of a scripted server action, as shown in the trace.
///
/// An action that never hits its target has no effect, and the run's report lists it as an action without effect.
package struct ActionAim: Hashable, Sendable {
    /// The action's verb in the script, such as `swallow`.
    package let verb: String
    /// The name of the target, such as `confirm` or `messages`: a frame, a route, a label of held responses, a client
    /// or a message.
    package let target: String
    /// The explanation given in the report if the action never hits its target.
    package let absence: String

    /// The fields of the `server.action.hit` event.
    package var fields: JSON { ["action": .string(verb), "of": .string(target)] }

    fileprivate init(_ verb: String, answer target: String) {
        self.init(verb: verb, target: target, absence: "the server sent no such answer")
    }

    fileprivate init(_ verb: String, request target: String) {
        self.init(verb: verb, target: target, absence: "no such request arrived")
    }

    fileprivate init(_ verb: String, connectionsOf client: ClientID?) {
        self.init(verb: verb, target: client.map { "\($0)" } ?? "all", absence: "there was no connection")
    }

    private init(verb: String, target: String, absence: String) {
        self.verb = verb
        self.target = target
        self.absence = absence
    }

    /// Returns the target of a push about a stored message. `back` is the message's position counted back from the
    /// conversation's newest message, which has position 0.
    static func push(_ conversation: String, back: Int64) -> ActionAim {
        ActionAim(
            verb: "push",
            target: "\(conversation) back \(back)",
            absence: "the conversation has fewer messages, so nothing was pushed"
        )
    }

    static func release(_ label: String) -> ActionAim {
        ActionAim(
            verb: "release",
            target: label,
            absence: "nothing was held under this label, or fewer answers than 'order' lists"
        )
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
        case .rejection: ActionAim("reject", request: target)
        case .replies: ActionAim("rule", request: target)
        case .response: ActionAim("respond", request: target)
        }
    }

    private var target: String {
        switch subject {
        case .frame(let role): role.rawValue
        case .opening: label ?? RequestRule.opening
        case .message(let pattern): label ?? String(pattern.text.prefix(80))
        case .request(let pattern): label ?? String(pattern.text.prefix(80))
        }
    }
}

extension RouteFailure {
    var aim: ActionAim { ActionAim("fail", request: route.word) }
}

extension ServerAction {
    /// The action's target; nil for an action that needs no target to have an effect.
    package var aim: ActionAim? {
        switch self {
        case .addReplyRule(let rule): rule.aim
        // A rule for HTTP requests has no target, because a client need not make the requests that the rule answers.
        case .answer(let rule): if case .request = rule.subject { nil } else { rule.aim }
        case .fail(let failure): failure.aim
        case .release(let label, _): .release(label)
        case .close(_, _, let client): ActionAim("close", connectionsOf: client)
        case .disconnect(_, let client): ActionAim("disconnect", connectionsOf: client)
        case .push(let order): order.back.map { .push(order.conversation, back: $0) }
        default: nil
        }
    }
}
