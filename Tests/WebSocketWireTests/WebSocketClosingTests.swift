import Testing
import WebSocketWire

@Suite struct WebSocketClosingTests {
    @Test("A close frame from the client is answered, and the server ends the stream")
    func clientCloses() throws {
        var pair = try ConnectionPair()
        pair.clientEvents = []
        #expect(pair.client.sendClose(.goingAway, reason: "bye") == true)
        #expect(pair.client.state == .closing)
        pair.settle()
        #expect(pair.serverEvents == [.received(.close(ClosePayload(.goingAway, reason: "bye")))])
        #expect(pair.clientEvents == [.received(.close(ClosePayload(.goingAway)))])
        #expect(pair.client.state == .closed)
        #expect(pair.server.state == .closed)
        #expect(pair.server.shouldEndStream)
        #expect(!pair.client.shouldEndStream)
        #expect(pair.client.closeCode == .goingAway)
        #expect(pair.client.receiveEnd().isEmpty)
    }

    @Test("A close frame from the server is answered, and the server ends the stream")
    func serverCloses() throws {
        var pair = try ConnectionPair()
        pair.clientEvents = []
        #expect(pair.server.sendClose(CloseCode(4001)) == true)
        #expect(!pair.server.shouldEndStream)
        pair.settle()
        #expect(pair.clientEvents == [.received(.close(ClosePayload(CloseCode(4001))))])
        #expect(pair.serverEvents == [.received(.close(ClosePayload(CloseCode(4001))))])
        #expect(pair.server.shouldEndStream)
        #expect(!pair.client.shouldEndStream)
    }

    @Test("The closing handshake completes if both ends close at the same time")
    func bothCloseAtOnce() throws {
        var pair = try ConnectionPair()
        pair.clientEvents = []
        pair.client.sendClose(.normal)
        pair.server.sendClose(.goingAway)
        pair.settle()
        #expect(pair.clientEvents == [.received(.close(ClosePayload(.goingAway)))])
        #expect(pair.serverEvents == [.received(.close(ClosePayload(.normal)))])
        #expect(pair.client.state == .closed)
        #expect(pair.server.state == .closed)
    }

    @Test("A close frame without a code is reported as no status")
    func closeWithoutACode() throws {
        var pair = try ConnectionPair()
        pair.client.sendClose()
        pair.settle()
        #expect(pair.serverEvents == [.received(.close(ClosePayload()))])
        #expect(pair.server.closeCode == .noStatus)
        #expect(pair.client.closeCode == .noStatus)
    }

    @Test("Nothing can be sent after a close frame")
    func nothingIsSentBehindAClose() throws {
        var server = try makeOpenServer()
        server.sendClose(.normal)
        _ = server.takeOutput()
        #expect(server.sendText("a") == false)
        #expect(server.sendBinary([]) == false)
        #expect(server.sendPing() == false)
        #expect(server.sendClose(.normal) == false)
        #expect(server.takeOutput().isEmpty)
    }

    @Test("Messages and pings are still received after sending a close frame")
    func messagesAndPingsStillCountUntilThePeerCloses() throws {
        var server = try makeOpenServer()
        server.sendClose(.normal)
        _ = server.takeOutput()
        let bytes =
            WebSocketFrame(.text, maskKey: 1, payload: [0x61]).encode()
            + WebSocketFrame(.ping, maskKey: 2, payload: [7]).encode()
        #expect(server.receive(bytes) == [.received(.text("a")), .received(.ping([7]))])
        #expect(server.takeOutput() == [0x8A, 1, 7])
    }

    @Test("Nothing is received after the peer's close frame")
    func nothingCountsBehindThePeersClose() throws {
        var server = try makeOpenServer()
        let close = WebSocketFrame(.close, maskKey: 1).encode()
        let ping = WebSocketFrame(.ping, maskKey: 1).encode()
        #expect(server.receive(close + ping + [0xFF, 0xFF]) == [.received(.close(ClosePayload()))])
        #expect(server.receive(ping).isEmpty)
        #expect(server.takeOutput() == [0x88, 0])
        #expect(server.sendPong() == false)
    }

    @Test("A connection can be set to leave a close frame unanswered")
    func closeStaysUnansweredOnDemand() throws {
        var server = try makeOpenServer()
        server.answersClose = false
        _ = server.receive(WebSocketFrame(.close, maskKey: 1).encode())
        #expect(server.takeOutput().isEmpty)
        #expect(server.state == .closing)
        #expect(server.sendText("a") == false)
        #expect(server.sendClose(.normal) == true)
        #expect(server.state == .closed)
    }

    @Test("The end of the stream without a close frame is a failure")
    func endOfStreamWithoutAClose() throws {
        var server = try makeOpenServer()
        #expect(server.receiveEnd() == [.failed(.endOfStream)])
        #expect(server.state == .closed)
        #expect(server.closeCode == .abnormal)
        #expect(server.receiveEnd().isEmpty)

        var client = makeOpenClient()
        client.sendClose(.normal)
        #expect(client.receiveEnd() == [.failed(.endOfStream)])
        #expect(client.closeCode == .abnormal)
    }

    @Test("A protocol violation after a sent close frame sends no second close frame")
    func violationBehindOurCloseSendsNoSecond() {
        var client = makeOpenClient()
        client.sendClose(.normal)
        _ = client.takeOutput()
        #expect(client.receive([0xFF, 0x00]) == [.failed(.violation(.reservedBits))])
        #expect(client.takeOutput().isEmpty)
    }
}
