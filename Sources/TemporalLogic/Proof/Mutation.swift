package import SquallCore
package import Trace

/// A small change to a recording. The ``Prover`` uses it to check whether an expectation detects the change.
package enum Mutation: Hashable, Sendable {
    case remove(Int)
    /// Removes all events with this name. Removing only one of many similar events often has no effect.
    case removeAll(named: String)
    case delay(Int, by: TimeSpan)
    case double(Int)
    case change(Int, to: Change)
    /// Inserts a client's observations one nanosecond apart, starting at the given instant.
    case insert([Observation], client: ClientID?, at: Instant)

    /// Returns the recording with this change.
    ///
    /// The run is extended to end at least `grace` after the change, so that every time bound ends within the run.
    func applied(to recording: Recording, grace: TimeSpan) -> Recording {
        var recording = recording
        switch self {
        case .remove(let index): recording.events.remove(at: index)
        case .removeAll(let name): recording.events.removeAll { $0.name == name }
        case .double(let index): recording.events.insert(recording.events[index], at: index)
        case .change(let index, let change): recording.events[index].observation.change = change
        case .delay(let index, let span):
            var event = recording.events.remove(at: index)
            event.time = event.time + span
            recording.insert(event)
            recording.end = max(recording.end, event.time + grace)
        case .insert(let observations, let client, let start):
            for (step, observation) in observations.enumerated() {
                let time = start + TimeSpan(nanoseconds: Int64(step))
                recording.insert(TraceEvent(index: 0, time: time, client: client, observation: observation))
                recording.end = max(recording.end, time + grace)
            }
        }
        for index in recording.events.indices { recording.events[index].index = index }
        return recording
    }

    /// Returns a description of the mutation for diagnostics, such as `without #12 1.500 connection.state =
    /// "connected"`.
    package func text(in recording: Recording) -> String {
        func event(_ index: Int) -> String {
            recording.events.indices.contains(index) ? recording.events[index].description : "#\(index)"
        }
        return switch self {
        case .remove(let index): "without \(event(index))"
        case .removeAll(let name): "without any \(name)"
        case .delay(let index, let span): "with \(span) more before \(event(index))"
        case .double(let index): "with \(event(index)) twice"
        case .change(let index, let change): "with\(change.tail) instead in \(event(index))"
        case .insert(let observations, let client, let time):
            "with "
                + observations.prefix(3).map { observation in
                    let name = ObservedName(client: client, name: observation.name, key: observation.key)
                    return "\(name)\(observation.change.tail)"
                }.joined(separator: ", ") + (observations.count > 3 ? ", …" : "") + " added at \(time)"
        }
    }
}

extension Recording {
    /// Inserts an event after all events of its instant.
    fileprivate mutating func insert(_ event: TraceEvent) {
        let place = events.firstIndex { $0.time > event.time } ?? events.count
        events.insert(event, at: place)
    }
}
