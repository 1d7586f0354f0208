import ChatWire
import Foundations

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
    private(set) var wasShown = false
    private var isAway = false
    /// Back on the screen, while what was missed has yet to come.
    private(set) var isReturning = false

    /// Whether what comes now may be unseen, wherever the reader is.
    var isLooking: Bool { isAway || isReturning }

    init(_ rules: Rules) {
        isWanted = rules.policy.scroll.marker == .isShown
    }

    mutating func background(_ step: inout Step) {
        isAway = true
        isReturning = false
        clear(&step)
    }

    mutating func foreground() {
        isReturning = isAway
        isAway = false
    }

    /// All that was missed is here; what comes now is seen.
    mutating func settled() { isReturning = false }

    mutating func clear(_ step: inout Step) {
        guard place != nil else { return }
        place = nil
        step.changes.insert(.screen)
    }

    /// A message of somebody else has come into the conversation on the screen.
    mutating func came(
        _ key: String,
        into conversation: String,
        via arrival: Arrival,
        isBelow: Bool,
        _ step: inout Step
    ) {
        guard isWanted, arrival != .earlier else { return }
        guard isAway || isBelow || (isReturning && arrival != .live) else { return }
        if place?.conversation == conversation {
            place?.count += 1
        } else {
            place = Place(conversation: conversation, key: key, count: 1)
        }
        wasShown = true
        step.changes.insert(.screen)
    }
}
