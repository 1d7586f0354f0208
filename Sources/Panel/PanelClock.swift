import ScenarioModel
import SquallCore
import Trace

/// Estimates the time on the run's clock between events.
///
/// The clock follows real time, and stops while the run is held.
struct PanelClock: Sendable {
    /// The real time that corresponds to zero on the run's clock; nil until the first event.
    private var start: ContinuousClock.Instant?
    /// The time on the run's clock at which it was stopped; nil while it runs.
    private var stoppedAt: Instant?

    /// Adjusts the clock to the next event, which arrived at `arrival`.
    mutating func observe(_ event: TraceEvent, at arrival: ContinuousClock.Instant) {
        let began = arrival - .nanoseconds(event.time.nanoseconds)
        switch event.name {
        case RunRegistry.holdBegan: stoppedAt = event.time
        // The run's clock stood still during the hold, so its zero now corresponds to a real time that is later by the
        // length of the hold.
        case RunRegistry.holdEnded: (stoppedAt, start) = (nil, began)
        // An event may be received late, but never early, so the earliest estimate of the start is the most accurate.
        default: start = start.map { min($0, began) } ?? began
        }
    }

    func time(at now: ContinuousClock.Instant) -> Instant {
        stoppedAt ?? start.map { .zero + TimeSpan(now - $0) } ?? .zero
    }
}
