import ChatWire
import FakeServer
import Faults
import SquallCore

/// What of a foreign client the wire does not show while a scenario's weather lasts.
///
/// Its own end of a connection is not Squall's to look at: what it writes into a link that nobody reads, and what it tries
/// at a door that is shut, leaves no trace. Its not being seen proves nothing then, one way or the other.
struct HiddenActivity: Sendable {
    private let isUnderTLS: Bool
    /// What the script has done first that hides so much.
    private var silence: String?
    private var shutDoor: String?

    init(underTLS: Bool) {
        isUnderTLS = underTLS
    }

    mutating func begins(with stimulus: Stimulus) {
        let unseen = stimulus.hides(underTLS: isUnderTLS)
        if unseen >= .everything { silence = silence ?? stimulus.name }
        if unseen >= .attempts { shutDoor = shutDoor ?? stimulus.name }
    }

    /// Why something of that name may happen unseen; nil where it cannot.
    func hides(_ name: String) -> String? {
        let isWriting = ["client.sent", "client.requested"].contains { name == $0 || name.hasPrefix("\($0).") }
        let isTrying = name.hasPrefix("client.attempt") || name == "connection.open_sockets"
        if isWriting || isTrying, let silence { return "\(name) may go unseen on the wire during \(silence)" }
        if isTrying, let shutDoor { return "\(name) may go unseen on the wire during \(shutDoor)" }
        return nil
    }
}

extension Stimulus {
    fileprivate func hides(underTLS: Bool) -> ClientVisibility {
        switch deed {
        case .begin(let fault): fault.hides(underTLS: underTLS)
        case .server(let action): action.stopsListening ? .attempts : .nothing
        case .client(.network(reachable: false)), .client(.handoff): ScenarioRun.noPath.hides(underTLS: underTLS)
        case .client, .heal, .healAll, .replayLogin: .nothing
        }
    }
}
