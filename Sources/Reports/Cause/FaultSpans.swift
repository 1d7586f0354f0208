import SquallCore
import Trace

/// The period during which a fault was active.
struct FaultSpan: Hashable, Sendable {
    var label: String
    /// The kind of fault, such as `half_open`.
    var fault: String
    /// The client on whose link it was; nil for all.
    var client: ClientID?
    /// The index of the event with which it began.
    var began: Int
    /// The index of the event with which it ended; nil when it lasted until the end of the run.
    var ended: Int?
    /// The column in which it is drawn, the first one free of other active faults.
    var depth: Int
}

/// Finds the periods of a run's faults.
enum FaultSpans {
    static func find(in events: [TraceEvent]) -> [FaultSpan] {
        var spans: [FaultSpan] = []
        var open: [Int] = []
        for (place, event) in events.enumerated() {
            switch event.name {
            case "fault.began":
                let taken = open.map { spans[$0].depth }
                let depth = (0...taken.count).first { !taken.contains($0) } ?? taken.count
                open.append(spans.count)
                spans.append(
                    FaultSpan(
                        label: event.key ?? "",
                        fault: event.fields?["fault"]?.stringValue ?? "fault",
                        client: event.client,
                        began: place,
                        ended: nil,
                        depth: depth
                    )
                )
            case "fault.ended":
                guard let index = open.lastIndex(where: { spans[$0].label == event.key ?? "" }) else { continue }
                spans[open.remove(at: index)].ended = place
            default: break
            }
        }
        return spans
    }
}
