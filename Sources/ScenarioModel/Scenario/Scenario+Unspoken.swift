import ChatWire
import FakeServer
package import SquallCore
import TemporalLogic

extension Scenario {
    /// Something in a scenario that needs a frame which its profile's protocol does not have.
    package struct UnsupportedFrame: Hashable, Sendable {
        package var location: SourceLocation
        package var message: String
    }

    /// What of this scenario can be neither played nor judged under its profile, in the order of the file.
    package var unspoken: [UnsupportedFrame] {
        guard profile.wire.frames != nil else { return [] }
        var found: [UnsupportedFrame] = []
        func need(_ needs: [(FrameRole, Speaker)], at location: SourceLocation) {
            for (role, speaker) in needs where !profile.wire.has(role, by: speaker) {
                let message = "the protocol of '\(profile.name)' has no '\(role.rawValue)' from the \(speaker.rawValue)"
                let unspoken = UnsupportedFrame(location: location, message: message)
                if !found.contains(unspoken) { found.append(unspoken) }
            }
        }
        for step in script {
            if case .event(let condition)? = step.anchor { need(Self.frames(condition), at: step.location) }
            switch step.kind {
            case .act(let stimulus):
                switch stimulus.deed {
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

    private static func frames(_ condition: Condition) -> [(FrameRole, Speaker)] {
        frames(Expectation(.never(condition), location: SourceLocation(file: "", line: 1, column: 1)).names)
    }

    /// The frames that names of events tell of.
    private static func frames(_ names: [String]) -> [(FrameRole, Speaker)] {
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

    private static func frames(_ action: ServerAction) -> [(FrameRole, Speaker)] {
        switch action {
        case .stream: [(.token, .server)]
        case .type: [(.typing, .server)]
        case .presence: [(.presence, .server)]
        case .error: [(.error, .server)]
        case .drain, .restart(_, _, notice: .some): [(.draining, .server)]
        case .heartbeat(on: true, _): [(.ping, .server)]
        case .pong: [(.pong, .server)]
        case .bend(let rule):
            if case .frame(let role) = rule.target { [(role, .server)] } else { [] }
        case .answer(let rule):
            switch rule.answer {
            case .rejection: [(rule.role, .client), (.error, .server)]
            case .raw: [(rule.role, .client)]
            }
        case .post, .history, .identify, .say, .stop, .start, .restart, .crash, .vanish, .close, .disconnect, .release,
            .fail, .clear, .auth, .limit, .heartbeat, .clock, .down, .up, .failPrompt, .introduce,
            .account, .push, .removeConversation, .group, .restrict:
            []
        }
    }
}
