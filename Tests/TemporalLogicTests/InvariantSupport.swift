import SquallCore
import TemporalLogic

/// Settings that allow every invariant to be evaluated.
let everything = InvariantSettings(
    backoff: BackoffBounds(base: .seconds(1), cap: .seconds(8), floor: .seconds(1), jitter: Ratio(1, of: 4) ?? .never),
    deadTime: .seconds(40),
    pongLimit: .seconds(10),
    liveness: .seconds(30),
    refetch: .seconds(2),
    transitions: [
        StateTransition("idle", "connecting"), StateTransition("connecting", "connected"),
        StateTransition("connected", "reconnecting"), StateTransition("reconnecting", "connected"),
        StateTransition("reconnecting", "unavailable"), StateTransition("unavailable", "connecting"),
        StateTransition("connected", "offline"), StateTransition("offline", "connecting"),
    ]
)

/// Returns the verdict of an invariant on a trace.
func judge(
    _ name: InvariantName,
    _ entries: [Entry],
    end: Instant,
    settings: InvariantSettings = everything,
    clients: [ClientID] = [.only],
    tolerance: Tolerance = .none
) -> Verdict {
    let sorted = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
        \.element
    )
    let judgement = MonitorSet.judge(
        recording(sorted, end: end),
        [],
        invariants: settings,
        clients: clients,
        tolerance: tolerance
    )
    return judgement.invariants.first { $0.name == name }?.verdict ?? .skipped("not judged at all")
}

func connection(_ time: Instant, _ word: JSON) -> Entry { set(time, "connection.state", word) }

/// The entries for a client that starts at 0 ms and connects at 100 ms.
let connectedAtOnce = [
    event(ms(0), "client.started"), connection(ms(0), "idle"), event(ms(1), "client.attempt.began", ["number": 1]),
    connection(ms(1), "connecting"), event(ms(50), "client.received.hello"), event(ms(50), "client.sent.connect"),
    event(ms(100), "client.received.connected", ["resumed": false]),
    event(ms(100), "client.connected", ["resumed": false]),
    connection(ms(100), "connected"),
]

func stored(_ time: Instant, _ key: String, _ sequence: Int64 = 1) -> Entry {
    event(
        time,
        "server.stored",
        ["conversation": "stukov", "sequence": .integer(sequence), "origin": "client"],
        key: key
    )
}

func accepted(_ time: Instant, _ key: String) -> Entry {
    event(time, "client.accepted", ["conversation": "stukov"], key: key)
}

func status(_ time: Instant, _ key: String, _ word: JSON) -> Entry {
    set(time, "message.status", word, key: key)
}
