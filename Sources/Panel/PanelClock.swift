import ScenarioModel
import SquallCore
import Trace

/// The time on the clock of the run that a panel shows, between its events: it follows real time, and stops while the
/// run is held.
struct PanelClock: Sendable {
    /// When the run's clock was, or would have been, at zero; nil before the first event.
    private var start: ContinuousClock.Instant?
    /// The time at which the clock has stopped; nil while it runs.
    private var standsAt: Instant?

    /// Sets the clock by the next event, which has arrived at `arrival`.
    mutating func observe(_ event: TraceEvent, at arrival: ContinuousClock.Instant) {
        let began = arrival - .nanoseconds(event.time.nanoseconds)
        switch event.name {
        case RunRegistry.holdBegan: standsAt = event.time
        // The run's clock was stopped during the hold, so its origin moves forward by the length of the hold.
        case RunRegistry.holdEnded: (standsAt, start) = (nil, began)
        // An event arrives late, never early.
        default: start = start.map { min($0, began) } ?? began
        }
    }

    func time(at now: ContinuousClock.Instant) -> Instant {
        standsAt ?? start.map { .zero + TimeSpan(now - $0) } ?? .zero
    }
}
