import ChatWire
import SquallCore

/// The separator before the messages of the open conversation that came unseen: while the app was away, or below where
/// the user was reading.
struct NewMarker {
    struct Place: Equatable {
        let conversation: String
        /// The first of them.
        let key: String
        var count: Int64
    }

    private let isWanted: Bool
    private(set) var place: Place?
    /// Back on the screen, while what was missed has yet to come.
    private(set) var isReturning = false

    init(_ rules: Rules) {
        isWanted = rules.policy.scroll.marker == .isShown
    }

    mutating func background(_ step: inout Step) {
        isReturning = false
        clear(&step)
    }

    mutating func foreground(wasAway: Bool) { isReturning = wasAway }

    /// All that was missed is here; what comes now is seen.
    mutating func settled() { isReturning = false }

    mutating func clear(_ step: inout Step) {
        guard place != nil else { return }
        place = nil
        step.changes.insert(.screen)
    }

    /// A message of somebody else has come into the conversation on the screen.
    ///
    /// `isSeen`: the app is there, and the reader where new messages come.
    mutating func came(
        _ key: String,
        into conversation: String,
        via arrival: Arrival,
        isSeen: Bool,
        _ step: inout Step
    ) {
        guard isWanted, arrival != .earlier else { return }
        guard !isSeen || (isReturning && arrival != .live) else { return }
        if place?.conversation == conversation {
            place?.count += 1
        } else {
            place = Place(conversation: conversation, key: key, count: 1)
        }
        step.changes.insert(.screen)
    }
}
