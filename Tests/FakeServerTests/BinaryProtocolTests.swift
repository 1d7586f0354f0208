import ChatWire
import FakeServer
import Faults
import MQTTWire
import SquallCore
import Testing
import WebSocketWire

/// Tests the server with `encoding: mqtt`, whose frames are packets in binary messages.
@Suite struct BinaryProtocolTests {
    static func wire() throws -> WireProfile {
        var ours: JSON = [
            "connect": ["frame": ["packet": "connect", "password": "{api_key}"]],
            "ping": ["frame": ["packet": "pingreq"]],
            "send": [
                "frame": ["packet": "publish", "topic": "to/{conversation_id}", "id": "{$ref}", "payload": "{text}"]
            ],
        ]
        var theirs: JSON = [
            "connected": [
                "frame": ["packet": "connack", "reason": 0],
                "assume": ["session_id": "", "resumed": false, "last_seq": 0],
            ],
            "auth_error": ["frame": ["packet": "connack", "reason": 135], "assume": ["message": "no"]],
            "pong": ["frame": ["packet": "pingresp"]],
            "confirm": [
                "answers": "send", "frame": ["packet": "puback", "id": "{$ref}"],
                "assume": ["message_id": "", "seq": 0, "timestamp": 0, "duplicate": false],
            ],
            "message": [
                "after": "subscribe",
                "frame": [
                    "packet": "publish", "topic": "from/{conversation_id}", "qos": 1, "id": "{$number}",
                    "payload": ["id": "{message_id}", "seq": "{seq}", "text": "{text}"],
                ],
                "assume": ["timestamp": 0, "sender_id": "stukov"],
            ],
            "draining": ["frame": ["packet": "disconnect", "reason": 139], "assume": ["message": "bye"]],
        ]
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        let subscribe: JSON = [
            "frame": ["packet": "subscribe", "id": "{$ref}"],
            "replies": [["frame": ["packet": "suback", "id": "{$ref}", "reasons": [1]]]],
        ]
        var wire = WireProfile()
        wire.frames = try FrameMap.read(
            ["client": ours, "server": theirs, "extras": ["subscribe": subscribe], "encoding": "mqtt"]
        ).get()
        return wire
    }

    /// A simulated MQTT 3.1.1 client that records the packets it receives.
    struct Client {
        var stage: Stage
        private(set) var id: LinkID
        private var packets = MQTTStream()

        init() throws {
            stage = Stage(wire: try BinaryProtocolTests.wire())
            id = stage.open("anna")
        }

        /// Sends packets in WebSocket messages of at most `size` bytes.
        mutating func send(_ sent: JSON..., by size: Int = .max) throws {
            var bytes: [UInt8] = []
            for packet in sent { bytes += try packets.write(packet) }
            while !bytes.isEmpty {
                stage.sayBinary(Array(bytes.prefix(size)), on: id)
                bytes.removeFirst(min(size, bytes.count))
            }
        }

        mutating func logIn(key: String = "key-1") throws {
            try send(["packet": "connect", "client_id": "a", "username": "u", "password": .string(key)])
        }

        /// Drops the connection and opens another one.
        mutating func reconnect(dropping: Bool = true) {
            if dropping { stage.hangUp(id) }
            id = stage.open("anna")
            packets = MQTTStream()
        }

        /// All packets that the server has sent on this connection so far.
        var received: [JSON] {
            var reader = packets
            return stage.oddities(id).flatMap { message in
                guard case .binary(let bytes) = message else { return [JSON]() }
                return reader.read(bytes, from: .server).packets
            }
        }
    }

    private static let accepted: JSON = ["packet": "connack", "session_present": false, "reason": 0]

    @Test("MQTT packets are answered, however WebSocket messages split them", arguments: [1, 3, .max])
    func answered(_ size: Int) throws {
        var client = try Client()
        try client.send(
            ["packet": "connect", "client_id": "a", "username": "u", "password": "key-1"],
            ["packet": "subscribe", "id": 1, "filters": [["filter": "#", "qos": 1]]],
            ["packet": "publish", "topic": "to/stukov", "qos": 1, "id": 2, "payload": "hello"],
            ["packet": "pingreq"],
            by: size
        )
        #expect(
            client.received == [
                Self.accepted, ["packet": "suback", "id": 1, "reasons": [1]],
                ["packet": "puback", "id": 2, "reason": 0], ["packet": "pingresp"],
            ]
        )
        #expect(client.stage.named("server.stored").count == 1)
        #expect(client.stage.named("server.protocol_error").isEmpty)
    }

    @Test("A published message is delivered to subscribers with the next packet identifier")
    func published() throws {
        var client = try Client()
        try client.logIn()
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("lost"))])
        try client.send(["packet": "subscribe", "id": 1, "filters": [["filter": "#", "qos": 1]]])
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("one"))])
        try client.stage.act("post", [("to", .text("stukov")), ("text", .text("two"))])
        let published = client.received.filter { $0["packet"] == "publish" }
        #expect(published.map { $0["id"] } == [1, 2])
        #expect(published.map { $0["payload"]?["text"] } == ["one", "two"])
        #expect(published.map { $0["topic"] } == ["from/stukov", "from/stukov"])
    }

    @Test("A wrong key is refused with the return code of the client's MQTT version")
    func wrongKey() throws {
        var client = try Client()
        try client.logIn(key: "wrong")
        #expect(client.received == [["packet": "connack", "session_present": false, "reason": 135]])
        #expect(client.stage.oddities(client.id).first == .binary([0x20, 2, 0, 5]))
        #expect(client.stage.close(client.id)?.code == CloseCode(1008))
    }

    @Test(
        "A text message or bytes that are not an MQTT packet close the connection",
        arguments: [nil, [0x00], [0xC0, 1, 0]]
    )
    func violations(_ bytes: [UInt8]?) throws {
        var client = try Client()
        try client.logIn()
        if let bytes {
            client.stage.sayBinary([0xC0, 0] + bytes + [0xC0, 0], on: client.id)
        } else {
            client.stage.say(#"{"packet":"pingreq"}"#, on: client.id)
        }
        // The server answers the packets before the violation and ignores those after it.
        #expect(client.received == (bytes == nil ? [Self.accepted] : [Self.accepted, ["packet": "pingresp"]]))
        #expect(client.stage.named("server.protocol_error").count == 1)
        #expect(client.stage.close(client.id)?.code == .protocolError)
    }

    @Test("A frame that the client's MQTT version cannot express is reported and not sent")
    func unsayable() throws {
        var client = try Client()
        try client.logIn()
        try client.stage.act("drain", [])
        #expect(client.received == [Self.accepted])
        #expect(client.stage.named("server.unsaid").count == 1)
    }
}
