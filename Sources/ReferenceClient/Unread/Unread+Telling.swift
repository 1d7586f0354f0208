import ChatWire
import SquallCore

// What was read, told to the server: by a receipt for a message, or for a whole conversation over HTTP.

extension Unread {
    var deadline: Instant? { pendingReads.deadline }

    mutating func timer(_ step: inout Step) { pendingReads.timer(at: step.now) }

    /// The server has taken a reading, or could not be told.
    mutating func readingTold(_ conversation: String, isGood: Bool, _ step: inout Step) {
        if pendingReads.answered(conversation, isGood: isGood, &step) { forgetAdvance(conversation) }
    }

    /// The server has said whether the conversation counts as read.
    mutating func readingAnswered(_ conversation: String, isGood: Bool, status: Int, _ step: inout Step) {
        guard !isGood, ChatStatus.isFinal(status), policy.refused == .isUndone else {
            return readingTold(conversation, isGood: isGood, &step)
        }
        // A repeat would be refused again: what was shown in advance is taken back, and said.
        undoReading(conversation, &step)
        readingTold(conversation, isGood: true, &step)
        step.emit(.trouble(rules.profile.text.banner.readRefused, .retry))
    }
}
