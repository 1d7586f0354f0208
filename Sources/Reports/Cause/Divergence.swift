import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// The point at which a run first violated an expectation, and the last fault and frames before that point.
struct Divergence: Hashable, Sendable {
    /// The index of the expectation that was violated first.
    var expectation: Int
    /// The time at which the expectation was violated.
    var time: Instant
    /// The index of the event that violated the expectation; nil if the violation is the absence of an event that was
    /// due at `time`, or if the violation was found only at the end of the run.
    var event: Int?
    /// Whether the violation is the absence of an event that was due at `time`.
    var isDeadline: Bool
    /// The last fault to have begun by `time`, as an index in the list of fault spans; nil if there is none.
    var fault: Int?
    /// The index of the event that records the last frame the client had received by `time`; nil if there is none.
    var received: Int?
    /// The index of the event that records the last frame the client had sent by `time`; nil if there is none.
    var sent: Int?
    /// A stall that makes the times of the client's last frames uncertain, as an index in the list of fault spans; nil
    /// if there is none.
    var stall: Int?

    /// How long after a stall the relay may take to read the bytes that the client wrote during the stall.
    private static let backlog = TimeSpan.milliseconds(100)

    /// Returns a remark for the report if the times of the client's frames are uncertain; nil if they are certain.
    func note(in events: [TraceEvent], _ faults: [FaultSpan]) -> String? {
        stall.map { index in
            let began = events[faults[index].began].time
            return
                "bytes that the client wrote after \(began) have the time at which the stall ended and they were read"
        }
    }

    /// Finds the point at which a run diverged; returns nil if it did not, for example because it passed.
    init?(of run: CaseResult, faults: [FaultSpan]) {
        guard let cause = run.cause, let expectation = run.expectations.firstIndex(of: cause) else { return nil }
        let events = run.recording.events
        self.expectation = expectation
        let evidence = cause.evidence.last { events.indices.contains($0) }
        time = run.divergenceTime(of: cause)
        isDeadline = cause.expectedBy != nil
        event = isDeadline ? nil : evidence
        let client = evidence.flatMap { events[$0].client }
        for (index, event) in events.enumerated() {
            guard event.time <= time else { break }
            guard client == nil || event.client == client else { continue }
            if event.name.hasPrefix("client.received.") { received = index }
            if event.name.hasPrefix("client.sent.") { sent = index }
        }
        // If the client has its own process, the trace gives the time at which the relay read a frame's bytes. The
        // relay reads nothing during a stall, so the time given for the last frame may be too late.
        let dated = sent.map { events[$0].time } ?? .zero
        stall =
            run.recording.header.client == nil
            ? nil
            : faults.indices.last { index in
                guard faults[index].fault == "stall", events[faults[index].began].time <= time else { return false }
                guard let ended = faults[index].ended.map({ events[$0].time }) else { return true }
                return ended > time || dated >= ended && dated - ended <= Self.backlog
            }
        fault = faults.indices.last { events[faults[$0].began].time <= time }
    }
}
