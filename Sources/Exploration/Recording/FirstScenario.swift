import ScenarioModel
import SquallCore

/// A first scenario for a new user, built from three choices: the fault, the event at which it begins, and what the
/// app's user must see.
package struct FirstScenario: Hashable, Sendable {
    /// The network or server fault.
    package enum Weather: String, Hashable, Sendable, CaseIterable {
        case drop, reset, stall, blackhole, offline, handoff, latency, portal, restart

        package var meaning: String {
            switch self {
            case .drop: "every connection ends, and can be opened again at once"
            case .reset: "every connection is reset"
            case .stall: "nothing passes for 20 seconds, then everything arrives"
            case .blackhole: "nothing passes for 20 seconds, and what was sent is lost"
            case .offline: "the phone has no network for 20 seconds"
            case .handoff: "the phone moves to another network; its connections are lost without notice"
            case .latency: "everything arrives two seconds later, for 20 seconds"
            case .portal: "a captive portal answers instead of the server for 20 seconds"
            case .restart: "the server restarts, and is away for 5 seconds"
            }
        }
    }

    /// The moment in the scenario at which the fault begins.
    package enum Trigger: String, Hashable, Sendable, CaseIterable {
        case idle, sending, arriving

        package var meaning: String {
            switch self {
            case .idle: "while the app is connected and nothing else happens; the user then sends a message"
            case .sending: "just after the user has sent a message"
            case .arriving: "while a message of another user is on its way"
            }
        }
    }

    /// An expectation about what the user sees.
    package enum Goal: String, Hashable, Sendable, CaseIterable {
        case message, connected, notice

        package var meaning: String {
            switch self {
            case .message: "the message once, and nothing lost"
            case .connected: "that the app is connected again"
            case .notice: "a banner that describes the problem"
            }
        }
    }

    package var weather: Weather
    package var trigger: Trigger

    package init(_ weather: Weather, _ trigger: Trigger) {
        (self.weather, self.trigger) = (weather, trigger)
    }
}

extension FirstScenario {
    private static let conversation = "stukov"
    private static let label = "hello"
    private static let length = ArgumentValue.duration(.seconds(20))

    /// Returns the name of the scenario with this expectation, such as `A message is shown once: drop just after a
    /// send`.
    package func name(_ goal: Goal) -> String {
        let seen =
            switch goal {
            case .message: "A message is shown once"
            case .connected: "The app connects again"
            case .notice: "The user is informed of the problem"
            }
        let when =
            switch trigger {
            case .idle: "while the app is idle"
            case .sending: "just after a send"
            case .arriving: "while a message arrives"
            }
        return "\(seen): \(weather.rawValue) \(when)"
    }

    /// Returns the draft of the scenario with this expectation.
    package func draft(_ goal: Goal) -> Draft {
        var draft = Draft(ending: .none)
        func add(_ move: Move?) { if let move { draft.body.append(move) } }
        add(Move(.user, "open", [("conversation", .text(Self.conversation))]))
        draft.body.append(Move(.wait("{ connection.state: connected }", within: nil)))
        let send = Move(.user, "send", [("text", .text("hello"))], label: Self.label)
        switch trigger {
        case .idle:
            for move in moves { add(move) }
            add(send)
        case .sending:
            add(send)
            for move in moves { add(move) }
        case .arriving:
            add(Move(.server, "post", [("to", .text(Self.conversation))], label: Self.label))
            for move in moves { add(move) }
        }
        if weather == .offline {
            draft.body.append(.rest(.seconds(20)))
            add(Move(.device, "network", [("state", .text("on"))]))
        }
        // Pause so that the client has time to detect the fault and reconnect. Checking its state any earlier would be
        // meaningless. After a send, the expectation about the message waits for it.
        if goal == .connected || goal == .message && trigger == .arriving { draft.body.append(.rest(.seconds(60))) }
        draft.expectations = expectations(goal)
        return draft
    }

    /// The actions that inject the fault.
    private var moves: [Move?] {
        switch weather {
        case .drop: [Move(.network, "drop", label: "weather")]
        case .reset: [Move(.network, "reset_peer", label: "weather")]
        case .stall: [Move(.network, "stall", [("for", Self.length)], label: "weather")]
        case .blackhole: [Move(.network, "blackhole", [("for", Self.length)], label: "weather")]
        case .latency:
            [Move(.network, "latency", [("delay", .duration(.seconds(2))), ("for", Self.length)], label: "weather")]
        case .portal: [Move(.network, "captive_portal", [("for", Self.length)], label: "weather")]
        case .offline: [Move(.device, "network", [("state", .text("off"))])]
        case .handoff: [Move(.device, "handoff")]
        case .restart: [Move(.server, "restart", [("down", .duration(.seconds(5)))])]
        }
    }

    /// The name of the event that marks the beginning of the fault.
    private var beginning: String {
        switch weather {
        case .offline: "device.network"
        case .handoff: "device.handoff"
        case .restart: "server.stopped"
        default: "\"fault.began[weather]\""
        }
    }

    private func expectations(_ goal: Goal) -> [String] {
        switch goal {
        case .message:
            let delivered = "delivered: { conversation: \(Self.conversation), lost: 0, duplicated: 0, reordered: 0 }"
            guard trigger != .arriving else { return [delivered] }
            let status = "\"message.status[\(Self.label)]\": delivered"
            return ["eventually: { \(status), within: 2m }\nafter: \"user.send[\(Self.label)]\"", delivered]
        case .connected: return ["eventually: { connection.state: connected }\nat: end"]
        case .notice: return ["eventually: { banner.text: { set: true }, within: 1m }\nafter: \(beginning)"]
        }
    }
}
