import SquallCore

/// What the driver of a leaping run does with the clock at the end of a turn of the event loop.
enum LeapDecision: Hashable {
    /// Take another turn; input may still arrive by itself.
    case wait
    /// Move the run's clock to its next deadline.
    case leap(to: Instant)
    /// Take no further turn: the run is held until an order comes.
    case stand
    /// End the run: nothing is under way and no deadline is set, so nothing can ever happen.
    case abandon

    /// How many quiet turns in a row it takes before the clock may leap.
    ///
    /// One is not enough: a delivery that the kernel completes while the first quiet turn is being judged becomes an
    /// event of the second.
    static let quietTurns = 2

    /// Decides from the number of `quietTurns` in a row and the run's next deadline, nil or `.never` when none is set.
    init(quietTurns: Int, nextDeadline: Instant?, isHeld: Bool = false) {
        if isHeld {
            self = .stand
        } else if quietTurns < Self.quietTurns {
            self = .wait
        } else if let nextDeadline, nextDeadline < .never {
            self = .leap(to: nextDeadline)
        } else {
            self = .abandon
        }
    }
}

/// Counts the quiet turns in a row of an event loop.
///
/// A turn is quiet when no input came with it and nothing was under way at its end. What stays under way for `patience`
/// without any input counts as lost, so that it cannot hold the run up for ever.
struct QuietTurns {
    /// The number of quiet turns since the last turn that was not quiet, or since the last leap.
    private(set) var count = 0
    /// The real time of the last progress of what is under way: the last turn with an input, or the last
    /// leap.
    private var lastMove: Instant
    private let patience: TimeSpan

    /// Starts counting at `uptime`, real time on a clock that never goes back.
    init(patience: TimeSpan, startingAt uptime: Instant) {
        self.patience = patience
        lastMove = uptime
    }

    /// Counts one turn that ended at `uptime`.
    ///
    /// `underWay` describes what is under way, nil when only a deadline of the run can change anything.
    ///
    /// - Returns: How long something has been under way without any input, once that has exhausted the patience; nil
    ///   otherwise.
    mutating func endTurn(hadInput: Bool, underWay: String?, at uptime: Instant) -> TimeSpan? {
        if hadInput {
            lastMove = uptime
            count = 0
            return nil
        }
        guard underWay != nil else {
            count += 1
            return nil
        }
        let idle = uptime - lastMove
        guard idle >= patience else {
            count = 0
            return nil
        }
        count += 1
        return idle
    }

    /// Starts counting again after a leap, or after a hold, at `uptime`.
    mutating func restart(at uptime: Instant) {
        count = 0
        lastMove = uptime
    }

    /// What to do with the clock after the turn that was counted last.
    func decision(nextDeadline: Instant?, isHeld: Bool = false) -> LeapDecision {
        LeapDecision(quietTurns: count, nextDeadline: nextDeadline, isHeld: isHeld)
    }
}
