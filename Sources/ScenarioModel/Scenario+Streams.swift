import Faults
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
        return choosesMessages || begins { if case .slowHTTP = $0 { true } else { false } }
    }

    /// Whether a fault of this scenario chooses messages.
    var choosesMessages: Bool { begins { if case .frames = $0 { true } else { false } } }

    private func begins(_ isMeant: (Fault.Kind) -> Bool) -> Bool {
        script.contains { step in
            guard case .act(let stimulus) = step.kind, case .begin(let fault) = stimulus.deed else { return false }
            return isMeant(fault.kind)
        }
    }
}

extension Expectation {
    /// Whether it looks for events of this name.
    fileprivate func asksFor(event name: String) -> Bool {
        formula.conditions.contains { $0.event?.name == name }
    }
}
