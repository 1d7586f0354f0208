import ChatWire
import SquallCore

/// Owns the separator above the open conversation's new messages, which the user has not seen yet.
///
/// A message is new if it arrived while the app was in the background, or below the visible part of the list.
struct NewMarker {
    struct Place: Equatable {
        let conversation: String
        /// The key of the first new message.
        var key: String
        /// The number of new messages.
        var count: Int64
    }

    private let isEnabled: Bool
    /// The position of the separator; nil if no separator is displayed.
    private(set) var place: Place?
    /// Whether the app is back in the foreground but has not fetched the missed messages yet.
    private(set) var isReturning = false

    init(_ rules: Rules) {
        isEnabled = rules.policy.scroll.marker == .isShown
    }

    mutating func background(_ step: inout Step) {
        isReturning = false
        clear(&step)
    }

    mutating func foreground(wasAway: Bool) { isReturning = wasAway }

    /// Records that the missed messages have been fetched, so that later messages count as seen.
    mutating func settled() { isReturning = false }

    mutating func clear(_ step: inout Step) {
        guard place != nil else { return }
        place = nil
        step.changes.insert(.screen)
    }

    /// Counts a message from another user that has arrived in the open conversation.
    ///
    /// `isSeen` is true if the app is in the foreground and the list is at its end. `rows` are the keys of the
    /// conversation's messages in display order.
    mutating func messageArrived(
        _ key: String,
        into conversation: String,
        via arrival: Arrival,
        isSeen: Bool,
        rows: [String],
        _ step: inout Step
    ) {
        guard isEnabled, arrival != .earlier else { return }
        guard !isSeen || (isReturning && arrival != .live) else { return }
        if let place, place.conversation == conversation {
            self.place?.count += 1
            // New messages may arrive out of order: an incomplete replay contains only the newest of them, and the
            // older ones arrive later.
            if let new = rows.firstIndex(of: key), let first = rows.firstIndex(of: place.key), new < first {
                self.place?.key = key
            }
        } else {
            place = Place(conversation: conversation, key: key, count: 1)
        }
        step.changes.insert(.screen)
    }
}
