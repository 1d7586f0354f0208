import SquallCore
import Trace

func ms(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

func header(scenario: String = "restart") -> TraceHeader {
    TraceHeader(
        language: 1,
        tool: "squall 1.0",
        scenario: scenario,
        variant: nil,
        profile: "chat-ux",
        seed: Seed(7),
        clock: .sim,
        defects: []
    )
}

/// Returns a recording of the observations, spaced ten milliseconds apart.
func recording(_ observations: [Observation], client: ClientID? = .only, end: Instant? = nil) -> Recording {
    var recorder = TraceRecorder()
    for (step, observation) in observations.enumerated() {
        recorder.record(observation, client: client, at: ms(Int64(step) * 10), cause: nil)
    }
    return recorder.recording(header(), end: end ?? ms(Int64(observations.count) * 10))
}

func happened(_ name: String, key: String? = nil, _ fields: JSON = [:]) -> Observation {
    .happened(name, key: key, fields, by: .observed)
}

func edit(_ name: String, key: String? = nil, _ change: Change) -> Observation {
    Observation(name, key: key, change, by: .reported)
}

/// Observations of every kind that a trace can contain.
let variety: [Observation] = [
    .set("connection.state", to: "connected"),
    .set("toast.text", to: nil),
    happened("server.stored", key: "hello", ["conversation": "stukov", "sequence": 1]),
    .set("conversation.messages", key: "stukov", to: ["a", "b"]),
    edit("conversation.messages", key: "stukov", .inserted(at: 1, "c")),
    edit("conversation.messages", key: "stukov", .replaced(at: 0, "d")),
    edit("conversation.messages", key: "stukov", .removed(at: 2)),
    .happened("fault.began", key: "tunnel", ["fault": "stall"], by: .injected),
    .set("toast.text", to: "\"Grüße\"\n\u{2028}"),
]
