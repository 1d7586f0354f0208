import MQTTWire
import SquallCore
import Testing

/// Tests the server side of packet delivery, and the state that a session keeps (MQTT 3.1.1, sections 4.3 and 4.4).
@Suite struct MQTTSessionTests {
    private static func session(_ version: Int64 = 4, clean: Bool = false) throws -> MQTTSession {
        var session = MQTTSession()
        session.begin(try login(version, clean: clean))
        return session
    }

    private static func login(_ version: Int64 = 4, clean: Bool = false, expiry: Int64? = nil) throws -> MQTTLogin {
        var packet: JSON = ["packet": "connect", "client_id": "me"]
        packet.set("version", to: .integer(version))
        packet.set("clean", to: .bool(clean))
        if let expiry { packet.set("properties", to: ["session_expiry": .integer(expiry)]) }
        return try #require(MQTTLogin(packet))
    }

    private static func publish(_ id: Int64, _ quality: Int64, _ text: String = "hi", dup: Bool = false) -> JSON {
        [
            "packet": "publish", "topic": "a/b", "qos": .integer(quality), "dup": .bool(dup), "id": .integer(id),
            "payload": .string(text),
        ]
    }

    private static func answer(_ name: String, _ id: Int64) -> JSON { ["packet": .string(name), "id": .integer(id)] }

    private static func subscribed(_ quality: Int64, version: Int64 = 4) throws -> MQTTSession {
        var session = try session(version)
        let filters: JSON = [["filter": "a/#", "qos": .integer(quality)]]
        _ = session.receive(["packet": "subscribe", "id": 1, "filters": filters])
        return session
    }

    private static func resumed(_ earlier: MQTTSession, _ version: Int64 = 4) throws -> MQTTSession {
        var next = try session(version)
        next.resume(earlier)
        return next
    }

    // MARK: - Messages from the client

    @Test("A message of quality of service 2 reaches the application once, and is confirmed by PUBREC and PUBCOMP")
    func receivedOnce() throws {
        var session = try Self.session()
        let first = session.receive(Self.publish(7, 2))
        // The session presents QoS 2 messages to the application as QoS 1.
        #expect(first.application == Self.publish(7, 1))
        #expect(first.answers.isEmpty)
        #expect(session.send(Self.answer("puback", 7)) == Self.answer("pubrec", 7))
        let second = session.receive(Self.publish(7, 2, dup: true))
        #expect(second.application == nil)
        #expect(second.answers == [Self.answer("pubrec", 7)])
        let released = session.receive(Self.answer("pubrel", 7))
        #expect(released.application == nil)
        #expect(released.answers == [Self.answer("pubcomp", 7)])
    }

    @Test("PUBREL releases the identifier for another message, and is answered again when it is repeated")
    func released() throws {
        var session = try Self.session()
        _ = session.receive(Self.publish(7, 2))
        _ = session.receive(Self.answer("pubrel", 7))
        #expect(session.receive(Self.answer("pubrel", 7)).answers == [Self.answer("pubcomp", 7)])
        #expect(session.receive(Self.publish(7, 2, "another")).application == Self.publish(7, 1, "another"))
    }

    @Test("MQTT 5.0 answers an unknown identifier with the reason code 0x92")
    func unknown() throws {
        var session = try Self.session(5)
        #expect(session.receive(Self.answer("pubrel", 9)).answers == [["packet": "pubcomp", "id": 9, "reason": 0x92]])
        #expect(session.receive(Self.answer("pubrec", 9)).answers == [["packet": "pubrel", "id": 9, "reason": 0x92]])
        #expect(session.receive(Self.answer("puback", 9)).application == nil)
    }

    @Test("The identifiers that are not released survive the connection, if the session is resumed")
    func unreleasedSurvive() throws {
        var session = try Self.session()
        _ = session.receive(Self.publish(7, 2))
        var next = try Self.resumed(session)
        #expect(next.isResumed)
        #expect(next.receive(Self.publish(7, 2, dup: true)).answers == [Self.answer("pubrec", 7)])
        var other = try Self.session()
        #expect(other.receive(Self.publish(7, 2, dup: true)).application == Self.publish(7, 1, dup: true))
    }

