import Conformance
import SquallCore
import Testing
import WebSocketWire

/// Tests the echo endpoint's responses to the opening handshake.
@Suite struct EchoServerTests {
    private func answer(_ head: HTTPRequestHead, _ rest: [UInt8] = []) -> (head: String, behind: [UInt8], ends: Bool) {
        var server = EchoServer()
        // The request arrives in two pieces; the second contains the body.
        server.receive(head.encode())
        server.receive(rest)
        let output = server.takeOutput()
        var parser = HTTPResponseParser()
        parser.append(output)
        guard case .head(let answered)? = try? parser.next() else { return ("", output, server.shouldEnd) }
        _ = try? parser.next()
        return ("\(answered.status) \(answered.reason)", parser.takeRemainder(), server.shouldEnd)
    }

    private static var request: HTTPRequestHead {
        WebSocketHandshake.request(host: "peer", path: "/", key: Array(0..<16))
    }

    @Test("The echo server skips the body of the upgrade request and answers the frame after it")
    func body() {
        var head = Self.request
        head.headers.append("Content-Length", "5")
        let frame = WebSocketFrame(.text, maskKey: 7, payload: Array("Hello".utf8))
        let answered = answer(head, Array("body!".utf8) + frame.encode())
        #expect(answered.head == "101 Switching Protocols" && !answered.ends)
        #expect(answered.behind == WebSocketFrame(.text, payload: Array("Hello".utf8)).encode())
    }

    @Test("A malformed request is refused with the HTTP status for its mistake")
    func refusals() {
        var long = Self.request
        long.headers.append("X-Long", String(repeating: "a", count: 20_000))
        #expect(answer(long).head == "431 Request Header Fields Too Large")
        var (server, parser) = (EchoServer(), HTTPResponseParser())
        server.receive(Array("GET / HTTP/2.0\r\nHost: a\r\n\r\n".utf8))
        #expect(server.shouldEnd)
        parser.append(server.takeOutput())
        guard case .head(let head)? = try? parser.next() else {
            Issue.record("no answer")
            return
        }
        #expect(head.status == 505 && head.reason == "HTTP Version Not Supported")
    }
}
