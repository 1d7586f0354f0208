import SquallCore
import Trace

/// Builds a trace by hand, with a clock that the test advances.
struct TraceSketch {
    private(set) var recorder = TraceRecorder()
    private(set) var now = Instant.zero

    mutating func wait(_ milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
    }

    mutating func wait(until milliseconds: Int64) {
        now = max(now, .zero + .milliseconds(milliseconds))
    }

    @discardableResult
    mutating func happened(
        _ name: String,
        _ key: String? = nil,
        _ fields: JSON = [:],
        of client: ClientID? = .only,
        by provenance: Provenance? = nil,
        because cause: Int? = nil
    ) -> Int {
        let provenance = provenance ?? TraceSketch.provenance(of: name)
        return record(.happened(name, key: key, fields, by: provenance), client, cause)
    }

    @discardableResult
    mutating func shows(
        _ name: String,
        _ key: String? = nil,
        _ value: JSON,
        of client: ClientID? = .only,
        because cause: Int? = nil
    ) -> Int {
        record(.set(name, key: key, to: value), client, cause)
    }

    @discardableResult
    mutating func changes(_ name: String, _ key: String, _ change: Change) -> Int {
        record(Observation(name, key: key, change, by: .reported), .only, nil)
    }

    /// Adds a frame from the client to the server that takes 20 ms or, if `lost`, never arrives.
    mutating func up(_ role: String, _ key: String? = nil, _ fields: JSON = [:], lost: Bool = false) {
        happened("client.sent.\(role)", key, fields)
        guard !lost else { return }
        wait(20)
        happened("server.received.\(role)", key, fields)
    }

    mutating func down(_ role: String, _ key: String? = nil, _ fields: JSON = [:], lost: Bool = false) {
        happened("server.sent.\(role)", key, fields)
        guard !lost else { return }
        wait(20)
        happened("client.received.\(role)", key, fields)
    }

    private mutating func record(_ observation: Observation, _ client: ClientID?, _ cause: Int?) -> Int {
        recorder.record(observation, client: client, at: now, cause: cause).index
    }

    private static func provenance(of name: String) -> Provenance {
        for actor in ["user.", "device.", "network.", "fault."] where name.hasPrefix(actor) { return .injected }
        return name.hasPrefix("client.") && !name.hasPrefix("client.sent.") && !name.hasPrefix("client.received.")
            ? .reported : .observed
    }

    func recording(file: String, defects: [String] = [], seed: UInt64 = 42) -> Recording {
        let header = TraceHeader(
            language: 1,
            tool: "squall 1.0",
            scenario: file,
            variant: nil,
            profile: "chat-ux",
            seed: Seed(seed),
            clock: .sim,
            defects: defects
        )
        return recorder.recording(header, end: now)
    }
}

extension TraceSketch {
    /// Adds the events of a client that starts, opens a conversation and connects.
    mutating func connect() {
        happened("server.started", of: nil)
        happened("client.started", by: .injected)
        shows("connection.state", nil, "idle")
        shows("connection.open_sockets", nil, 0)
        shows("banner.kind", nil, nil)
        happened("user.open", nil)
        let attempt = happened("client.attempt.began", nil, ["number": 1])
        shows("connection.state", nil, "connecting", because: attempt)
        wait(12)
        happened("network.accepted", nil, ["link": 1])
        happened("server.accepted")
        shows("connection.open_sockets", nil, 1)
        shows("connection.state", nil, "authenticating")
        down("hello", nil, ["version": "1.4", "auth_version": 2])
        up("connect", nil, ["session": nil])
        down("connected", nil, ["resumed": false, "last_sequence": 41])
        let connected = happened("client.connected", nil, ["resumed": false])
        shows("connection.state", nil, "connected", because: connected)
        happened("client.requested.messages", nil, ["method": "GET", "target": "/conversations/stukov/messages"])
        wait(8)
        happened("server.requested.messages", nil, ["method": "GET"])
        happened("server.answered.messages", nil, ["status": 200])
        wait(9)
        happened("client.answered.messages", nil, ["status": 200])
        shows("conversation.messages", "stukov", ["m39", "m40", "m41"])
        shows("view.phase", nil, "rows")
    }

    /// Adds a message that the user sends and the server confirms.
    mutating func send(_ label: String, _ sequence: Int64) {
        happened("user.send", label)
        let accepted = happened("client.accepted", label, ["conversation": "stukov", "label": .string(label)])
        changes("conversation.messages", "stukov", .inserted(at: 3, .string(label)))
        shows("message.status", label, "sending", because: accepted)
        up("send", label, ["conversation": "stukov"])
        happened(
            "server.stored",
            label,
            ["conversation": "stukov", "sequence": .integer(sequence), "sender": "user", "origin": "client"]
        )
        down("confirm", label, ["sequence": .integer(sequence), "duplicate": false])
        shows("message.status", label, "delivered")
        shows("sync.last_sequence", nil, .integer(sequence))
    }

    mutating func ping() {
        up("ping", nil, ["id": "p"])
        down("pong", nil, ["id": "p"])
    }
}
