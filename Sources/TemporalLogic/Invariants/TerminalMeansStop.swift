import SquallCore
import Trace

/// `terminal_means_stop`: a client that has given up makes no attempt until it is asked to.
struct TerminalMeansStop: StandingInvariant {
    let interest = InvariantKinds(.connectionState, .gaveUp, .left, .attemptBegan, .started, .killed)
    private let states: [String]
    private var record = Record(until: "the client never gave up")
    /// The event with which the client gave up; nil while it has not.
    private var end: Int?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        states = settings.terminalStates
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .gaveUp, .left: stop(by: event)
        case .connectionState:
            // A new state is not an attempt; only giving up again replaces the event.
            if let state = circumstances.state, states.contains(state), end == nil { stop(by: event) }
        case .attemptBegan:
            guard let end else { return }
            if circumstances.lastAsk < end {
                record.violate(
                    "client.attempt.began at \(event.time), although the client had given up and was not asked to",
                    events: [end, event.index]
                )
            }
            self.end = nil
        default: end = nil
        }
    }

    private mutating func stop(by event: TraceEvent) {
        record.keep()
        end = end ?? event.index
    }
}
