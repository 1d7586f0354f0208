import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// The point at which a run diverged from its expectations, and the last fault and frames before it.
struct Divergence: Hashable, Sendable {
    /// The index of the expectation that was violated first.
    var expectation: Int
    /// When the expectation was violated.
    var time: Instant
    /// The index of the event that shows the violation; nil when something was due at `time`, or only the end shows it.
    var event: Int?
    /// Whether something was due at `time` and did not happen.
    var isDeadline: Bool
    /// The index of the last fault that had begun, among the fault spans.
    var fault: Int?
    /// The index of the event of the last frame that the client had received.
    var received: Int?
    /// The index of the event of the last frame that the client had sent.
    var sent: Int?

    /// Finds the divergence of a run; nil when the run has none, as when it passed.
    init?(of run: CaseResult, faults: [FaultSpan]) {
        guard let cause = run.cause, let expectation = run.expectations.firstIndex(of: cause) else { return nil }
        let events = run.recording.events
        self.expectation = expectation
        let evidence = cause.evidence.last { events.indices.contains($0) }
        time = run.divergenceTime(of: cause)
        isDeadline = cause.expectedBy != nil
        event = isDeadline ? nil : evidence
        let client = evidence.flatMap { events[$0].client }
        for (place, event) in events.enumerated() {
            guard event.time <= time else { break }
            guard client == nil || event.client == client else { continue }
            if event.name.hasPrefix("client.received.") { received = place }
            if event.name.hasPrefix("client.sent.") { sent = place }
        }
        fault = faults.indices.last { events[faults[$0].began].time <= time }
    }
}
