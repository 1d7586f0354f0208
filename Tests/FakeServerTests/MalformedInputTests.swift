import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Returns a masked frame, as sent by a client.
func frame(_ payload: [UInt8], _ opcode: Opcode = .text) -> [UInt8] {
    WebSocketFrame(opcode, maskKey: 0x0102_0304, payload: payload).encode()
}

/// Tests that malformed bytes never stop the server or affect another client's connection.
@Suite struct MalformedInputTests {
    private static let handshake = Array(
        ("GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n").utf8
    )

    private static let texts = [
        #"{"type":"connect","api_key":"key-1","session_id":"s1"}"#,
        #"{"type":"send","client_message_id":"c1","conversation_id":"stukov","text":"héllo"}"#,
        #"{"type":"sync","last_seq_seen":9223372036854775807}"#,
        #"{"type":"message_ack","message_id":"m1-000001"}"#,
        #"{"type":"read_receipt","conversation_id":"stukov","message_id":"m1-000002"}"#,
        #"{"type":"typing","conversation_id":"stukov","active":true}"#,
        #"{"type":"ping","id":"p"}"#,
    ]

    private static let requests = [
        "GET /conversations/stukov/messages?limit=9223372036854775807&after=0 HTTP/1.1\r\nHost: h\r\n"
            + "Authorization: Bearer key-1\r\n\r\n",
        "POST /conversations/stukov/messages HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer key-1\r\n"
            + "Content-Length: 25\r\n\r\n{\"text\":\"a\",\"x\":[1,2,3]}",
        "PUT /push_token HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer key-1\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "2\r\n{}\r\n0\r\n\r\n",
    ]

    /// Returns a copy of the bytes in which random bytes are removed, inserted, changed or repeated.
    private func reported(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...generator.below(4) {
            let index = Int(generator.below(UInt64(bytes.count) + 1))
            switch generator.below(4) {
            case 0: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
            case 1 where index < bytes.count: bytes[index] ^= UInt8(1 << generator.below(8))
            case 2 where index < bytes.count:
                bytes.removeSubrange(index..<min(bytes.count, index + Int(generator.below(9)) + 1))
            default: bytes.insert(contentsOf: bytes[max(0, index - 5)..<index], at: index)
            }
        }
        return bytes
    }

    /// Returns one connection's bytes, with random mutations.
    private func stream(_ generator: inout SeededGenerator) -> [UInt8] {
        let whole: [UInt8]
        switch generator.below(4) {
        case 0:
            return reported(Array(Self.requests[Int(generator.below(UInt64(Self.requests.count)))].utf8), &generator)
        case 1:
            return reported(Self.handshake, &generator)
        case 2:
            // The frames themselves are valid; only the texts inside them are mutated.
            var bytes = Self.handshake
            if generator.below(2) == 0 { bytes += frame(Array(Self.texts[0].utf8)) }
            for text in Self.texts { bytes += frame(reported(Array(text.utf8), &generator)) }
            return bytes
        default:
            whole = Self.texts.flatMap { frame(Array($0.utf8)) } + frame([3, 0xE8], .close)
            return Self.handshake + reported(whole, &generator)
        }
    }

    @Test("Mutated bytes on one connection do not affect another connection", arguments: 0..<12)
    func mutatedBytesStopNoOther(_ seed: UInt64) throws {
        var generator = Seed(seed).stream("spoilt bytes")
        var stage = Stage()
        let witness = stage.join("witness")
        stage.act(.post(.init(to: "stukov", count: 3)))
        _ = stage.frames(witness)
        for _ in 0..<60 {
            let bytes = stream(&generator)
            let id = LinkID(ClientID("mallory"), stage.notes.count)
            stage.give(.accepted(id))
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int(generator.below(40)) + 1)
                stage.send(Array(piece), on: id)
                rest = rest.dropFirst(piece.count)
            }
            stage.advance(.milliseconds(10))
            if generator.below(2) == 0 { stage.hangUp(id, generator.below(2) == 0 ? .fin : .rst) }
        }
        _ = stage.frames(witness)
        stage.say(.ping(id: "still here"), on: witness)
        #expect(stage.frames(witness) == [.pong(id: "still here")])
        #expect(stage.end(witness) == nil)
        // The mutations must produce both valid and invalid input.
        #expect(!stage.named("server.protocol_error").isEmpty)
        #expect(!stage.named("server.sent.hello").isEmpty)
    }

    @Test(
        "A text at the limits of the frame format is answered with a frame",
        arguments: [
            (#"{"type":"sync","last_seq_seen":9223372036854775807}"#, FrameRole.replay),
            (#"{"type":"sync","last_seq_seen":-1}"#, .error),
            (#"{"type":"sync","last_seq_seen":1e3}"#, .error),
            (#"{"type":"sync","last_seq_seen":99999999999999999999}"#, .error),
            (#"{"type":"send","conversation_id":"","text":""}"#, .confirm),
            (#"{"type":"send","type":"ping"}"#, .error),
            (#"{"type":"send","conversation_id":"\ud800","text":"x"}"#, .error),
            (String(repeating: "[", count: 10_000), .error),
            (#"{"a":"# + String(repeating: "{\"a\":", count: 5000), .error),
        ]
    )
    func oddTextsAreAnswered(_ text: String, _ role: FrameRole) {
        var stage = Stage()
        let anna = stage.join()
        stage.say(text, on: anna)
        #expect(stage.frames(anna).roles == [role])
    }

    @Test(
        "A malformed HTTP request is refused, and its connection is closed",
        arguments: [
            "\r\n\r\n", "HELLO\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET /health HTTP/1.1\r\nno header\r\n\r\n",
            "POST /uploads/a HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /uploads/a HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n",
            "POST /uploads/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        ]
    )
    func badRequestsAreRefusedAndEnded(_ text: String) throws {
        var stage = Stage()
        let id = stage.dial("anna")
        stage.send(Array(text.utf8), on: id)
        #expect(try #require(stage.response(id)).status >= 400)
        #expect(stage.end(id) == .fin)
        #expect(stage.named("server.protocol_error").count == 1)
    }

    @Test("The event of a refused request does not contain the key") func aKeyInABadHeaderIsNotReported() {
        var stage = Stage()
        let id = stage.dial("anna")
        // ``Stage`` checks that no event contains the key.
        stage.send(Array("GET /health HTTP/1.1\r\nAuthorization : Bearer key-1\r\n\r\n".utf8), on: id)
        stage.send(Array("GET /health?key=key-1 HTTP/1.1\r\n\r\n".utf8), on: stage.dial("anna"))
        #expect(stage.named("server.protocol_error").map(\.fields) == [["reason": "request refused: 400"]])
    }

    @Test("Input for an unknown connection has no effect") func unknownConnections() {
        var server = ChatServer()
        let link = LinkID(.only, 1)
        #expect(server.handle(.received(link, [1, 2]), at: .zero).isEmpty)
        #expect(server.handle(.ended(link, .rst), at: .zero).isEmpty)
        #expect(server.handle(.timer, at: .zero).isEmpty)
    }
}
