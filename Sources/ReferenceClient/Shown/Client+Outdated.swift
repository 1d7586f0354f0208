package import SquallCore

// Compares the values that the client has reported with its current state.

extension Client {
    /// How many of each conversation's newest messages are compared.
    private static let comparedMessages = 50
    /// The observables whose texts change as time passes, without any input. A timer recomputes them up to a
    /// millisecond late, so they are not compared.
    private static let timedNames: Set<String> = [
        "message.time_text", "message.day", "peer.last_seen", "view.partner_last_seen",
    ]

    /// Describes each reported value that differs from the client's state; may be called only between two inputs.
    ///
    /// The result is empty as long as each input recomputes every observable that depends on what the input changes.
    package func outdatedValues(at now: Instant) -> [String] {
        var current = self
        var step = Step(at: now)
        step.changes = .all
        for name in conversations.names {
            for key in conversations[name].keys.suffix(Self.comparedMessages) { step.touch(key) }
        }
        current.display.forgetLooks()
        current.show(&step)
        // A conversation's values are recomputed only if the conversation has changed.
        for name in conversations.names {
            current.display.show("conversation.messages", key: name, list: conversations[name].keys, &step)
        }
        if rules.policy.shown.unread == .atOnce {
            for name in unread.names { current.display.show("unread", key: name, count: unread[name], &step) }
        }
        return display.differences(from: current.display, except: Self.timedNames)
    }
}
