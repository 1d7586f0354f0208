import ChatWire

// What was read, told to the server: by a receipt for a message, or for a whole conversation over HTTP.

extension Unread {
    mutating func owe(receiptFor message: Message) {
        guard let id = message.id else { return }
        unsentReceipts.removeAll { $0.conversation == message.conversation }
        unsentReceipts.append((message.conversation, id))
    }

    /// The server can be reached again.
    mutating func connected() { readingsAreHeld = false }

    /// Tells the server what was read, as soon as there is a way.
    mutating func tell(over channel: Outbox.Channel, _ step: inout Step) {
        if policy.receipts == .areNeverSent {
            unsentReceipts = []
        } else if channel == .socket {
            for receipt in unsentReceipts {
                step.tell(.say(.readReceipt(conversation: receipt.conversation, messageID: receipt.message)))
            }
            unsentReceipts = []
        } else if policy.receipts == .areLost {
            unsentReceipts = []
        }
        guard channel != .none, !readingsAreHeld, let first = unsentReadings.first else { return }
        // One at a time; the next goes when this one is answered.
        readingsAreHeld = true
        step.tell(.ask(.markRead(conversation: first)))
    }

    mutating func readingTold(_ conversation: String, isGood: Bool) {
        guard isGood || policy.readFailure == .isForgotten else { return }
        forgetAdvance(conversation)
        unsentReadings.removeAll { $0 == conversation }
        readingsAreHeld = false
    }

    /// The server has said whether the conversation counts as read.
    mutating func readingAnswered(_ conversation: String, isGood: Bool, status: Int, _ step: inout Step) {
        guard !isGood, [400, 403, 404, 409].contains(status), policy.refused == .isUndone else {
            return readingTold(conversation, isGood: isGood)
        }
        // A repeat would be refused again: what was shown in advance is taken back, and said.
        undoReading(conversation, &step)
        readingTold(conversation, isGood: true)
        step.tell(.trouble(rules.profile.text.banner.readRefused, .retry))
    }
}
