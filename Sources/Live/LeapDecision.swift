import ScenarioModel
import SquallCore

/// The action that the driver takes at the end of an event-loop iteration in a run whose clock leaps over idle time.
enum LeapDecision: Hashable {
    /// Run another iteration; input may still arrive.
    case wait
    /// Send the clients the run's time, and wait until they have nothing left to do at that time.
    case askClients
    /// Advance the run's clock to its next deadline, or to the next timer of a client whose clock follows it.
    case leap(to: Instant)
    /// Run no further iteration, because the run is held (paused) until the external program that controls it sends an
    /// input.
    case pause
    /// End the run: no work is pending and no deadline is set, so nothing more can happen.
    case abandon

    /// The number of consecutive quiet iterations after which the clock may leap.
    ///
    /// One quiet iteration is not enough: a delivery that the kernel completes while that iteration is being evaluated
    /// becomes an event of the next iteration.
    static let quietTurns = 2

    /// Chooses the action from the number of consecutive quiet iterations and the run's next deadline. `nextDeadline`
    /// is nil or `.never` if no deadline is set.
    init(quietTurns: Int, nextDeadline: Instant?, clients: ClientClocks = .real, isHeld: Bool = false) {
        if isHeld {
            self = .pause
        } else if quietTurns < Self.quietTurns {
            self = .wait
        } else if clients == .unknown {
            self = .askClients
        } else {
            var next = nextDeadline ?? .never
            if case .idle(let timer?) = clients { next = min(next, timer) }
            self = next < .never ? .leap(to: next) : .abandon
        }
    }
}

/// Counts the consecutive quiet iterations of an event loop.
///
/// An iteration is quiet if it had no input and no work was pending at its end. Work that stays pending for `timeout`
/// without any input is treated as lost, so that it cannot block the run forever.
struct QuietTurns {
    /// The number of consecutive quiet iterations; each leap and each hold resets it to 0.
    private(set) var count = 0
    /// The real time of the last iteration with an input, or of the last leap.
    private var lastActivity: Instant
    private let timeout: TimeSpan

    /// Creates a counter that starts at `uptime`, the current time of a monotonic clock.
    init(timeout: TimeSpan, startingAt uptime: Instant) {
        self.timeout = timeout
        lastActivity = uptime
    }

    /// Records an iteration that ended at `uptime`.
    ///
    /// `pendingWork` describes the pending work; it is nil if the run cannot continue before its next deadline.
    ///
    /// - Returns: How long work has been pending without any input, if that has reached the limit; otherwise nil.
    mutating func endTurn(hadInput: Bool, pendingWork: String?, at uptime: Instant) -> TimeSpan? {
        if hadInput {
            lastActivity = uptime
            count = 0
            return nil
        }
        guard pendingWork != nil else {
            count += 1
            return nil
        }
        let idle = uptime - lastActivity
        guard idle >= timeout else {
            count = 0
            return nil
        }
        count += 1
        return idle
    }

    /// Resets the number of quiet iterations and restarts the measurement of idle time at `uptime`, after a leap or a
    /// hold.
    mutating func restart(at uptime: Instant) {
        count = 0
        lastActivity = uptime
    }

    /// Returns the action to take after the most recently recorded iteration.
    func decision(
        nextDeadline: Instant?,
        clients: ClientClocks = .real,
        isHeld: Bool = false
    ) -> LeapDecision {
        LeapDecision(quietTurns: count, nextDeadline: nextDeadline, clients: clients, isHeld: isHeld)
    }
}
