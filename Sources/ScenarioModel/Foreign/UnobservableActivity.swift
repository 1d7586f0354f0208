import ChatWire
import FakeServer
import Faults
import SquallCore

/// Tracks which activity of a foreign client (one that is not Squall's own) may be invisible on the wire while faults
/// are active.
struct UnobservableActivity: Sendable {
    private let isUnderTLS: Bool
    /// The name of the first script step that may hide data written by the client; nil if there has been no such step.
    private var hidesWriting: String?
    /// The name of the first script step that may hide the client's connection attempts; nil if there has been no such
    /// step.
    private var hidesAttempts: String?

    init(underTLS: Bool) {
        isUnderTLS = underTLS
    }

    /// Records that a step of the script is about to begin, and which activity it may hide.
    mutating func begins(with stimulus: Stimulus) {
        let unseen = stimulus.hiddenActions(underTLS: isUnderTLS)
        if unseen >= .everything { hidesWriting = hidesWriting ?? stimulus.name }
        if unseen >= .attempts { hidesAttempts = hidesAttempts ?? stimulus.name }
    }

    /// Returns the reason why an event with this name may occur unobserved; nil if it is always observed.
    func hides(_ name: String) -> String? {
        let isWriting = ["client.sent", "client.requested"].contains { name == $0 || name.hasPrefix("\($0).") }
        let isTrying = name.hasPrefix("client.attempt") || name == "connection.open_sockets"
        if isWriting || isTrying, let hidesWriting {
            return "\(name) may not be visible on the wire during \(hidesWriting)"
        }
        if isTrying, let hidesAttempts { return "\(name) may not be visible on the wire during \(hidesAttempts)" }
        return nil
    }
}

extension Stimulus {
    fileprivate func hiddenActions(underTLS: Bool) -> HiddenActions {
        switch operation {
        case .begin(let fault): fault.hiddenActions(underTLS: underTLS)
        case .server(let action): action.stopsListening ? .attempts : .nothing
        case .client(.network(reachable: false)), .client(.handoff):
            ScenarioRun.noPath.hiddenActions(underTLS: underTLS)
        case .client, .heal, .healAll, .replayLogin: .nothing
        }
    }
}