    @Test("A rejected message is handled again when the client repeats it")
    func rejected() throws {
        var session = try Self.session()
        _ = session.receive(Self.publish(7, 2))
        session.forget(7)
        #expect(session.receive(Self.publish(7, 2, dup: true)).application != nil)
    }

    // MARK: - Messages to the client

    @Test("A message has at most the quality of service of the subscription", arguments: [0, 1, 2])
    func quality(_ quality: Int64) throws {
        var session = try Self.subscribed(quality)
        let suback = session.send(["packet": "suback", "id": 1, "reasons": [1]])
        #expect(suback == ["packet": "suback", "id": 1, "reasons": [.integer(quality)]])
        let sent = session.send(Self.publish(1, 1))
        #expect(sent?["qos"] == .integer(quality))
        #expect(sent?["id"] == (quality == 0 ? nil : 1))
        #expect(session.unfinished == (quality == 0 ? 0 : 1))
    }

    @Test("PUBREC is answered with PUBREL until PUBCOMP ends the delivery, and the application is told once")
    func sentExactlyOnce() throws {
        var session = try Self.subscribed(2)
        _ = session.send(Self.publish(1, 1))
        // PUBACK does not acknowledge a QoS 2 message.
        #expect(session.receive(Self.answer("puback", 1)).application == nil)
        let received = session.receive(Self.answer("pubrec", 1))
        #expect(received.application == Self.answer("puback", 1))
        #expect(received.answers == [Self.answer("pubrel", 1)])
        let again = session.receive(Self.answer("pubrec", 1))
        #expect(again.application == nil)
        #expect(again.answers == [Self.answer("pubrel", 1)])
        #expect(session.unfinished == 1)
        #expect(session.receive(Self.answer("pubcomp", 1)).application == nil)
        #expect(session.unfinished == 0)
    }

    @Test("PUBREC with an error ends the delivery without PUBREL (MQTT 5.0)")
    func refusedByClient() throws {
        var session = try Self.subscribed(2, version: 5)
        _ = session.send(Self.publish(1, 1))
        #expect(session.receive(["packet": "pubrec", "id": 1, "reason": 0x87]).answers.isEmpty)
        #expect(session.unfinished == 0)
    }

