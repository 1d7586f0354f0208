package import SquallCore

// Compares what the client has reported with its state.

extension Client {
    /// The number of messages of each conversation that are compared, beginning with the newest.
    private static let comparedMessages = 50
    /// Texts that change with time alone. They are recomputed by a timer, which may be up to a millisecond late.
    private static let timedNames: Set<String> = [
        "message.time_text", "message.day", "peer.last_seen", "view.partner_last_seen",
    ]

    /// Describes each reported value that differs from the client's state. Call it only between two inputs.
    ///
    /// There is none as long as each input recomputes every observable that depends on what it changes.
    package func outdatedValues(at now: Instant) -> [String] {
        var current = self
        var step = Step(at: now)
        step.changes = .all
        for name in conversations.names {
            for key in conversations[name].keys.suffix(Self.comparedMessages) { step.touch(key) }
        }
        current.display.forgetLooks()
        current.show(&step)
        // These are recomputed only for the conversations that have changed.
        for name in conversations.names {
            current.display.show("conversation.messages", key: name, list: conversations[name].keys, &step)
        }
        if rules.policy.shown.unread == .atOnce {
            for name in unread.names { current.display.show("unread", key: name, count: unread[name], &step) }
        }
        return display.differences(from: current.display, except: Self.timedNames)
    }
}
