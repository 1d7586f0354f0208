import ChatWire
import SquallCore
import TemporalLogic

/// A user step that a person performs by hand, because the client takes no commands.
///
/// The script continues when the traffic shows that the step has been performed, so only steps that change the traffic
/// can be performed manually.
struct ManualStep: Sendable {
    private enum Sign {
        case message
        case link(LinkState)
    }

    /// The request to the person, such as `send "hello" to stukov`.
    let request: String
    private let label: String?
    private let verb: String
    private let sign: Sign

    /// The event that records that a person has performed a step. For a sent message, the event carries the message's
    /// label.
    static let performed = "client.performed"
    /// The event for a message sent by the client.
    static let sent = FrameNames.sentByClient[.send]
    /// The maximum time that the person may take for a step.
    static let patience = TimeSpan.seconds(300)

    /// Creates the step for a command; nil if the traffic cannot show that the command was performed.
    init?(_ command: ClientCommand) {
        verb = command.call.verb
        switch command {
        case .send(let conversation, let text, let label):
            let place = conversation.map { "to \($0)" } ?? "in the open conversation"
            request = "send \(JSON.string(text)) \(place)"
            self.label = label
            sign = .message
        case .disconnect:
            (request, label) = ("disconnect the app from the server", nil)
            sign = .link(.none)
        case .reconnect:
            (request, label) = ("connect the app to the server again", nil)
            sign = .link(.connected)
        default: return nil
        }
    }

    /// Returns whether the step needs no action, because the newest WebSocket already has this state.
    func isDone(in state: LinkState) -> Bool {
        if case .link(let wanted) = sign { wanted == state } else { false }
    }

    /// Returns whether an observation of the client's traffic shows that the step has been performed.
    func isShown(by observation: Observation) -> Bool {
        switch sign {
        case .message: observation.name == Self.sent
        case .link(let state):
            observation.name == "link.state" && observation.change == .set(.string(state.rawValue))
        }
    }

    /// Returns the observation that records the step, with the id of the message that was sent.
    func record(messageID: String? = nil) -> Observation {
        var fields: JSON = ["command": .string(verb)]
        if let label { fields.set("label", to: .string(label)) }
        return .happened(Self.performed, key: messageID, fields, by: .observed)
    }

    /// Returns a script step that waits until the client's manual step number `ordinal`, counted from 1, is performed.
    static func wait(for client: ClientID, ordinal: Int) -> Step.Kind {
        let pattern = EventPattern(performed, of: .one(client), ordinal: ordinal)
        return .wait(.event(pattern), next: false, within: patience)
    }
}
