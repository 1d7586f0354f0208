import ChatWire
import SquallCore

// Counts the messages that a client without a connection knows only from a push.

extension Unread {
    /// Counts the message of a push that has arrived while the app is suspended; a repeated push changes nothing.
    mutating func pushed(_ push: Push, _ step: inout Step) {
        guard policy.pushes == .areCounted else { return }
        change(push.conversation, &step) { $0.add(pushed: push.message) }
    }

    /// Stops counting the push of a message that has arrived. From now on, the message itself is counted.
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

    /// Returns the number of unread messages of a conversation, excluding those that are known only from a push.
    func arrived(_ conversation: String) -> Int64 { tallies[conversation]?.arrived ?? 0 }
}
