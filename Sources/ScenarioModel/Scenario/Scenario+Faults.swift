import ChatWire
import Faults
import SquallCore
import TemporalLogic

// A script's faults, and what the relay must know about the script before the run.

extension Scenario {
    /// The faults that the script begins, with their labels and locations in the file.
    var startedFaults: [(fault: Fault, label: String?, location: SourceLocation)] {
        script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .begin(let fault) = stimulus.operation else { return nil }
            return (fault, stimulus.label, step.location)
        }
    }

    /// Whether the script replays logins. If so, the relay must record them.
    var replaysLogins: Bool {
        script.contains { step in
            guard case .act(let stimulus) = step.kind else { return false }
            return stimulus.operation == .replayLogin
        }
    }

    /// Whether the relay must parse all connections from their first byte, because a later fault or an expectation
    /// depends on the position in a stream.
    var followsStreams: Bool {
        // Frames in transit can be observed only on connections that the relay parses.
        if expectations.contains(where: { $0.mentions(event: "network.frame") }) { return true }
        return startedFaults.contains { $0.fault.needsStreamTracking }
    }

    /// Whether a fault in the script reads WebSocket messages, in which case connections must not compress them.
    var readsMessages: Bool { startedFaults.contains { $0.fault.readsMessages } }
}

extension Expectation {
    /// Returns whether any of the expectation's conditions is about the event `name`.
    fileprivate func mentions(event name: String) -> Bool {
        formula.conditions.contains { $0.event?.name == name }
    }
}
