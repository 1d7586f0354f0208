import Testing
import WebSocketWire

@Suite struct WebSocketOpeningTests {
    @Test("The client sends nothing except the upgrade request before the handshake is complete")
    func nothingIsSentBeforeTheHandshakeIsOver() {
        var client = makeClient()
        #expect(client.state == .connecting)
        #expect(
            client.takeOutput() == WebSocketHandshake.request(host: "chat.test", path: "/ws", key: sampleKey).encode()
        )
        #expect(client.sendText("a") == false)
        #expect(client.sendPing() == false)
        #expect(client.sendPong() == false)
        #expect(client.sendClose() == false)
        #expect(client.takeOutput().isEmpty)
    }

    @Test("Interim responses do not complete the handshake")
    func interimResponsesAreWaitedOut() {
        var client = makeClient()
        #expect(client.receive("HTTP/1.1 102 Processing\n\n".wire).isEmpty)
        #expect(client.state == .connecting)
        #expect(client.receive(goodResponse.encode()) == [.opened(goodResponse)])
    }

    @Test("A refused upgrade is reported at the response head, and its body is kept up to a limit")
    func refusalIsReportedAndItsBodyKept() {
        var client = makeClient(limits: WebSocketConnection.Limits(refusalBody: 4))
        let head = HTTPResponseHead(status: 503, reason: "Busy", headers: ["Content-Length": "6"])
        #expect(client.receive(head.encode() + [1, 2]) == [.failed(.handshake(.refused(head)))])
        #expect(client.state == .closed)
        #expect(client.shouldEndStream)
        #expect(client.refusalBody == [1, 2])
        #expect(client.receive([3]).isEmpty)
        #expect(client.receive([4, 5, 6]).isEmpty)
        #expect(client.refusalBody == [1, 2, 3, 4])
        #expect(client.receiveEnd().isEmpty)
    }

    @Test("An invalid body of a refusal does not change the reported refusal")
    func brokenBodyOfARefusalChangesNothing() {
        var client = makeClient()
        let head = HTTPResponseHead(status: 502, reason: "", headers: ["Transfer-Encoding": "chunked"])
        #expect(client.receive(head.encode() + "no chunk\n".wire) == [.failed(.handshake(.refused(head)))])
        #expect(client.receive([1]).isEmpty)
    }

    @Test("An extension that was not offered fails the handshake")
    func wrongAgreementFails() {
        var client = makeClient()
        var head = goodResponse
        head.headers.append("Sec-WebSocket-Extensions", "x")
        #expect(
            client.receive(head.encode() + WebSocketFrame(.text).encode())
                == [.failed(.handshake(.wrong(.extensions, value: "x")))]
        )
        #expect(client.state == .closed)
        #expect(client.takeOutput().first == UInt8(ascii: "G"))
        #expect(client.takeOutput().isEmpty)
    }

    @Test("A response that is not HTTP fails the handshake")
    func answerThatIsNotHTTP() {
        var client = makeClient()
        #expect(client.receive("SSH-2.0-x\n".wire) == [.failed(.http(.malformedStartLine("SSH-2.0-x")))])
        #expect(client.state == .closed)
        #expect(client.shouldEndStream)
        #expect(client.receive(goodResponse.encode()).isEmpty)
    }

    @Test("The end of the stream during the handshake is a failure")
    func streamEndsInsideTheHandshake() {
        for bytes in [[], Array(goodResponse.encode().dropLast())] {
            var client = makeClient()
            #expect(client.receive(bytes).isEmpty)
            #expect(client.receiveEnd() == [.failed(.http(.truncated))])
            #expect(client.state == .closed)
        }
    }

    @Test("A response and the frames after it are the same for every split of their bytes")
    func responseAndFramesAreTheSameHoweverTheyAreCut() {
        let bytes =
            goodResponse.encode() + WebSocketFrame(.text, payload: [0x61]).encode()
            + WebSocketFrame(.close, payload: [3, 0xE8]).encode()
        for pieces in everyCut(of: bytes) {
            var client = makeClient()
            #expect(
                pieces.flatMap { client.receive($0) }
                    == [.opened(goodResponse), .received(.text("a")), .received(.close(ClosePayload(.normal)))]
            )
            #expect(client.state == .closed)
        }
    }
}
