import SquallCore
import TemporalLogic
import Trace

/// The expectation type of this module; Swift Testing has a type of the same name.
typealias Claim = Expectation

/// Returns an instant of a test's trace, given in milliseconds and nanoseconds.
func ms(_ milliseconds: Int64, _ nanoseconds: Int64 = 0) -> Instant {
    .zero + .milliseconds(milliseconds) + TimeSpan(nanoseconds: nanoseconds)
}

/// An entry of a test's trace.
struct Entry {
    var time: Instant
    var client: ClientID?
    var observation: Observation
    /// The index of the event that caused this one.
    var cause: Int?

    func of(_ name: String) -> Entry {
        var entry = self
        entry.client = ClientID(name)
        return entry
    }

    var ofNoClient: Entry {
        var entry = self
        entry.client = nil
        return entry
    }
}

func set(_ time: Instant, _ name: String, _ value: JSON, key: String? = nil) -> Entry {
    Entry(time: time, client: .only, observation: .set(name, key: key, to: value))
}

func change(_ time: Instant, _ name: String, _ change: Change, key: String? = nil) -> Entry {
    Entry(time: time, client: .only, observation: Observation(name, key: key, change, by: .reported))
}

/// Returns an event. An event whose name does not begin with `client.` belongs to no client.
func event(_ time: Instant, _ name: String, _ fields: JSON = [:], key: String? = nil) -> Entry {
    let client: ClientID? = name.hasPrefix("client.") ? .only : nil
    return Entry(time: time, client: client, observation: .happened(name, key: key, fields, by: .observed))
}

func recording(_ entries: [Entry], end: Instant) -> Recording {
    let header = TraceHeader(
        language: 1,
        tool: "test",
        scenario: "test",
        variant: nil,
        profile: "test",
        seed: Seed(1),
        clock: .sim,
        defects: []
    )
    let events = entries.enumerated().map { index, entry in
        var event = TraceEvent(index: index, time: entry.time, client: entry.client, observation: entry.observation)
        event.cause = entry.cause
        return event
    }
    return Recording(header: header, events: events, end: end)
}

let place = SourceLocation(file: "test.yaml", line: 1, column: 1)

func expectation(
    _ formula: Formula,
    _ scope: Scope = .run,
    within bound: TimeSpan? = nil,
    clients: [ClientID] = [.only]
) -> Expectation {
    Expectation(formula, scope: scope, bound: bound, location: place, clients: clients)
}

/// Evaluates one expectation on a trace.
func judge(
    _ formula: Formula,
    _ scope: Scope = .run,
    within bound: TimeSpan? = nil,
    _ entries: [Entry],
    end: Instant,
    finished: Bool = true,
    tolerance: Tolerance = .none,
    clients: [ClientID] = [.only]
) -> Verdict {
    var recording = recording(entries, end: end)
    if !finished { recording.ending.script = .unfinished(at: place) }
    return MonitorSet.judge(
        recording,
        [expectation(formula, scope, within: bound, clients: clients)],
        tolerance: tolerance
    ).expectations[0]
}

func judge(
    _ formula: Formula,
    _ entries: [Entry],
    end: Instant,
    finished: Bool = true,
    tolerance: Tolerance = .none,
    clients: [ClientID] = [.only]
) -> Verdict {
    judge(formula, .run, entries, end: end, finished: finished, tolerance: tolerance, clients: clients)
}

/// Returns a condition that is met while the client's observable has this value.
func level(_ name: String, _ value: JSON, key: KeySelector = .none, of client: ClientSelector = .one(.only))
    -> Condition
{
    .state(ObservablePredicate(ObservableReference(name, key: key, of: client), .equals(value)))
}

func state(_ name: String, _ value: JSON) -> StateCondition {
    StateCondition([ObservablePredicate(ObservableReference(name), .equals(value))])
}

func happens(_ name: String, key: String? = nil, ordinal: Int? = nil, offset: TimeSpan = .zero) -> Condition {
    .event(EventPattern(name, key: key, ordinal: ordinal), offset: offset)
}

let connected = level("connection.state", "connected")
let offline = level("connection.state", "offline")
