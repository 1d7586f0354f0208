import ChatWire
import Faults
package import SquallCore
import TemporalLogic

extension Scenario {
    /// Whether somebody listens to logins, to say them again.
    var replaysLogins: Bool {
        script.contains { step in
            guard case .act(let stimulus) = step.kind else { return false }
            return stimulus.deed == .replayLogin
        }
    }

    /// Whether a fault of this scenario must know where in their streams the connections stand that are there when it begins.
    var followsStreams: Bool {
        // What passes is told where connections are followed.
        if expectations.contains(where: { $0.asksFor(event: "network.frame") }) { return true }
        return begun.contains { $0.fault.needsStreamTracking }
    }

    /// Faults that choose messages by a type that no frame of this protocol has, and that would hit nothing.
    ///
    /// None where frames may have any: with the app's own frames, or words that are put into the server's mouth.
    package var faultsOfUnknownTypes: [(type: String, location: SourceLocation)] {
        guard profile.wire.frames == nil, !script.contains(where: \.putsWords) else { return [] }
        return begun.compactMap { fault, _, location in
            guard let type = fault.messageType, !messageTypes.contains(type) else { return nil }
            return (type, location)
        }
    }

    /// What frames are called on the wire.
    package var messageTypes: [String] { FrameRole.allCases.map { profile.wire[type: $0] } }

    /// Whether a fault of this scenario chooses messages.
    var choosesMessages: Bool { begun.contains { $0.fault.readsMessages } }

    /// The faults that the script begins, by which name, and where.
    var begun: [(fault: Fault, label: String?, location: SourceLocation)] {
        script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .begin(let fault) = stimulus.deed else { return nil }
            return (fault, stimulus.label, step.location)
        }
    }
}

extension Step {
    /// Whether the server says what the scenario has written.
    fileprivate var putsWords: Bool {
        guard case .act(let stimulus) = kind, stimulus.actor == .server else { return false }
        return ["say", "rule"].contains(stimulus.verb)
    }
}

extension Expectation {
    /// Whether it looks for events of this name.
    fileprivate func asksFor(event name: String) -> Bool {
        formula.conditions.contains { $0.event?.name == name }
    }
}
