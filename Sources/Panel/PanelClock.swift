import ScenarioModel
import SquallCore
import Trace

/// An estimate of the time on the run's clock between events.
///
/// The clock follows real time, and stops while the run is held.
struct PanelClock: Sendable {
    /// When the run's clock read zero, or would have; nil before the first event.
    private var start: ContinuousClock.Instant?
    /// The time at which the run's clock has stopped; nil while it runs.
    private var standsAt: Instant?

    /// Adjusts the clock to the next event, which arrived at `arrival`.
    mutating func observe(_ event: TraceEvent, at arrival: ContinuousClock.Instant) {
        let began = arrival - .nanoseconds(event.time.nanoseconds)
        switch event.name {
        case RunRegistry.holdBegan: standsAt = event.time
        // The run's clock was stopped during the hold, so its origin moves forward by the length of the hold.
        case RunRegistry.holdEnded: (standsAt, start) = (nil, began)
        // An event may arrive late, but never early.
        default: start = start.map { min($0, began) } ?? began
        }
    }

    func time(at now: ContinuousClock.Instant) -> Instant {
        standsAt ?? start.map { .zero + TimeSpan(now - $0) } ?? .zero
    }
}
