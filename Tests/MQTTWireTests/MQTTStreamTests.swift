import MQTTWire
import SquallCore
import Testing

/// Tests the encoding and decoding of control packets in both versions.
@Suite struct MQTTStreamTests {
    private static func stream(_ version: Int64) throws -> MQTTStream {
        var stream = MQTTStream()
        _ = try stream.write(["packet": "connect", "version": .integer(version)])
        return stream
    }

    /// Returns the packets that an endpoint reads from the bytes, or nil if they violate this version of the protocol.
    private static func read(_ bytes: [UInt8], _ version: Int64 = 4) throws -> [JSON]? {
        var stream = try stream(version)
        let (packets, violation) = stream.read(bytes, from: .server)
        return violation == nil ? packets : nil
    }

    @Test("Packets of MQTT 3.1.1 are encoded to the bytes of its specification")
    func bytesOfTheSpecification() throws {
        var stream = MQTTStream()
        #expect(
            try stream.write([
                "packet": "connect", "keep_alive": 20, "client_id": "me", "username": "u", "password": "k",
            ]) == [0x10, 20, 0, 4] + Array("MQTT".utf8) + [4, 0xC2, 0, 20, 0, 2] + Array("me".utf8) + [
                0, 1, 0x75, 0, 1, 0x6B,
            ]
        )
        let packets: [(JSON, [UInt8])] = [
            (["packet": "connack", "session_present": true], [0x20, 2, 1, 0]),
            (["packet": "connack", "reason": 0x87], [0x20, 2, 0, 5]),
            (["packet": "publish", "topic": "a/b", "payload": "hi"], [0x30, 7, 0, 3, 0x61, 0x2F, 0x62, 0x68, 0x69]),
            (
                ["packet": "publish", "topic": "a", "qos": 1, "id": 10, "dup": true, "retain": true],
                [0x3B, 5, 0, 1, 0x61, 0, 10]
            ),
            (["packet": "puback", "id": 258], [0x40, 2, 1, 2]),
            (["packet": "pubrel", "id": 1], [0x62, 2, 0, 1]),
            (
                ["packet": "subscribe", "id": 1, "filters": [["filter": "a/#", "qos": 1]]],
                [0x82, 8, 0, 1, 0, 3, 0x61, 0x2F, 0x23, 1]
            ),
            (["packet": "suback", "id": 1, "reasons": [1, 0x87]], [0x90, 4, 0, 1, 1, 0x80]),
            (["packet": "unsubscribe", "id": 2, "filters": ["+"]], [0xA2, 5, 0, 2, 0, 1, 0x2B]),
            (["packet": "unsuback", "id": 2, "reasons": [0]], [0xB0, 2, 0, 2]),
            (["packet": "pingreq"], [0xC0, 0]), (["packet": "pingresp"], [0xD0, 0]),
            (["packet": "disconnect"], [0xE0, 0]),
        ]
        for (packet, bytes) in packets { #expect(try stream.write(packet) == bytes, "\(packet)") }
    }

