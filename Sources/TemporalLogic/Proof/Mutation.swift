package import SquallCore
package import Trace

/// One change to a recording, as small as can be, that a good expectation may notice.
package enum Mutation: Hashable, Sendable {
    case remove(Int)
    /// All events of a name: of many that say the same, one more or less is nothing.
    case removeAll(named: String)
    case delay(Int, by: TimeSpan)
    case double(Int)
    case change(Int, to: Change)
    /// Observations of a client, a nanosecond apart, the first at an instant.
    case insert([Observation], client: ClientID?, at: Instant)

    /// The recording with this change; `grace` is how long the run then goes on, so that every bound still ends in it.
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

    /// For a reader: `without #12 1.500 connection.state = "connected"`.
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
    /// Puts an event behind all those of its instant.
    fileprivate mutating func insert(_ event: TraceEvent) {
        let place = events.firstIndex { $0.time > event.time } ?? events.count
        events.insert(event, at: place)
    }
}
