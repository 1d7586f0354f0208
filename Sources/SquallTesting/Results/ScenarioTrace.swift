import SquallCore
import Trace

/// All events and changes of a run, in order.
public struct ScenarioTrace: Sendable {
    private let recording: Recording

    init(_ recording: Recording) {
        self.recording = recording
    }

    /// The events in the order in which they were seen.
    public var events: [Event] { recording.events.map { Event($0) } }

    /// As `squall trace` reads it: a header, a line an event, an end. Times are whole nanoseconds.
    public var jsonLines: String { String(decoding: TraceCodec.encode(recording), as: UTF8.self) }

    /// One thing that was seen, said or done.
    public struct Event: Hashable, Sendable {
        private let event: TraceEvent

        init(_ event: TraceEvent) {
            self.event = event
        }

        /// Place in the trace, from 0.
        public var index: Int { event.index }
        /// Since the run began.
        public var time: Duration { .nanoseconds(event.time.nanoseconds) }
        /// Whose it is; nil for the server's and the network's own.
        public var client: String? { event.client?.name }
        /// In full: `connection.state`, `server.stored`; `squall explain NAME` tells what it means.
        public var name: String { event.name }
        /// What stands in brackets behind the name, where it has a key.
        public var key: String? { event.key }
        /// The fields of an event, or the new value of an observable; nil for an edit of a list.
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
    /// Time, whose, what: as `squall trace show` has it.
    public var description: String { "\(event)" }
}
