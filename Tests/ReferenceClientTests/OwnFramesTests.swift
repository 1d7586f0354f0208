import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing

/// Tests the client with a protocol that lacks some frames of the built-in one.
@Suite struct OwnFramesTests {
    /// Returns a protocol with only the frames that every client requires, the frames of the given roles, and `extras`.
    static func wire(
        client: [String: JSON] = [:],
        server: [String: JSON] = [:],
        extras: JSON? = nil
    ) throws -> WireProfile {
        var ours: JSON = [
            "connect": ["frame": ["do": "login", "key": "{api_key}", "session": "{session_id?}"]],
            "send": ["frame": ["do": "say", "id": "{client_message_id}", "to": "{conversation_id}", "text": "{text}"]],
        ]
        var theirs: JSON = [
            "connected": [
                "frame": ["on": "in", "session": "{session_id}", "resumed": "{resumed}", "newest": "{last_seq}"]
            ],
            "confirm": [
                "frame": ["on": "ack", "key": "{client_message_id}", "id": "{message_id}", "seq": "{seq}"],
                "assume": ["duplicate": false, "timestamp": 0],
            ],
            "message": [
                "frame": [
                    "on": "said", "id": "{message_id}", "to": "{conversation_id}", "seq": "{seq}", "text": "{text}",
                ],
                "assume": ["timestamp": 0, "sender_id": "stukov"],
            ],
        ]
        for (name, value) in client { ours.set(name, to: value) }
        for (name, value) in server { theirs.set(name, to: value) }
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        var wire = WireProfile()
        var frames: JSON = ["client": ours, "server": theirs]
        if let extras { frames.set("extras", to: extras) }
        wire.frames = try FrameMap.read(frames).get()
        return wire
    }

    private static let hello: JSON = [
        "frame": ["on": "hello", "every": "{heartbeat_interval_ms?}"], "assume": ["version": "1", "auth_version": 1],
    ]

    @Test("If the protocol has no hello frame, the client sends connect right after the upgrade")
    func withoutHelloTheClientSpeaksFirst() throws {
        var driver = Driver(wire: try Self.wire())
        driver.start()
        driver.open()
        #expect(driver.said.isEmpty)
        driver.upgrade()
        #expect(driver.said.map(\.frame) == [.connect(.init(key: "key-1"))])
        #expect(driver.state == "authenticating")
        driver.receive(.connected(.init(session: "s1", resumed: false, lastSequence: 0)))
        #expect(driver.state == "connected")
    }

    @Test("If the protocol has a hello frame, the client waits for it before it sends connect")
    func withHelloItWaits() throws {
        var driver = Driver(wire: try Self.wire(server: ["hello": Self.hello]))
        driver.start()
        driver.open()
        driver.upgrade()
        #expect(driver.said.isEmpty)
        driver.receive(.hello(version: "1", authVersion: 1))
        #expect(driver.said.map(\.frame.role) == [.connect])
    }

    @Test("If the protocol has no sync frame, missed messages are fetched over HTTP")
    func missedMessagesComeOverHTTPWithoutSync() throws {
        var driver = Driver(wire: try Self.wire())
        driver.startConnected(lastSequence: 3)
        let before = driver.requests.count
        driver.drop()
        driver.advance(by: .milliseconds(1250))
        driver.connect(lastSequence: 5)
        #expect(!driver.said.contains { $0.frame.role == .sync })
        #expect(driver.requests.count > before)
    }

    @Test("If the protocol has no ping or pong frame, the client sends no pings and stays connected")
    func withoutPingAndPongNothingIsAsked() throws {
        for wire in [try Self.wire(), try Self.wire(client: ["ping": ["frame": ["do": "beat"]]])] {
            var driver = Driver(wire: wire)
            driver.startConnected()
            driver.advance(by: .seconds(300))
            #expect(driver.state == "connected")
            #expect(!driver.said.contains { $0.frame.role == .ping })
        }
    }

    @Test("The interval in the hello frame sets how often the client sends pings")
    func helloSaysHowOftenToAsk() throws {
        let wire = try Self.wire(
            client: ["ping": ["frame": ["do": "beat"]]],
            server: ["pong": ["frame": ["on": "beat"]], "hello": Self.hello]
        )
        for (told, expected) in [(TimeSpan.seconds(7), 7), (nil, 30), (.zero, 30)] as [(TimeSpan?, Int64)] {
            var driver = Driver(wire: wire)
            driver.start()
            driver.open()
            driver.upgrade()
            driver.receive(.hello(version: "1", authVersion: 1, heartbeatInterval: told))
            driver.receive(.connected(.init(session: "s1", resumed: false, lastSequence: 0)))
            driver.advance(by: .seconds(expected) - .milliseconds(1))
            #expect(!driver.said.contains { $0.frame.role == .ping })
            driver.advance(by: .milliseconds(1))
            #expect(driver.said.last?.frame.role == .ping)
        }
    }

    private static func listening() throws -> Driver {
        var driver = Driver(
            wire: try wire(
                client: ["pong": ["frame": ["do": "beat"]]],
                server: ["ping": ["frame": ["on": "beat"]], "hello": hello]
            )
        )
        driver.start()
        driver.open()
        driver.upgrade()
        driver.receive(.hello(version: "1", authVersion: 1, heartbeatInterval: .seconds(25)))
        driver.receive(.connected(.init(session: "s1", resumed: false, lastSequence: 0)))
        return driver
    }

    @Test("The client answers the server's pings, which keep the connection alive")
    func theServersPingsAreAnsweredAndHoldTheLink() throws {
        var driver = try Self.listening()
        for _ in 0..<3 {
            driver.advance(by: .seconds(25))
            driver.receive(.ping(id: nil))
            #expect(driver.said.last?.frame == .pong(id: nil))
        }
        #expect(driver.state == "connected")
        // The deadline is the ping interval plus the pong timeout after the last received frame.
        driver.advance(by: .milliseconds(34_999))
        #expect(driver.state == "connected")
        driver.advance(by: .milliseconds(1))
        #expect(driver.state == "reconnecting")
    }

    @Test("An unknown frame also restarts the dead-connection timeout")
    func unknownFramesAreSignsOfLife() throws {
        var driver = try Self.listening()
        driver.advance(by: .seconds(30))
        driver.receive(text: #"{"on":"nothing known"}"#)
        driver.advance(by: .milliseconds(34_999))
        #expect(driver.state == "connected")
        driver.advance(by: .milliseconds(1))
        #expect(driver.state == "reconnecting")
    }

    /// The built-in protocol defines no client frame that answers a ping.
    @Test("With the built-in protocol the client sends no frame in answer to the server's ping")
    func theBuiltInProtocolAnswersNoPing() {
        var driver = Driver()
        driver.startConnected()
        driver.receive(.ping(id: "h1"))
        #expect(!driver.said.contains { $0.frame.role == .pong })
    }
}
