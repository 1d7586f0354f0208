import SquallCore
import Trace

/// `terminal_means_stop`: no attempt after the client has given up, until someone asks.
struct TerminalMeansStop: StandingInvariant {
    let interest = InvariantKinds(.connectionState, .gaveUp, .left, .attemptBegan, .started, .killed)
    private let states: [String]
    private var record = Record(until: "the client never gave up")
    /// The event with which it gave up; nil while it goes on.
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
            // Asked or not, a state is not an attempt; only giving up again begins anew.
            if let state = circumstances.state, states.contains(state), end == nil { stop(by: event) }
        case .attemptBegan:
            guard let end else { return }
            if circumstances.lastAsk < end {
                record.violate(
                    "client.attempt.began at \(event.time), although the client had given up and nobody asked",
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
