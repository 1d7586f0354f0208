import ChatWire
import FakeServer
import Faults
package import SquallCore
import TemporalLogic

// Steps that cannot have their intended effect. The scenario reader reports them as errors.

extension Scenario {
    /// The steps that begin a TLS handshake fault in a scenario that does not use TLS.
    package var handshakesWithoutTLS: [SourceLocation] {
        guard !profile.server.tls else { return [] }
        return startedFaults.filter { $0.fault.isAboutHandshakes }.map(\.location)
    }

    /// Faults that would have no effect because they select messages by a type that no frame of the protocol has.
    ///
    /// The array is empty if frames can have any type, because the app defines its own frames or the scenario contains
    /// frames for the server to send.
    package var faultsOfUnknownTypes: [(type: String, location: SourceLocation)] {
        guard profile.wire.frames == nil, !script.contains(where: \.sendsCustomFrames) else { return [] }
        return startedFaults.compactMap { fault, _, location in
            guard let type = fault.messageType, !messageTypes.contains(type) else { return nil }
            return (type, location)
        }
    }

    /// The `type` values that the protocol's frames have on the wire.
    package var messageTypes: [String] { FrameRole.allCases.map { profile.wire[type: $0] } }

    /// The steps in which a user sends a message on a device that shows no conversation. The message would not be sent.
    package var sendsWithoutOpenConversation: [SourceLocation] {
        // A step with `at:` can run at any time, so treat the conversation that it opens as open from the start.
        var showing = Set(script.filter { $0.anchor != nil }.flatMap(phonesOpened))
        var found: [SourceLocation] = []
        for step in script {
            showing.formUnion(phonesOpened(by: step))
            guard step.anchor == nil, case .act(let stimulus) = step.kind,
                case .client(.send(nil, _, _)) = stimulus.operation, !showing.isSuperset(of: phones(of: stimulus))
            else { continue }
            found.append(step.location)
        }
        return found
    }

    /// Each `wait` for a client to be connected that directly follows a kill or reboot. The client's earlier state
    /// already satisfies such a wait.
    package var waitsDirectlyAfterKill: [SourceLocation] {
        var found: [SourceLocation] = []
        var wasKilled = false
        for step in script where step.anchor == nil {
            switch step.kind {
            case .act(let stimulus):
                guard case .client(let command) = stimulus.operation else { continue }
                switch command {
                case .kill, .reboot: wasKilled = true
                default: wasKilled = false
                }
            case .wait(let condition, next: false, _) where wasKilled && condition.isConnected:
                found.append(step.location)
                wasKilled = false
            case .wait, .pause: wasKilled = false
            }
        }
        return found
    }

    private func phonesOpened(by step: Step) -> [ClientID] {
        guard case .act(let stimulus) = step.kind, case .client(.open) = stimulus.operation else { return [] }
        return phones(of: stimulus)
    }

    private func phones(of stimulus: Stimulus) -> [ClientID] {
        stimulus.clients.isEmpty ? clients : stimulus.clients
    }

    /// A step or expectation that requires a frame not defined by the profile's protocol.
    package struct UnsupportedFrame: Hashable, Sendable {
        package var location: SourceLocation
        package var message: String
    }

    /// The steps and expectations that require frames not defined by the profile's protocol, in file order.
    package var unsupportedFrames: [UnsupportedFrame] {
        guard profile.wire.frames != nil else { return [] }
        var found: [UnsupportedFrame] = []
        func need(_ needs: [(FrameRole, FrameOrigin)], at location: SourceLocation) {
            for (role, origin) in needs where !profile.wire.has(role, by: origin) {
                let message = "the protocol of '\(profile.name)' has no '\(role.rawValue)' from the \(origin.rawValue)"
                let unsupportedFrames = UnsupportedFrame(location: location, message: message)
                if !found.contains(unsupportedFrames) { found.append(unsupportedFrames) }
            }
        }
        for step in script {
            if case .event(let condition)? = step.anchor { need(Self.frames(condition), at: step.location) }
            switch step.kind {
            case .act(let stimulus):
                switch stimulus.operation {
                case .server(let action): need(Self.frames(action), at: step.location)
                case .client(.execute): need([(.executeCommand, .client)], at: step.location)
                case .client(.stop): need([(.stop, .client)], at: step.location)
                case .client, .begin, .heal, .healAll, .replayLogin: break
                }
            case .wait(let condition, _, _): need(Self.frames(condition), at: step.location)
            case .pause: break
            }
        }
        for expectation in expectations { need(Self.frames(expectation.names), at: expectation.location) }
        return found
    }

    private static func frames(_ condition: Condition) -> [(FrameRole, FrameOrigin)] {
        frames(Expectation(.never(condition), location: SourceLocation(file: "", line: 1, column: 1)).names)
    }

    /// Returns the frames that the events with these names report.
    private static func frames(_ names: [String]) -> [(FrameRole, FrameOrigin)] {
        names.compactMap { name in
            let parts = name.split(separator: ".")
            guard parts.count == 3, let role = FrameRole(rawValue: String(parts[2])) else { return nil }
            switch (parts[0], parts[1]) {
            case ("client", "sent"), ("server", "received"), ("server", "rejected"): return (role, .client)
            case ("client", "received"), ("server", "sent"), ("server", "swallowed"): return (role, .server)
            default: return nil
            }
        }
    }

    private static func frames(_ action: ServerAction) -> [(FrameRole, FrameOrigin)] {
        switch action {
        case .stream: [(.token, .server)]
        case .type: [(.typing, .server)]
        case .presence: [(.presence, .server)]
        case .error: [(.error, .server)]
        case .drain, .restart(_, _, notice: .some): [(.draining, .server)]
        case .heartbeat(on: true, _): [(.ping, .server)]
        case .pong: [(.pong, .server)]
        case .addReplyRule(let rule):
            if case .frame(let role) = rule.target { [(role, .server)] } else { [] }
        case .answer(let rule):
            switch (rule.subject, rule.answer) {
            case (.frame(let role), .rejection): [(role, .client), (.error, .server)]
            case (.frame(let role), .replies): [(role, .client)]
            case (.opening, _), (.message, _), (.request, _), (.frame, .response): []
            }
        case .post, .history, .identify, .say, .stop, .start, .restart, .crash, .vanish, .close, .disconnect, .release,
            .fail, .clear, .auth, .limit, .heartbeat, .clock, .down, .up, .failPrompt, .introduce,
            .account, .push, .removeConversation, .group, .restrict:
            []
        }
    }
}

extension Condition {
    /// Whether the condition requires only that a client is connected.
    fileprivate var isConnected: Bool {
        event == nil && state.levels.count == 1 && state.levels[0].observable.name == "connection.state"
            && state.levels[0].predicate == .equals("connected")
    }
}

extension Step {
    /// Whether the step makes the server send frames whose content is written in the scenario.
    fileprivate var sendsCustomFrames: Bool {
        guard case .act(let stimulus) = kind, stimulus.actor == .server else { return false }
        return ["say", "rule", "respond"].contains(stimulus.verb)
    }
}
