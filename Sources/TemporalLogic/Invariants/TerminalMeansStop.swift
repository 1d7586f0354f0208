import SquallCore
import Trace

/// `terminal_means_stop`: a client that has given up makes no connection attempt until it is asked to, or until the
/// pause set in its profile has elapsed.
struct TerminalMeansStop: StandingInvariant {
    let interest = InvariantKinds(
        .connectionState,
        .gaveUp,
        .left,
        .signedOut,
        .disconnected,
        .attemptBegan,
        .connected,
        .started,
        .killed
    )
    private let states: [String]
    /// The minimum time between `client.gave_up` and an unrequested attempt; nil if unrequested attempts are not
    /// allowed.
    private let pause: TimeSpan?
    private var record = FindingRecorder(until: "the client never gave up")
    /// The index of the event at which the client gave up; nil if it has not given up.
    private var end: Int?
    /// The instant at which the client gave up or, if later, last made an attempt. Nil if it has not given up, or if it
    /// may try again only when the user asks it to.
    private var pausedSince: Instant?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        states = settings.terminalStates
        pause = settings.pauseAfterGivingUp.map { $0 - tolerance.of($0) }
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .gaveUp: stop(by: event, isFinal: false)
        case .left, .signedOut: stop(by: event, isFinal: true)
        case .disconnected: if event.fields?["failure"] == Circumstances.dismissal { stop(by: event, isFinal: true) }
        case .connectionState:
            if let state = circumstances.state, states.contains(state) { stop(by: event, isFinal: true) }
        case .attemptBegan:
            guard let end else { return }
            if circumstances.lastConnectTrigger < end {
                if let pausedSince, let pause, pausedSince + pause <= event.time {
                    self.pausedSince = event.time
                    return
                }
                record.violate(
                    "client.attempt.began at \(event.time), although the client had given up and was not asked to",
                    events: [end, event.index]
                )
            }
            self.end = nil
        default: end = nil
        }
    }

    private mutating func stop(by event: TraceEvent, isFinal: Bool) {
        record.recordCheck()
        if end == nil { pausedSince = event.time }
        if isFinal { pausedSince = nil }
        end = end ?? event.index
    }
}
