import ChatWire
import SquallCore

// The server's answers to the reports of what was read.

extension Unread {
    var deadline: Instant? { pendingReads.deadline }

    mutating func timer(_ step: inout Step) { pendingReads.timer(at: step.now) }

    /// Takes in the end of a reading: `isGood` if the server has accepted it, false if it could not be delivered.
    mutating func readingEnded(_ conversation: String, isGood: Bool, _ step: inout Step) {
        if pendingReads.answered(conversation, isGood: isGood, &step) { forgetAdvance(conversation) }
    }

    /// Takes in the server's answer to a reading; a final refusal takes back what was shown in advance.
    mutating func readingAnswered(_ conversation: String, isGood: Bool, status: Int, _ step: inout Step) {
        guard !isGood, ChatStatus.isFinal(status), policy.refused == .isUndone else {
            return readingEnded(conversation, isGood: isGood, &step)
        }
        // A retry would be refused again, so the messages become unread again and the user is notified.
        undoReading(conversation, &step)
        readingEnded(conversation, isGood: true, &step)
        step.emit(.trouble(rules.profile.text.banner.readRefused, .retry))
    }
}
