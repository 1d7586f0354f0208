import ChatWire
import Deflate
import SquallCore
import Testing
import WebSocketWire

@testable import ScenarioModel

/// Tests that the tap between a client and its server decodes the frames of a profile's templates.
@Suite struct WireTapTests {
    /// Returns a protocol whose confirmations identify a message only by its frame's number.
    private static func wire(compression: String? = nil) throws -> WireProfile {
        var ours: JSON = [
            "connect": ["text": "40", "frame": ["key": "{api_key}"]],
            "send": [
                "text": "42{$ref}", "frame": ["say", "{client_message_id}", "room:{conversation_id}", "{text}"],
            ],
        ]
        var theirs: JSON = [
            "connected": ["text": "40", "frame": ["s": "{session_id}", "r": "{resumed}", "n": "{last_seq}"]],
            "confirm": [
                "answers": "send", "text": "43{$ref}", "frame": ["{message_id}", "{seq}"],
                "assume": ["timestamp": 0, "duplicate": false],
            ],
            "message": [
                "text": "42", "frame": ["said", "{message_id}", "{conversation_id}", "{sender_id}", "{seq}", "{text}"],
                "assume": ["timestamp": 0],
            ],
        ]
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        var wire = WireProfile()
        var frames: JSON = ["client": ours, "server": theirs]
        if let compression { frames.set("compression", to: .string(compression)) }
        wire.frames = try FrameMap.read(frames).get()
        return wire
    }

    /// Both endpoints of a connection, and the tap between them.
    private struct Stage {
        var tap: WireTap
        var client: WebSocketConnection
        var server: WebSocketConnection
        private(set) var events: [WireTap.Event] = []

        init(_ wire: WireProfile, query: String = "") throws {
            tap = WireTap(wire)
            client = .client(
                host: "chat.test",
                path: wire.webSocketPath + query,
                key: [UInt8](repeating: 7, count: 16),
                masks: SeededGenerator(state: 1)
            )
            let request = client.takeOutput()
            events += tap.upstream(request)
            var parser = HTTPRequestParser()
            parser.append(request)
            guard case .head(let head)? = try parser.next() else { throw NoRequest() }
            server = try WebSocketConnection.server(accepting: head)
            let answer = server.takeOutput()
            events += tap.downstream(answer)
            _ = client.receive(answer)
        }

        private struct NoRequest: Error {}

        mutating func fromClient(_ text: String) {
            client.sendText(text)
            events += tap.upstream(client.takeOutput())
        }

        mutating func fromServer(_ text: String) {
            server.sendText(text)
            events += tap.downstream(server.takeOutput())
        }

        mutating func fromServer(binary bytes: [UInt8]) {
            server.sendBinary(bytes)
            events += tap.downstream(server.takeOutput())
        }
    }

    @Test("Responses are matched with their requests")
    func answersAreTakenTogetherWithTheirQuestions() throws {
        var stage = try Stage(try Self.wire())
        stage.fromClient(#"40{"key":"key-1"}"#)
        stage.fromServer(#"40{"s":"s-1","r":false,"n":0}"#)
        stage.fromClient(#"4217["say","c-1","room:stukov","hi"]"#)
        stage.fromClient(#"4218["say","c-2","room:stukov","ho"]"#)
        stage.fromServer(#"4318["m-1",1]"#)
        stage.fromServer(#"4399["m-9",9]"#)
        stage.fromServer(#"42["an unknown event"]"#)
        stage.fromServer(#"4317["m-2",2]"#)
        func confirmed(_ key: String, _ id: String, _ sequence: Int64) -> WireTap.Event {
            .received(
                .confirm(
                    .init(clientMessageID: key, messageID: id, sequence: sequence, timestamp: 0, duplicate: false)
                )
            )
        }
        #expect(
            stage.events == [
                .upgradeRequested, .upgradeAnswered(status: 101),
                .sent(.connect(.init(key: "key-1"))),
                .received(.connected(.init(session: "s-1", resumed: false, lastSequence: 0))),
                .sent(.send(.init(clientMessageID: "c-1", conversation: "stukov", text: "hi"))),
                .sent(.send(.init(clientMessageID: "c-2", conversation: "stukov", text: "ho"))),
                confirmed("c-2", "m-1", 1), confirmed("c-1", "m-2", 2),
            ]
        )
    }

    @Test("Frames of a stream for whose compression the client has asked are decompressed")
    func compressed() throws {
        var stage = try Stage(try Self.wire(compression: "zlib-stream"), query: "?compress=zlib-stream")
        var stream = ZlibStreamWriter()
        stage.fromClient(#"40{"key":"key-1"}"#)
        let connected = try stream.write(Array(#"40{"s":"s-1","r":false,"n":0}"#.utf8))
        stage.fromServer(binary: Array(connected.prefix(5)))
        stage.fromServer(binary: Array(connected.dropFirst(5)))
        stage.fromServer(binary: try stream.write(Array(#"42["said","m-1","stukov","u",1,"hi"]"#.utf8)))
        #expect(stage.events.suffix(2).map(\.isReceived) == [true, true])
        // A message that cannot be decompressed is ignored, as are all later messages.
        let events = stage.events
        stage.fromServer(binary: [0xFF, 0x00, 0x00, 0xFF, 0xFF])
        stage.fromServer(binary: try stream.write(Array(#"42["said","m-2","stukov","u",2,"ho"]"#.utf8)))
        #expect(stage.events == events)
    }
}

extension WireTap.Event {
    fileprivate var isReceived: Bool {
        if case .received = self { true } else { false }
    }
}
