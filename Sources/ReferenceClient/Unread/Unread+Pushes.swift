import ChatWire
import SquallCore

// Counts the messages that a disconnected client knows only from a push.

extension Unread {
    /// Counts the message announced by a push that arrived while the app was suspended; a repeated push changes
    /// nothing.
    mutating func pushed(_ push: Push, _ step: inout Step) {
        guard policy.pushes == .areCounted else { return }
        change(push.conversation, &step) { $0.add(pushed: push.message) }
    }

    /// Stops counting the push for a message that has arrived. From now on, the message itself is counted.
    mutating func forgetPush(of id: String, in conversation: String, _ step: inout Step) {
        guard tallies[conversation]?.pushed.contains(id) == true else { return }
        change(conversation, &step) { $0.remove(pushed: id) }
    }

    /// Stops counting all pushes, because the client has every message that the server has stored.
    mutating func caughtUp(_ step: inout Step) {
        for name in names where tallies[name]?.pushed.isEmpty == false {
            change(name, &step) { $0.forgetPushed() }
        }
    }

    /// Returns the number of unread messages in a conversation, excluding those that are known only from a push.
    func arrived(_ conversation: String) -> Int64 { tallies[conversation]?.arrived ?? 0 }
}
