import SquallCore
import Trace

/// All events in a run and all changes to its observables, in order.
public struct ScenarioTrace: Sendable {
    private let recording: Recording

    init(_ recording: Recording) {
        self.recording = recording
    }

    /// The events in the order in which they were observed.
    public var events: [Event] { recording.events.map { Event($0) } }

    /// The trace in the format of `squall trace`: a header, one line per event, and an end line. Times are whole
    /// nanoseconds.
    public var jsonLines: String { String(decoding: TraceCodec.encode(recording), as: UTF8.self) }

    /// One event, or one change to an observable.
    public struct Event: Hashable, Sendable {
        private let event: TraceEvent

        init(_ event: TraceEvent) {
            self.event = event
        }

        /// The index of the event in the trace, from 0.
        public var index: Int { event.index }
        /// The time since the start of the run.
        public var time: Duration { .nanoseconds(event.time.nanoseconds) }
        /// The client's name; nil for server and network events.
        public var client: String? { event.client?.name }
        /// The full name of the event or observable, such as `connection.state` or `server.stored`; `squall explain
        /// NAME` documents it.
        public var name: String { event.name }
        /// The key that follows the name in brackets; nil if the event or observable has no key.
        public var key: String? { event.key }
        /// The fields of an event, or the new value of an observable; nil if only elements of a list have changed.
        public var value: JSONValue? {
            switch event.observation.change {
            case .happened(let fields): JSONValue(fields)
            case .set(let value): JSONValue(value)
            case .inserted, .removed, .replaced: nil
            }
        }
    }
}

extension ScenarioTrace.Event: CustomStringConvertible {
    /// The time, the client and the event, formatted as by `squall trace show`.
    public var description: String { "\(event)" }
}
