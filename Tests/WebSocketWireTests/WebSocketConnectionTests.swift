import Testing
import WebSocketWire

@Suite struct WebSocketConnectionTests {
    @Test("Both ends exchange messages, even if bytes arrive one by one", arguments: [false, true])
    func conversation(isByteByByte: Bool) throws {
        var pair = try ConnectionPair(isByteByByte: isByteByByte, greeting: "hello")
        #expect(pair.client.state == .open)
        #expect(pair.server.state == .open)
        #expect(pair.client.subprotocol == "chat")
        guard case .opened(let head)? = pair.clientEvents.first else {
            Issue.record("not opened")
            return
        }
        #expect(head.status == 101)
        #expect(pair.clientEvents.dropFirst() == [.received(.text("hello"))])

        pair.clientEvents = []
        let long = String(repeating: "日本語", count: 10_000)
        #expect(pair.client.sendText(long) == true)
        #expect(pair.client.sendBinary([0, 0xFF]) == true)
        #expect(pair.client.sendPing([1]) == true)
        #expect(pair.server.sendText("") == true)
        #expect(pair.server.sendPing() == true)
        pair.settle()
        #expect(
            pair.serverEvents == [
                .received(.text(long)), .received(.binary([0, 0xFF])), .received(.ping([1])), .received(.pong([])),
            ]
        )
        #expect(pair.clientEvents == [.received(.text("")), .received(.ping([])), .received(.pong([1]))])
    }

    @Test("Fragmented messages from both ends are assembled")
    func fragmentsFromEitherSide() throws {
        var pair = try ConnectionPair()
        pair.clientEvents = []
        for (fin, opcode, key) in [
            (false, Opcode.text, UInt32(5)), (false, .continuation, 6), (true, .continuation, 7),
        ] {
            pair.client.sendRaw(WebSocketFrame(fin: fin, opcode, maskKey: key, payload: [0x61]))
            pair.client.sendPing([UInt8(key)])
            pair.server.sendRaw(WebSocketFrame(fin: fin, opcode, payload: [0x62]))
        }
        pair.settle()
        #expect(
            pair.serverEvents == [
                .received(.ping([5])), .received(.ping([6])), .received(.text("aaa")), .received(.ping([7])),
            ]
        )
        #expect(pair.clientEvents.first == .received(.text("bbb")))
        #expect(pair.clientEvents.dropFirst() == [.received(.pong([5])), .received(.pong([6])), .received(.pong([7]))])
    }

    @Test("The client masks every frame with a new masking key")
    func clientMasksEachFrameAnew() {
        var client = makeOpenClient()
        client.sendText("a")
        client.sendText("a")
        let bytes = client.takeOutput()
        let first = FrameHeader.parse(bytes)
        let second = FrameHeader.parse(bytes, at: 7)
        #expect(first?.maskKey != nil)
        #expect(second?.maskKey != nil)
        #expect(first?.maskKey != second?.maskKey)
    }

    @Test("Each output byte is returned exactly once")
    func outputIsGivenOnce() {
        var client = makeOpenClient()
        client.sendText("a")
        #expect(client.takeOutput().count == 7)
        #expect(client.takeOutput().isEmpty)
    }

    @Test("Frames that arrive together with the upgrade request are read")
    func framesBehindTheRequestAreRead() throws {
        let request = WebSocketHandshake.request(host: "a", path: "/", key: sampleKey)
        let early = WebSocketFrame(.text, maskKey: 1, payload: [0x61]).encode()
        var server = try WebSocketConnection.server(accepting: request, remainder: early)
        #expect(server.receive([]) == [.received(.text("a"))])
    }

    @Test("The server refuses an invalid upgrade request")
    func serverRefusesABadRequest() {
        #expect(throws: HandshakeError.missing(.host)) {
            try WebSocketConnection.server(accepting: HTTPRequestHead(method: "GET", target: "/"))
        }
    }

    @Test("A connection can be set to leave pings unanswered")
    func pingsStayUnansweredOnDemand() throws {
        var server = try makeOpenServer()
        server.answersPings = false
        #expect(server.receive(WebSocketFrame(.ping, maskKey: 1, payload: [9]).encode()) == [.received(.ping([9]))])
        #expect(server.takeOutput().isEmpty)
        #expect(server.sendPong([9]) == true)
        #expect(server.takeOutput() == [0x8A, 1, 9])
    }

    @Test("The payload of a ping is truncated to 125 bytes")
    func longPingsAreCut() throws {
        var server = try makeOpenServer()
        server.sendPing([UInt8](repeating: 1, count: 200))
        #expect(server.takeOutput().count == 127)
    }

    @Test(
        "A protocol violation fails the connection and is reported to the peer in a close frame",
        arguments: [
            (WebSocketFrame(.text, payload: [0xFF]), ProtocolViolation.invalidUTF8, CloseCode.invalidPayload),
            (WebSocketFrame(.continuation), .unexpectedContinuation, .protocolError),
            (WebSocketFrame(.binary, payload: [1, 2, 3, 4, 5]), .messageTooBig(limit: 4), .messageTooBig),
            (WebSocketFrame(.close, payload: [3]), .truncatedCloseCode, .protocolError),
            (WebSocketFrame(.text, maskKey: 3), .masked, .protocolError),
        ]
    )
    func violations(frame: WebSocketFrame, violation: ProtocolViolation, code: CloseCode) throws {
        var client = makeOpenClient(limits: WebSocketConnection.Limits(message: 4))
        let bytes = frame.encode() + WebSocketFrame(.text).encode()
        #expect(client.receive(bytes) == [.failed(.violation(violation))])
        #expect(client.state == .closed)
        #expect(client.shouldEndStream)
        #expect(client.closeCode == .abnormal)
        #expect(client.receive(WebSocketFrame(.text).encode()).isEmpty)
        #expect(client.receiveEnd().isEmpty)
        #expect(client.sendText("late") == false)
        var server = try makeOpenServer()
        #expect(
            server.receive(client.takeOutput())
                == [.received(.close(ClosePayload(code, reason: violation.description)))]
        )
    }

    @Test("Invalid UTF-8 fails the connection while its frame is still arriving")
    func textFailsWhileItIsStillArriving() {
        var client = makeOpenClient()
        let header = FrameHeader(opcode: .text, length: 50)
        #expect(client.receive(WebSocketFrame(header: header, payload: [0x61, 0xF4]).encode()).isEmpty)
        #expect(client.receive([0x90]) == [.failed(.violation(.invalidUTF8))])
    }

    @Test("Raw frames can be written in any state of the connection")
    func rawFramesAreWrittenInAnyState() throws {
        var server = try makeOpenServer()
        server.sendClose(.normal)
        _ = server.takeOutput()
        server.sendRaw(WebSocketFrame(.text, payload: [0x61]))
        #expect(server.takeOutput() == [0x81, 1, 0x61])
        #expect(server.state == .closing)
    }
}
