import SquallCore
import Trace

/// `states_well_formed`: no state is reported twice in a row, all transitions are legal, and every loss of a connection
/// is reported.
struct StatesWellFormed: StandingInvariant {
    let interest = InvariantKinds(.connectionState, .connected, .disconnected, .started, .killed)
    private let transitions: [StateTransition]
    private let liveStates: [String]
    private var record = FindingRecorder(until: "the client never reported its connection state")
    private var state: (word: String, event: Int)?
    /// Whether the client has reported a connection and has not reported its end yet.
    private var isConnected = false
    /// A connection loss that a state change implies but the client has not reported yet.
    private var loss: (time: Instant, from: String, to: String, event: Int)?
    /// The states that can follow a connected state only if the connection was lost.
    private static let lossStates = ["reconnecting", "connecting"]

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        transitions = settings.transitions
        liveStates = settings.liveStates
    }

    var finding: Finding { record.finding }
    /// The instant of a loss that the client has not reported yet; the report may still follow at the same instant.
    var deadline: Instant? { loss?.time }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .connected: isConnected = true
        case .disconnected:
            isConnected = false
            loss = nil
            guard event.observation.provenance == .reported, event.fields?["failure"]?.stringValue == nil else {
                return
            }
            record.violate("client.disconnected at \(event.time) without a reason", events: [event.index])
        case .started, .killed:
            isConnected = false
            loss = nil
            state = nil
        default:
            guard case .set(let value) = event.observation.change, let word = value.stringValue else { return }
            follow(word, event)
        }
    }

    private mutating func follow(_ word: String, _ event: TraceEvent) {
        record.recordCheck()
        defer { state = (word, event.index) }
        guard let state else { return }
        if state.word == word {
            record.violate(
                "connection.state \(word) twice in a row, at \(event.time)",
                events: [state.event, event.index]
            )
        } else if !transitions.isEmpty, !transitions.contains(StateTransition(state.word, word)) {
            record.violate(
                "connection.state went from \(state.word) to \(word) at \(event.time), which is not a legal transition",
                events: [state.event, event.index]
            )
        }
        if isConnected, liveStates.contains(state.word), Self.lossStates.contains(word) {
            loss = (event.time, state.word, word, event.index)
        }
    }

    mutating func expire(_ circumstances: Circumstances) {
        guard let lost = loss else { return }
        loss = nil
        record.violate(
            "connection.state went from \(lost.from) to \(lost.to) at \(lost.time) without client.disconnected",
            by: lost.time,
            events: [lost.event]
        )
    }
}