    /// Decoded packets, with every member present.
    private static let shared: [JSON] = [
        ["packet": "publish", "topic": "a", "qos": 0, "retain": false, "dup": false, "payload": ""],
        ["packet": "publish", "topic": "ä/ö", "qos": 2, "retain": true, "dup": true, "id": 65535, "payload": "text"],
        [
            "packet": "publish", "topic": "a", "qos": 1, "retain": false, "dup": false, "id": 1,
            "payload": ["n": [1, nil, "x"]],
        ],
        ["packet": "publish", "topic": "a", "qos": 0, "retain": false, "dup": false, "payload_hex": "ff00"],
        ["packet": "puback", "id": 7, "reason": 0], ["packet": "pubrec", "id": 7, "reason": 0],
        ["packet": "pubrel", "id": 7, "reason": 0], ["packet": "pubcomp", "id": 7, "reason": 0],
        ["packet": "suback", "id": 7, "reasons": [0, 1, 2, 128]],
        ["packet": "unsubscribe", "id": 7, "filters": ["a/+/b", "#"]],
        ["packet": "pingreq"], ["packet": "pingresp"], ["packet": "disconnect", "reason": 0],
        ["packet": "connack", "session_present": true, "reason": 0],
        ["packet": "connack", "session_present": false, "reason": 135],
    ]
    private static let user: JSON = ["user": ["name": "value", "empty": ""]]
    private static let newest: [JSON] =
        shared + [
            [
                "packet": "connack", "session_present": false, "reason": 0,
                "properties": [
                    "session_expiry": 4_294_967_295, "receive_maximum": 65535, "maximum_qos": 1, "retain_available": 0,
                    "maximum_packet_size": 1, "assigned_client_identifier": "id", "topic_alias_maximum": 0,
                    "reason_string": "why", "wildcards_available": 1, "subscription_identifiers_available": 1,
                    "shared_subscriptions_available": 0, "server_keep_alive": 9, "response_information": "r",
                    "server_reference": "other", "authentication_method": "m", "authentication_data": "00ff",
                    "user": ["name": "value"],
                ],
            ],
            [
                "packet": "publish", "topic": "a", "qos": 0, "retain": false, "dup": false,
                "properties": [
                    "payload_format": 1, "message_expiry": 60, "topic_alias": 3, "response_topic": "b",
                    "correlation_data": "01", "subscription_identifier": 268_435_455, "content_type": "json",
                ], "payload": "x",
            ],
            ["packet": "puback", "id": 7, "reason": 135, "properties": user],
            ["packet": "pubrec", "id": 7, "reason": 16],
            [
                "packet": "subscribe", "id": 7, "properties": user,
                "filters": [
                    ["filter": "a", "qos": 2, "no_local": true, "retain_as_published": true, "retain_handling": 2]
                ],
            ],
            ["packet": "suback", "id": 7, "properties": user, "reasons": [135]],
            ["packet": "unsubscribe", "id": 7, "properties": user, "filters": ["a"]],
            ["packet": "unsuback", "id": 7, "reasons": [0, 17]],
            ["packet": "disconnect", "reason": 139, "properties": ["reason_string": "bye"]],
            ["packet": "disconnect", "reason": 4],
            ["packet": "auth", "reason": 24, "properties": ["authentication_method": "m"]],
        ]
    private static let older: [JSON] =
        shared + [
            ["packet": "unsuback", "id": 7], ["packet": "subscribe", "id": 7, "filters": [["filter": "a", "qos": 2]]],
        ]

    static let connects: [JSON] = [
        ["packet": "connect", "version": 4, "clean": true, "keep_alive": 0, "client_id": ""],
        [
            "packet": "connect", "version": 4, "clean": false, "keep_alive": 65535, "client_id": "me",
            "will": ["topic": "gone", "payload": ["who": "me"], "qos": 2, "retain": true], "username": "u",
            "password": "",
        ],
        [
            "packet": "connect", "version": 5, "clean": true, "keep_alive": 30, "properties": ["session_expiry": 60],
            "client_id": "me",
            "will": ["properties": ["will_delay": 5], "topic": "gone", "payload": "", "qos": 0, "retain": false],
            "password": "k",
        ],
    ]

    static func packets(_ version: Int64) -> [JSON] { version == 5 ? newest : older }

    @Test("A packet survives encoding and decoding", arguments: [Int64(4), 5])
    func roundTrip(_ version: Int64) throws {
        for packet in Self.packets(version) {
            var stream = try Self.stream(version)
            #expect(try Self.read(stream.write(packet), version) == [packet])
        }
    }

