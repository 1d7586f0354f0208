import SquallCore
import Trace

/// `frugal`: the client pings no more often than its interval says, and asks for no message that it has.
struct Frugal: StandingInvariant {
    let interest = InvariantKinds(
        .sentPing,
        .sentSync,
        .lastSequence,
        .attemptBegan,
        .foreground,
        .woke,
        .allowed,
        .started,
        .killed
    )
    private let interval: TimeSpan?
    private var record = Record(until: "the client sent neither pings nor requests for missed messages")
    /// The last ping of the connection, unless the client had a reason to ping at once.
    private var ping: (time: Instant, event: Int)?
    private var sequence: (value: Int64, event: Int)?

    init(_ settings: InvariantSettings, _ tolerance: Tolerance) {
        // Half an interval leaves room for a timer that fires early or late.
        interval = settings.pingInterval.map { TimeSpan(nanoseconds: $0.nanoseconds / 2) }
    }

    var finding: Finding { record.finding }

    mutating func observe(
        _ event: TraceEvent,
        _ kind: InvariantKind,
        _ circumstances: Circumstances,
        _ messages: MessageLedger
    ) {
        switch kind {
        case .sentPing where event.fields?["link"] != nil: break
        case .sentPing:
            defer { ping = (event.time, event.index) }
            guard let interval else { return }
            record.keep()
            guard let ping, event.time - ping.time < interval else { return }
            let distance = (event.time - ping.time).milliseconds
            record.violate(
                "client.sent.ping at \(event.time), \(distance) ms after the ping before; expected at least "
                    + "\(interval)",
                events: [ping.event, event.index]
            )
        case .sentSync:
            record.keep()
            guard let sequence, let asked = event.fields?["last_sequence"]?.intValue, asked < sequence.value else {
                return
            }
            record.violate(
                "client.sent.sync at \(event.time) asked for the messages after \(asked), although the client had those "
                    + "up to \(sequence.value)",
                events: [sequence.event, event.index]
            )
        case .lastSequence:
            guard case .set(let value) = event.observation.change else { return }
            sequence = value.intValue.map { ($0, event.index) }
        case .started, .killed:
            ping = nil
            sequence = nil
        // A tap on a notification brings the app to the foreground.
        case .allowed where event.name != "user.tap": break
        default: ping = nil
        }
    }
}
