import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct SessionTests {
    @Test("The server sends hello first, and the session after the client's connect frame")
    func helloComesFirstAndThenTheSession() throws {
        var stage = Stage()
        let anna = stage.open()
        #expect(stage.frames(anna) == [.hello(version: "0.2.0", authVersion: 1)])
        stage.say(.connect(.init(key: "key-1")), on: anna)
        let connected = try stage.session(anna)
        #expect(!connected.resumed)
        #expect(connected.lastSequence == 0)
        #expect(
            stage.notes.map(\.name) == [
                "server.accepted", "server.requested.ws", "server.answered.ws", "server.sent.hello",
                "server.received.connect", "server.sent.connected",
            ]
        )
    }

    @Test("The hello frame contains the versions of the wire profile") func helloHasTheVersions() {
        let wire = WireProfile(version: "9.9", authVersion: 2)
        var stage = Stage(wire: wire)
        let anna = stage.open()
        #expect(stage.frames(anna) == [.hello(version: "9.9", authVersion: 2)])
    }

    @Test("The frames connected and pong carry the server's time if the profile announces it")
    func theClockIsAnnounced() throws {
        var stage = Stage { ($0.clock.isAnnounced, $0.clock.skew) = (true, .seconds(60)) }
        let anna = stage.open()
        stage.say(.connect(.init(key: "key-1", session: nil)), on: anna)
        stage.advance(.seconds(5))
        stage.say(.ping(id: "p1"), on: anna)
        let times: [Int64?] = stage.frames(anna).compactMap { frame in
            switch frame {
            case .connected(let connected): connected.time
            case .pong(_, let time): time
            default: nil
            }
        }
        let epoch = ServerProfile().clock.epoch
        #expect(times == [epoch + 60_000, epoch + 65_000])
    }

    @Test("A ping before the connect frame is answered with a pong") func pingNeedsNoKey() {
        var stage = Stage()
        let anna = stage.open()
        _ = stage.frames(anna)
        stage.say(.ping(id: "p1"), on: anna)
        stage.say(.ping(id: nil), on: anna)
        #expect(stage.frames(anna) == [.pong(id: "p1"), .pong(id: nil)])
        #expect(stage.end(anna) == nil)
    }

    @Test(
        "Every wrong key gets the same answer and closes the connection with 1008",
        arguments: ["", "k", "key-2", "kex-1", "zey-1", "key-1 ", "key-1key-1", "key-1key-1key-1"]
    )
    func everyWrongKeyGetsTheSameAnswer(_ key: String) {
        var stage = Stage()
        let anna = stage.open()
        _ = stage.frames(anna)
        stage.say(.connect(.init(key: key)), on: anna)
        #expect(stage.frames(anna) == [.authError(message: "Authentication failed")])
        #expect(stage.close(anna) == ClosePayload(.policyViolation, reason: "Authentication failed"))
        #expect(stage.end(anna) == .fin)
        #expect(stage.named("server.rejected.connect").map(\.fields) == [["code": "not_authenticated"]])
        #expect(stage.named("server.closed").map(\.fields) == [["code": 1008]])
    }

    @Test(
        "Any frame except ping is refused before the connect frame",
        arguments: [
            ClientFrame.send("c1"), .sync(lastSequence: 0), .messageAck(id: "m"),
            .typing(conversation: "stukov", active: true), .readReceipt(conversation: "stukov", messageID: "m"),
        ]
    )
    func nothingButPingGoesBeforeTheKey(_ frame: ClientFrame) {
        var stage = Stage()
        let anna = stage.open()
        _ = stage.frames(anna)
        stage.say(frame, on: anna)
        #expect(stage.frames(anna) == [.authError(message: "Authentication failed")])
        #expect(stage.close(anna)?.code == .policyViolation)
        #expect(stage.named("server.stored").isEmpty)
    }

    @Test(
        "A malformed text before the connect frame is refused",
        arguments: [#"{"type":"prompt"}"#, "{}", "no json", #"{"type":7}"#]
    )
    func garbageBeforeTheKeyIsTurnedAwayToo(_ text: String) {
        var stage = Stage()
        let anna = stage.open()
        _ = stage.frames(anna)
        stage.say(text, on: anna)
        #expect(stage.frames(anna) == [.authError(message: "Authentication failed")])
        #expect(stage.close(anna)?.code == .policyViolation)
    }

    @Test("Frames after a refused connect frame are ignored") func aRefusedClientIsIgnored() {
        var stage = Stage { $0.reply.delay = .seconds(1) }
        let anna = stage.open()
        stage.advance(.seconds(1))
        stage.say(.connect(.init(key: "wrong")), on: anna)
        stage.say(.connect(.init(key: "key-1")), on: anna)
        stage.advance(.seconds(1))
        #expect(stage.frames(anna).roles == [.hello, .authError])
        #expect(stage.close(anna)?.code == .policyViolation)
        #expect(stage.named("server.received.connect").count == 1)
    }

    @Test("A frame of an unknown type is answered with an error, and the connection stays open")
    func anUnknownTypeIsAnsweredAndTheConnectionStays() {
        var stage = Stage()
        let anna = stage.join()
        stage.say(#"{"type":"set_directory","path":"/"}"#, on: anna)
        #expect(
            stage.frames(anna).errors == [.init(code: .unknownType, message: "Unknown message type: set_directory")]
        )
        stage.say(.ping(id: "p"), on: anna)
        #expect(stage.frames(anna) == [.pong(id: "p")])
    }

    @Test(
        "A malformed text is answered with an error, and the connection stays open",
        arguments: ["{", "[]", #"{"no":"type"}"#, #"{"type":null}"#, #"{"type":"send","text":1}"#, ""]
    )
    func malformedTextIsAnsweredAndTheConnectionStays(_ text: String) {
        var stage = Stage()
        let anna = stage.join()
        stage.say(text, on: anna)
        #expect(stage.frames(anna).errors.map(\.code) == [.malformed])
        #expect(stage.named("server.protocol_error").count == 1)
        stage.say(.ping(id: "p"), on: anna)
        #expect(stage.frames(anna) == [.pong(id: "p")])
    }

    @Test("A binary message is answered with the error malformed") func aBinaryMessageIsMalformed() {
        var stage = Stage()
        let anna = stage.join()
        stage.sayBinary([1, 2, 3], on: anna)
        #expect(stage.frames(anna).errors.map(\.code) == [.malformed])
    }

    @Test("A second connect frame on a connection is answered with the error malformed")
    func connectingTwiceOnOneConnectionIsMalformed() {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.connect(.init(key: "key-1")), on: anna)
        #expect(stage.frames(anna).errors.map(\.code) == [.malformed])
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
    }

    @Test("A session is resumed on a new connection") func aSessionIsResumed() throws {
        var stage = Stage()
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.hangUp(first)
        let second = stage.connect(session: session)
        let again = try stage.session(second)
        #expect(again.resumed)
        #expect(again.session == session)
    }

    @Test("A client cannot resume another client's session") func anotherClientsSessionIsNotResumed() throws {
        var stage = Stage()
        let anna = stage.connect("anna")
        let session = try stage.session(anna).session
        let ben = stage.connect("ben", session: session)
        let own = try stage.session(ben)
        #expect(!own.resumed)
        #expect(own.session != session)
    }

    @Test("Resuming a session closes its earlier connection") func aSessionHasOneConnection() throws {
        var stage = Stage()
        let old = stage.connect()
        let session = try stage.session(old).session
        let new = stage.connect(session: session)
        #expect(stage.end(old) == .fin)
        #expect(stage.close(old)?.code == .normal)
        stage.act(.post(.init(to: "stukov")))
        #expect(stage.frames(old).messages.isEmpty)
        #expect(stage.frames(new).messages.count == 1)
    }

    @Test("A close frame from the client is answered and ends the connection") func clientsCloseInOrder() {
        var stage = Stage()
        let anna = stage.join()
        stage.close(anna, .normal)
        #expect(stage.close(anna)?.code == .normal)
        #expect(stage.end(anna) == .fin)
        #expect(stage.named("server.closed").map(\.fields) == [["code": 1000]])
    }

    @Test("A close frame without a code is reported as 1005") func aCloseWithoutACodeIs1005() {
        var stage = Stage()
        let anna = stage.join()
        stage.send(frame([], .close), on: anna)
        #expect(stage.named("server.closed").map(\.fields) == [["code": 1005]])
    }

    @Test("If both sides close at the same time, the code that was sent first is reported")
    func theFirstCloseCodeCounts() throws {
        var stage = Stage()
        let anna = stage.dial("anna")
        var socket = WebSocketConnection.client(host: "h", path: "/ws", key: Array(0..<16), masks: Seed(1).stream("m"))
        stage.send(socket.takeOutput(), on: anna)
        try stage.act("close", [("code", .integer(1011))])
        // The server ignores data frames that arrive after it has sent a close frame.
        stage.send(frame(ClientFrame.connect(.init(key: "key-1")).encode(stage.wire)), on: anna)
        #expect(stage.named("server.received.connect").isEmpty)
        stage.send(frame(ClosePayload(.normal).encode(), .close), on: anna)
        #expect(stage.named("server.closed").map(\.fields) == [["code": 1011]])
        #expect(stage.end(anna) == .fin)
    }

    @Test("A protocol error closes the connection with 1002") func aBrokenRuleOfWebSocketClosesWithItsCode() {
        var stage = Stage()
        let anna = stage.join()
        // An unmasked, empty text frame.
        stage.send([0x81, 0x00], on: anna)
        #expect(stage.close(anna)?.code == .protocolError)
        #expect(stage.end(anna) == .fin)
    }

    @Test("A message above the limit closes the connection with 1009") func aMessageTooLargeClosesWith1009() {
        var stage = Stage { $0.maxMessageSize = 1000 }
        let anna = stage.join()
        stage.say(String(repeating: "x", count: 1001), on: anna)
        #expect(stage.close(anna)?.code == .messageTooBig)
    }

    @Test("A connection that the peer ends without a close frame is reported as closed without a code")
    func endedByThePeer() {
        var stage = Stage()
        let anna = stage.join()
        let ben = stage.join("ben")
        stage.hangUp(anna, .fin)
        stage.hangUp(ben, .rst)
        #expect(stage.end(anna) == .fin)
        #expect(stage.end(ben) == nil)
        #expect(stage.named("server.closed").map(\.client) == [ClientID("anna"), ClientID("ben")])
        #expect(stage.named("server.closed").map(\.fields) == [.object([]), .object([])])
    }

    @Test("A message immediately before a close frame is answered") func aMessageRightBeforeACloseIsAnswered() throws {
        var stage = Stage()
        let anna = stage.join()
        var socket = WebSocketConnection.client(host: "", path: "/", key: [], masks: Seed(3).stream("masks"))
        _ = socket.takeOutput()
        let text = WebSocketFrame(.text, maskKey: 5, payload: ClientFrame.send("c1").encode(stage.wire))
        let close = WebSocketFrame(.close, maskKey: 6, payload: ClosePayload(.normal).encode())
        socket.sendRaw(text)
        socket.sendRaw(close)
        stage.send(socket.takeOutput(), on: anna)
        #expect(stage.frames(anna).roles == [.confirm])
        #expect(stage.close(anna)?.code == .normal)
    }

    @Test("The action 'auth' changes the accepted key") func theKeyCanChange() throws {
        var stage = Stage()
        try stage.act("auth", [("key", .text("key-2"))])
        let anna = stage.connect()
        #expect(stage.frames(anna).roles == [.hello, .authError])
        let again = stage.open()
        stage.say(.connect(.init(key: "key-2")), on: again)
        #expect(stage.frames(again).roles == [.hello, .connected])
    }

    @Test("The action 'auth' can refuse every key") func noKeyIsAccepted() throws {
        var stage = Stage()
        try stage.act("auth", [("accept", .flag(false))])
        let anna = stage.connect()
        #expect(stage.frames(anna).roles == [.hello, .authError])
        try stage.act("auth", [("accept", .flag(true))])
        let again = stage.connect()
        #expect(stage.frames(again).roles == [.hello, .connected])
    }
}
