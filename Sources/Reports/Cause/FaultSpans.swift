import SquallCore
import Trace

/// A fault while it lasts.
struct FaultSpan: Hashable, Sendable {
    var label: String
    /// What kind it is: `half_open`.
    var fault: String
    var client: ClientID?
    /// The events that began and ended it; without an end it lasted until the run's.
    var began: Int
    var ended: Int?
    /// How many others were on when it began, as far as their columns are taken: bands beside one another.
    var depth: Int
}

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
