import ChatWire
import SquallCore

// The server's answers to the reports of what was read.

extension Unread {
    var deadline: Instant? { pendingReads.deadline }

    mutating func timer(_ step: inout Step) { pendingReads.timer(at: step.now) }

    /// Handles the end of a mark-read request; `isGood` if the server has accepted it, false if it was not delivered.
    mutating func readingEnded(_ conversation: String, isGood: Bool, _ step: inout Step) {
        if pendingReads.answered(conversation, isGood: isGood, &step) { forgetAdvance(conversation) }
    }

    /// Handles the answer to a mark-read request; a final refusal undoes what was shown in advance.
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
