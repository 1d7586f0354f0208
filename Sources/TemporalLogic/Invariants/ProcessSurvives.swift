import SquallCore
import Trace

/// `process_survives`: the client's process ends only when the device or the user ends it.
struct ProcessSurvives: StandingInvariant {
    let interest = InvariantKinds(.started, .crashed)
    private var record = FindingRecorder(until: "the client's process never started")

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {}

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        record.recordCheck()
        guard kind == .crashed else { return }
        let reason = event.fields?["reason"]?.stringValue.map { ": \($0)" } ?? ""
        record.violate("the client crashed at \(event.time)\(reason)", events: [event.index])
    }
}
