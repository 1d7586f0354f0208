import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests that the server delivers MQTT messages with QoS 2 exactly once, and keeps the sessions of disconnected
/// clients.
@Suite struct MQTTDeliveryTests {
    private typealias Client = BinaryProtocolTests.Client

    private static func login(_ version: Int64 = 4, client: String = "me", clean: Bool = false, expiry: Int64? = nil)
        -> JSON
    {
        var packet: JSON = ["packet": "connect", "username": "u", "password": "key-1"]
        packet.set("version", to: .integer(version))
        packet.set("client_id", to: .string(client))
        packet.set("clean", to: .bool(clean))
        if let expiry { packet.set("properties", to: ["session_expiry": .integer(expiry)]) }
        return packet
    }

    private static let subscribe: JSON = ["packet": "subscribe", "id": 1, "filters": [["filter": "#", "qos": 2]]]

    private static func publish(_ id: Int64, dup: Bool = false) -> JSON {
        [
            "packet": "publish", "topic": "to/stukov", "qos": 2, "id": .integer(id), "dup": .bool(dup),
            "payload": "hello",
        ]
    }

    private static func names(_ packets: [JSON]) -> [String] { packets.compactMap { $0["packet"]?.stringValue } }

    private static func post(_ text: String, on client: inout Client) throws {
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text(text))])
    }

    @Test("A message that is repeated after a loss is stored once, wherever the exchange was cut", arguments: 0...2)
    func storedOnce(_ cut: Int) throws {
        var client = try Client()
        try client.send(Self.login())
        try client.send(Self.publish(5))
        if cut > 0 { try client.send(["packet": "pubrel", "id": 5]) }
        #expect(Self.names(client.received) == ["connack", "pubrec"] + (cut > 0 ? ["pubcomp"] : []))
        client.reconnect()
        try client.send(Self.login())
        // After a reconnect, a client that has received PUBREC sends PUBREL again; otherwise, it sends PUBLISH again.
        try client.send(cut == 0 ? Self.publish(5, dup: true) : ["packet": "pubrel", "id": 5])
        if cut == 2 { try client.send(["packet": "pubrel", "id": 5]) }
        #expect(client.received.first?["session_present"] == true)
        #expect(Self.names(client.received).last == (cut == 0 ? "pubrec" : "pubcomp"))
        #expect(client.stage.named("server.received.send").count == 1)
        #expect(client.stage.named("server.stored").count == 1)
        #expect(client.stage.named("server.protocol_error").isEmpty)
    }

    @Test("A resumed session has its subscription, and the messages that came while the client was away")
    func missed() throws {
        var client = try Client()
        try client.send(Self.login(), Self.subscribe)
        try Self.post("one", on: &client)
        try Self.post("two", on: &client)
        try client.send(["packet": "pubrec", "id": 2])
        client.reconnect()
        client.stage.hangUp(client.id)
        try Self.post("three", on: &client)
        client.reconnect(dropping: false)
        try client.send(Self.login())
        let packets = client.received
        #expect(Self.names(packets) == ["connack", "publish", "pubrel", "publish"])
        #expect(packets.map { $0["payload"]?["text"] } == [nil, "one", nil, "three"])
        #expect(packets.map { $0["dup"] } == [nil, true, nil, false])
        #expect(packets.map { $0["id"] } == [nil, 1, 2, 3])
        try Self.post("four", on: &client)
        #expect(client.received.last?["qos"] == 2)
    }

    @Test("A clean session has neither subscriptions nor messages, and ends the one before")
    func clean() throws {
        var client = try Client()
        try client.send(Self.login(), Self.subscribe)
        client.reconnect()
        try client.send(Self.login(clean: true))
        try Self.post("one", on: &client)
        client.reconnect()
        try client.send(Self.login())
        #expect(client.received == [["packet": "connack", "session_present": false, "reason": 0]])
    }

    @Test("In MQTT 5.0 a session lives for its expiry interval", arguments: [(59, true), (61, false)])
    func expiry(_ seconds: Int64, _ isKept: Bool) throws {
        var client = try Client()
        try client.send(Self.login(5, expiry: 60), Self.subscribe)
        client.stage.hangUp(client.id)
        client.stage.advance(.seconds(seconds))
        client.reconnect(dropping: false)
        try client.send(Self.login(5, expiry: 60))
        #expect(client.received.first?["session_present"] == .bool(isKept))
    }

    @Test("A restart of the server keeps sessions unless it loses its state", arguments: [true, false])
    func restart(_ isKept: Bool) throws {
        var client = try Client()
        try client.send(Self.login(), Self.subscribe)
        try client.stage.act(
            "restart",
            [("down", .duration(.seconds(1))), ("state", .text(isKept ? "keep" : "lose"))]
        )
        client.stage.advance(.seconds(2))
        client.reconnect(dropping: false)
        try client.send(Self.login())
        #expect(client.received.first?["session_present"] == .bool(isKept))
    }

    @Test("A second connection with the same identifier ends the first and takes its session over")
    func takenOver() throws {
        var client = try Client()
        try client.send(Self.login(5, expiry: 60), Self.subscribe)
        try Self.post("one", on: &client)
        let (old, before) = (client.id, client.received)
        #expect(Self.names(before) == ["connack", "suback", "publish"])
        client.reconnect(dropping: false)
        try client.send(Self.login(5, expiry: 60))
        #expect(Self.names(client.received) == ["connack", "publish"])
        #expect(client.received.first?["session_present"] == true)
        #expect(client.stage.close(old) != nil)
    }

    @Test("A wrong key neither resumes nor ends the session of its owner")
    func wrongKey() throws {
        var client = try Client()
        try client.send(Self.login(), Self.subscribe)
        client.reconnect()
        var wrong = Self.login(clean: true)
        wrong.set("password", to: "wrong")
        try client.send(wrong)
        client.reconnect()
        try client.send(Self.login())
        #expect(client.received.first?["session_present"] == true)
    }

    @Test("A client without an identifier gets one in MQTT 5.0, and no lasting session in MQTT 3.1.1")
    func withoutIdentifier() throws {
        var client = try Client()
        try client.send(Self.login(5, client: "", clean: true))
        #expect(client.received.first?["properties"]?["assigned_client_identifier"]?.stringValue?.isEmpty == false)
        client.reconnect()
        try client.send(Self.login(client: "", clean: true))
        #expect(client.received.first?["reason"] == 0)
        client.reconnect()
        try client.send(Self.login(client: "", clean: false))
        #expect(client.received == [["packet": "connack", "session_present": false, "reason": 0x85]])
        #expect(client.stage.close(client.id) != nil)
    }
}
