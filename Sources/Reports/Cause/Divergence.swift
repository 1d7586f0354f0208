import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Where a run parted from what was expected of it, and what the network had done by then.
struct Divergence: Hashable, Sendable {
    /// The place of the expectation that leads the report.
    var expectation: Int
    var time: Instant
    /// The event that shows it; nil where what is missing was due at `time`, or where only the run's end shows it.
    var event: Int?
    /// Whether something was due at `time` and did not come.
    var isDeadline: Bool
    /// The last fault that had begun, by its place among the spans; the last frames that the client got and sent.
    var fault: Int?
    var received: Int?
    var sent: Int?

    /// Nil for a run that nothing is amiss with.
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