    @Test("A resumed session repeats PUBLISH with DUP, or PUBREL alone, in order, and keeps the subscriptions")
    func repeated() throws {
        var session = try Self.subscribed(2)
        for number in Int64(1)...3 { _ = session.send(Self.publish(number, 1, "text \(number)")) }
        _ = session.receive(Self.answer("pubrec", 2))
        var next = try Self.resumed(session)
        #expect(
            next.repeated() == [
                Self.publish(1, 2, "text 1", dup: true), Self.answer("pubrel", 2),
                Self.publish(3, 2, "text 3", dup: true),
            ]
        )
        #expect(next.wantsMissedMessages)
        // The application restarts its message numbers at 1, but the session does not reassign identifiers that are in
        // use.
        let sent = next.send(Self.publish(1, 1, "new"))
        #expect(sent?["id"] == 4)
        #expect(next.receive(Self.answer("pubrec", 4)).application == Self.answer("puback", 1))
        // The application did not send this message on the new connection, so its acknowledgement is not reported.
        #expect(next.receive(Self.answer("pubrec", 1)).application == nil)
        for id in [2, 1, 3, 4] as [Int64] { _ = next.receive(Self.answer("pubcomp", id)) }
        // No PUBREC arrived for the third message, but PUBCOMP completes its delivery anyway.
        #expect(next.unfinished == 0)
    }

    @Test("Identifiers are used again once their delivery has ended, and are never given twice")
    func identifiers() throws {
        var session = try Self.subscribed(1)
        let numbers = [1, 2, 3, 0xFFFF] as [Int64]
        for number in numbers { #expect(session.send(Self.publish(number, 1))?["id"] == .integer(number)) }
        _ = session.receive(Self.answer("puback", 2))
        // The application's message number may exceed the largest packet identifier or be in use by a pending delivery.
        #expect(session.send(Self.publish(0x1_0000, 1))?["id"] == 2)
        #expect(session.send(Self.publish(1, 1))?["id"] == 4)
        #expect(session.receive(Self.answer("puback", 2)).application == Self.answer("puback", 0x1_0000))
    }

    @Test(
        "A topic matches the filters of the specification",
        arguments: [
            ("a/#", "a", true), ("a/#", "a/b/c", true), ("#", "a/b", true), ("+/b", "a/b", true),
            ("a/+", "a/b/c", false),
            ("a/b", "a/b", true), ("a", "a/b", false), ("a/+", "a", false), ("#", "$SYS/x", false), ("+", "/a", false),
        ]
    )
    func matching(_ filter: String, _ topic: String, _ matches: Bool) throws {
        var session = try Self.session()
        _ = session.receive(["packet": "subscribe", "id": 1, "filters": [["filter": .string(filter), "qos": 2]]])
        let sent = session.send(["packet": "publish", "topic": .string(topic), "qos": 1, "id": 1])
        #expect((sent?["qos"] == 2) == matches)
    }

    // MARK: - Sessions

    @Test("A later subscription replaces the one with the same filter, and UNSUBSCRIBE ends it")
    func replaced() throws {
        var session = try Self.subscribed(2)
        let filters: JSON = [["filter": "a/#", "qos": 0]]
        _ = session.receive(["packet": "subscribe", "id": 2, "filters": filters])
        #expect(!session.wantsMissedMessages)
        _ = session.receive(["packet": "unsubscribe", "id": 3, "filters": ["a/#"]])
        #expect(session.send(Self.publish(1, 1))?["qos"] == 1)
    }

    @Test("CONNACK says whether the session existed, and which identifier the server has assigned")
    func connack() throws {
        let connack: JSON = ["packet": "connack", "session_present": false, "reason": 0]
        var session = try Self.session(5)
        session.assign("server-1")
        #expect(session.login?.client == "server-1")
        #expect(session.send(connack)?["properties"]?["assigned_client_identifier"] == "server-1")
        var next = try Self.resumed(session)
        #expect(next.send(connack)?["session_present"] == true)
        #expect(
            next.send(["packet": "connack", "session_present": false, "reason": 0x87])?["session_present"] == false
        )
    }

    @Test("An observer reads the packets in the form in which an application gets them, without the session's own")
    func simplified() {
        let forms: [(JSON, JSON?)] = [
            (
                ["packet": "connack", "session_present": true, "reason": 0],
                ["packet": "connack", "session_present": false, "reason": 0]
            ),
            (Self.publish(3, 2), Self.publish(3, 1)), (Self.publish(3, 0), Self.publish(3, 0)),
            (Self.answer("pubrec", 3), Self.answer("puback", 3)), (Self.answer("puback", 3), Self.answer("puback", 3)),
            (Self.answer("pubrel", 3), nil), (Self.answer("pubcomp", 3), nil),
            (
                ["packet": "suback", "id": 1, "reasons": [0, 2, 0x87]],
                ["packet": "suback", "id": 1, "reasons": [1, 1, 0x87]]
            ),
        ]
        for (packet, form) in forms { #expect(MQTTSession.simplified(packet) == form, "\(packet)") }
    }

    @Test("A session outlives its connection for the time that CONNECT or DISCONNECT has named")
    func expiry() throws {
        #expect(try Self.login(4, clean: false).expiry == MQTTLogin.never)
        #expect(try !Self.login(4, clean: true).isKept)
        #expect(try !Self.login(5, clean: false).isKept)
        #expect(try Self.login(5, clean: true, expiry: 60).isKept)
        var session = MQTTSession()
        session.begin(try Self.login(5, expiry: 60))
        _ = session.receive(["packet": "disconnect", "reason": 0, "properties": ["session_expiry": 5]])
        #expect(session.login?.expiry == 5)
        #expect(MQTTLogin(["packet": "pingreq"]) == nil)
    }
}