    @Test("CONNECT survives encoding and decoding, and sets the protocol version")
    func connectRoundTrip() throws {
        for packet in Self.connects {
            var (client, server) = (MQTTStream(), MQTTStream())
            let found = server.read(try client.write(packet), from: .client)
            #expect(found.packets == [packet] && found.violation == nil)
            #expect(
                server.version == client.version
                    && server.version?.rawValue.description == packet["version"]?.description
            )
        }
    }

    @Test("MQTT 3.1.1 encoding omits properties and refuses values that the version cannot express")
    func olderVersion() throws {
        var stream = try Self.stream(4)
        #expect(
            try stream.write(["packet": "puback", "id": 1, "properties": ["reason_string": "why"]]) == [0x40, 2, 0, 1]
        )
        let unsayable: [JSON] = [
            ["packet": "disconnect", "reason": 139], ["packet": "auth"], ["packet": "puback", "id": 1, "reason": 135],
            ["packet": "connack", "reason": 151], ["packet": "connect", "version": 4, "password": "k"],
        ]
        for packet in unsayable { #expect(throws: MQTTViolation.self, "\(packet)") { try stream.write(packet) } }
    }

    @Test(
        "The encoded length takes one to four bytes",
        arguments: [0, 1, 116, 117, 16_372, 16_373, 2_097_140, 2_097_141]
    )
    func lengths(_ count: Int) throws {
        var stream = try Self.stream(4)
        let text = String(repeating: "x", count: count)
        let bytes = try stream.write(["packet": "publish", "topic": "123456789", "payload": .string(text)])
        #expect(bytes.count - count - 13 == (count < 117 ? 0 : count < 16_373 ? 1 : count < 2_097_141 ? 2 : 3))
        let read = try #require(try Self.read(bytes))
        #expect(read.first?["payload"]?.stringValue?.utf8.count == count)
    }

    @Test("A packet with a missing or invalid member is not encoded")
    func unwritable() throws {
        let wrong: [JSON] = [
            [:], ["packet": "hello"], ["packet": "publish", "topic": "a/#"], ["packet": "publish"],
            ["packet": "publish", "topic": "a", "qos": 3], ["packet": "publish", "topic": "a", "qos": 1],
            ["packet": "publish", "topic": "a", "dup": true], ["packet": "publish", "topic": "a", "payload_hex": "f"],
            ["packet": "puback", "id": 0], ["packet": "puback", "id": 65536], ["packet": "puback", "id": "1"],
            ["packet": "subscribe", "id": 1, "filters": []],
            ["packet": "subscribe", "id": 1, "filters": [["filter": "a#"]]],
            ["packet": "unsubscribe", "id": 1, "filters": [1]], ["packet": "suback", "id": 1, "reasons": [256]],
            ["packet": "puback", "id": 1, "properties": ["unknown": 1]],
            ["packet": "puback", "id": 1, "properties": ["user": ["a": 1]]], ["packet": "connect", "version": 3],
            ["packet": "publish", "topic": "a\0"],
            ["packet": "publish", "topic": .string(String(repeating: "a", count: 65536))],
        ]
        var stream = try Self.stream(5)
        for packet in wrong { #expect(throws: MQTTViolation.self, "\(packet)") { try stream.write(packet) } }
        var fresh = MQTTStream()
        #expect(throws: MQTTViolation.self) { try fresh.write(["packet": "pingreq"]) }
    }

    @Test(
        "Malformed bytes are refused with a reason",
        arguments: [
            ([0x00, 0], "there is no packet of type 0"),
            ([0xF0, 0], "MQTT 3.1.1 has no packet auth"),
            ([0xC1, 0], "pingreq has the reserved flags 1"),
            ([0x80, 5, 0, 1, 0, 1, 0x61, 0], "subscribe has the reserved flags 0"),
            ([0xC0, 1, 0], "pingreq is 1 bytes too long"),
            ([0xC0, 0x80, 0x80, 0x80, 0x80, 1], "pingreq has a length of more than four bytes"),
            ([0x30, 0xFF, 0xFF, 0xFF, 0x7F], "publish has 268435455 bytes, which is too much"),
            ([0x36, 5, 0, 1, 0x61, 0, 1], "publish has the quality of service 3"),
            ([0x38, 3, 0, 1, 0x61], "publish with quality of service 0 is a repeat"),
            ([0x32, 5, 0, 1, 0x61, 0, 0], "publish has the packet identifier 0"),
            ([0x32, 3, 0, 1, 0x61], "publish is too short"),
            ([0x30, 3, 0, 1, 0x23], "publish has the wrong topic '#'"),
            ([0x30, 2, 0, 0], "publish has the wrong topic ''"),
            ([0x30, 3, 0, 2, 0x61], "publish is too short"),
            ([0x30, 3, 0, 1, 0xFF], "publish has a text that is not UTF-8 or contains U+0000"),
            ([0x30, 3, 0, 1, 0], "publish has a text that is not UTF-8 or contains U+0000"),
            ([0x40, 3, 0, 1, 0], "puback is 1 bytes too long"),
            ([0x82, 2, 0, 1], "subscribe is too short"),
            ([0x82, 6, 0, 1, 0, 1, 0x61, 3], "subscribe has the reserved options 3"),
            ([0x82, 6, 0, 1, 0, 1, 0x61, 4], "subscribe has the reserved options 4"),
            ([0xA2, 6, 0, 1, 0, 2, 0x61, 0x23], "unsubscribe has the wrong filter 'a#'"),
            ([0x90, 3, 0, 1, 3], "suback has the unknown return code 3"),
            ([0x20, 2, 2, 0], "connack has the reserved flags 2"),
            ([0x20, 2, 0, 6], "connack has the unknown return code 6"),
            ([0x10, 0], "the server has sent connect"),
        ] as [([UInt8], String)]
    )
    func malformed(_ bytes: [UInt8], _ reason: String) throws {
        var stream = try Self.stream(4)
        let found = stream.read([0xD0, 0] + bytes + [0xD0, 0], from: .server)
        #expect(found.packets == [["packet": "pingresp"]])
        #expect(found.violation?.reason == reason)
        // After a violation, all further bytes from this endpoint are ignored.
        #expect(stream.read([0xD0, 0], from: .server).packets.isEmpty)
    }

    @Test(
        "An invalid CONNECT is refused with a reason",
        arguments: [
            ([0xC0, 0], "the first packet is pingreq, not connect"),
            (
                [0x10, 10, 0, 4, 0x4D, 0x51, 0x54, 0x54, 3, 2, 0, 0],
                "connect names the protocol 'MQTT' 3, which is neither MQTT 3.1.1 nor 5.0"
            ),
            ([0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 3, 0, 0, 0, 0], "connect has the reserved flags 3"),
            ([0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0x0A, 0, 0, 0, 0], "connect has the reserved flags 10"),
            ([0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0x1C, 0, 0, 0, 0], "connect has the reserved flags 28"),
            (
                [0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0x42, 0, 0, 0, 0],
                "connect has a password without a user name"
            ),
            ([0x10, 12, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 0x82, 0, 0, 0, 0], "connect is too short"),
            ([0x10, 13, 0, 4, 0x4D, 0x51, 0x54, 0x54, 4, 2, 0, 0, 0, 0, 0], "connect is 1 bytes too long"),
            ([0x10, 13, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 0, 1, 0xFF, 0], "connect has the unknown property 255"),
            (
                [0x10, 19, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 0, 6, 0x21, 0, 1, 0x21, 0, 1, 0, 0],
                "connect has the property receive_maximum twice"
            ),
        ] as [([UInt8], String)]
    )
    func wrongConnect(_ bytes: [UInt8], _ reason: String) {
        var stream = MQTTStream()
        let found = stream.read(bytes, from: .client)
        #expect(found.packets.isEmpty)
        #expect(found.violation?.reason == reason)
    }

    @Test("A second CONNECT on a connection is refused")
    func secondConnect() throws {
        var (client, server) = (MQTTStream(), MQTTStream())
        let connect = try client.write(Self.connects[0])
        #expect(
            server.read(connect + connect, from: .client).violation?.reason == "a second connect on the same connection"
        )
    }

    @Test(
        "Each topic wildcard stands for whole levels",
        arguments: [
            ("a/+/b", true), ("#", true), ("+", true), ("/", true), ("a/#", true), ("+/+", true), ("$share/g/a", true),
            ("", false), ("a#", false), ("a/#/b", false), ("a+", false), ("a/b+/c", false),
        ]
    )
    func filters(_ filter: String, _ isRight: Bool) throws {
        var stream = try Self.stream(4)
        let written = try? stream.write(["packet": "unsubscribe", "id": 1, "filters": [.string(filter)]])
        #expect((written != nil) == isRight)
        let raw = [0xA2, UInt8(filter.utf8.count + 4), 0, 1, 0, UInt8(filter.utf8.count)] + Array(filter.utf8)
        #expect((try Self.read(raw) != nil) == isRight)
    }
}
