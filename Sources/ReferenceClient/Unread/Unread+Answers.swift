import ChatWire
import SquallCore

// Handles the server's responses to read reports, and sends read reports over HTTP.

extension Unread {
    var deadline: Instant? { pendingReads.deadline }

    mutating func timer(_ step: inout Step) { pendingReads.timer(at: step.now) }

    /// Sends read reports as HTTP requests, because a polling client cannot send read receipts, which are WebSocket
    /// frames.
    mutating func reportWhilePolling(_ step: inout Step) {
        guard policy.whilePolling == .requestsReading else { return }
        pendingReads.requestReadings(except: Set(names.filter { self[$0] > 0 }), &step)
    }

    /// Handles the end of a mark-read request; `isGood` is true if the server has accepted it, false if it was not
    /// delivered.
    mutating func readingEnded(_ conversation: String, isGood: Bool, _ step: inout Step) {
        if pendingReads.answered(conversation, isGood: isGood, &step) { forgetAdvance(conversation) }
    }

    /// Handles the response to a mark-read request; a final rejection makes the messages unread again.
    mutating func readingAnswered(_ conversation: String, isGood: Bool, status: Int, _ step: inout Step) {
        guard !isGood, ChatStatus.isFinal(status), policy.refused == .isUndone else {
            return readingEnded(conversation, isGood: isGood, &step)
        }
        // A retry would be rejected again, so the messages become unread and the user is notified.
        undoReading(conversation, &step)
        readingEnded(conversation, isGood: true, &step)
        // Only the server knows how many messages on a newly loaded page were unread.
        step.emit(.ask(.counts))
        step.emit(.trouble(rules.profile.text.banner.readRefused, .retry))
    }
    /// Handles the unread count in the server's response to a mark-read request up to the sequence number
    /// `readThrough`; nil if the request covered all messages that the server had.
    mutating func readingCounted(
        _ answer: UnreadCount,
        readThrough: Int64?,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        // The client may not have received all messages up to that number yet, so the number is stored: these messages
        // must not count as unread when they arrive.
        if let sequence = answer.unread == 0 ? answer.sequence ?? readThrough : readThrough {
            pendingReads.read(through: sequence, in: answer.conversation)
            pendingReads.storeNewest(in: answer.conversation, &step)
        }
        guard self[answer.conversation] > 0, !pendingReads.contains(answer.conversation),
            !isWatched(answer.conversation, focus)
        else { return }
        change(answer.conversation, &step) {
            $0.counted(UnreadTally.bounded(answer.unread), through: answer.sequence)
        }
    }
}
