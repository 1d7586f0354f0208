import SquallCore
import Trace

/// `convergence`: after the fault-free period at the end of a run, the client shows the data that the server has
/// stored.
///
/// The run compares the client with the server and records each comparison as an event. The invariant checks the last
/// of these events, so the verdict can be computed from the trace alone.
struct Convergence: StandingInvariant {
    let interest = InvariantKinds(.compared)
    private var record = FindingRecorder(until: "the run had no calm at its end")
    private var last: TraceEvent?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        last = event
    }

    mutating func finish(at end: Instant, _ circumstances: Circumstances, _ messages: MessageLedger) {
        guard let last else { return }
        record.recordCheck()
        let differences = last.fields?["differences"]?.arrayValue?.compactMap(\.stringValue) ?? []
        guard let first = differences.first else { return }
        let others = differences.count > 1 ? " (and \(differences.count - 1) more differences)" : ""
        record.violate("after the calm, \(first)\(others)", events: [last.index])
    }
}
