import SquallCore
package import Trace

/// An event combined with its client's connection state at that time, or the start of a fault combined with another
/// fault that was active then.
///
/// The number of features that an exploration observes measures how much of the client's behaviour it covers.
package struct Feature: Hashable, Comparable, Sendable {
    package var state: String
    package var event: String

    package init(state: String, event: String) {
        (self.state, self.event) = (state, event)
    }

    package static func < (left: Feature, right: Feature) -> Bool {
        (left.state, left.event) < (right.state, right.event)
    }

    /// Returns the features of a recording.
    package static func all(in recording: Recording) -> Set<Feature> {
        var states: [ClientID: String] = [:]
        var faults: [String: String] = [:]
        var seen: Set<Feature> = []
        for event in recording.events {
            let state = event.client.flatMap { states[$0] } ?? ""
            switch event.observation.change {
            case .happened:
                let name = name(of: event)
                seen.insert(Feature(state: state, event: name))
                guard let key = event.key else { break }
                if event.name == faultEnded { faults[key] = nil }
                guard event.name == faultBegan else { break }
                for other in Set(faults.values) { seen.insert(Feature(state: "during \(other)", event: name)) }
                faults[key] = event.fields?["fault"]?.stringValue
            case .set(let value):
                guard event.name == "connection.state", let client = event.client else { break }
                let next = value.stringValue ?? ""
                states[client] = next
                seen.insert(Feature(state: state, event: "becomes \(next)"))
            case .inserted, .removed, .replaced: break
            }
        }
        return seen
    }

    static let faultBegan = "fault.began"
    private static let faultEnded = "fault.ended"

    /// Returns the event's name, followed by the kind of fault if the event is the start of a fault.
    private static func name(of event: TraceEvent) -> String {
        guard event.name == faultBegan, let kind = event.fields?["fault"]?.stringValue else { return event.name }
        return "\(event.name) \(kind)"
    }
}

extension Feature: CustomStringConvertible {
    package var description: String { state.isEmpty ? event : "\(event) (\(state))" }
}
