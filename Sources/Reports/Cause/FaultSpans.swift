package import SquallCore
package import Trace

/// A fault and the period during which it was active.
package struct FaultSpan: Hashable, Sendable {
    package var label: String
    /// The kind of fault, such as `half_open`.
    package var fault: String
    /// The clients whose links have the fault; empty if it applies to all clients. For a toxic, its proxy.
    package var clients: [ClientID]
    /// The index of the event at which the fault began.
    package var began: Int
    /// The index of the event at which the fault ended; nil if it lasted until the end of the run.
    package var ended: Int?
    /// The column in which the fault is drawn: the first column that no other active fault occupies.
    package var depth: Int
}

/// Tracks when a run's faults, or a proxy's toxics, begin and end as events are added to the trace.
package struct FaultSpans: Sendable {
    package private(set) var spans: [FaultSpan] = []
    /// The indices in ``spans`` of the active faults.
    package private(set) var active: [Int] = []

    package init() {}

    static func find(in events: [TraceEvent]) -> [FaultSpan] {
        var found = FaultSpans()
        for (place, event) in events.enumerated() { found.observe(event, at: place) }
        return found.spans
    }

    /// Processes the next event of the trace. Returns the index in ``spans`` of the fault that the event begins or
    /// ends; nil if it does neither.
    @discardableResult
    package mutating func observe(_ event: TraceEvent, at place: Int) -> Int? {
        switch event.name {
        case "fault.began", "toxic.added":
            let taken = active.map { spans[$0].depth }
            let depth = (0...taken.count).first { !taken.contains($0) } ?? taken.count
            active.append(spans.count)
            spans.append(
                FaultSpan(
                    label: event.key ?? "",
                    fault: (event.fields?["fault"] ?? event.fields?["type"])?.stringValue ?? "fault",
                    clients: event.client.map { [$0] } ?? Self.named(in: event),
                    began: place,
                    ended: nil,
                    depth: depth
                )
            )
            return spans.count - 1
        case "fault.ended", "toxic.removed":
            guard let index = active.lastIndex(where: { isEnd(event, of: spans[$0]) }) else { return nil }
            let span = active.remove(at: index)
            spans[span].ended = place
            return span
        default: return nil
        }
    }

    /// Returns whether the event ends the fault. Fault labels are unique within a run, and toxic names within their
    /// proxy.
    private func isEnd(_ event: TraceEvent, of span: FaultSpan) -> Bool {
        span.label == event.key ?? "" && (event.name != "toxic.removed" || span.clients.first == event.client)
    }

    /// Returns the clients that the event of a fault lists; empty if it lists none.
    private static func named(in event: TraceEvent) -> [ClientID] {
        event.fields?["clients"]?.arrayValue?.compactMap { $0.stringValue.map { ClientID($0) } } ?? []
    }
}
