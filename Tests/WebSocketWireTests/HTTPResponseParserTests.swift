import Testing
import WebSocketWire

@Suite struct HTTPResponseParserTests {
    @Test(
        "The same response is parsed for every split of its bytes",
        arguments: [
            "HTTP/1.1 200 OK\nContent-Length: 3\n\nabcdef",
            "HTTP/1.1 100 Continue\nA: b\n\nHTTP/1.1 103 Early Hints\n\nHTTP/1.1 204 No Content\n\nrest",
            "HTTP/1.0 503 Service Unavailable\nRetry-After: 3\n\nuntil the end",
            "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\n\n\u{1}\u{2}",
            "HTTP/1.1 200 \nTransfer-Encoding: chunked\n\n3\nabc\n0\n\n",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nz",
            "SSH-2.0-OpenSSH\n",
        ]
    )
    func everyCutIsTheSame(text: String) {
        let whole = parseResponse([text.wire], finishing: true)
        for pieces in everyCut(of: text.wire) {
            #expect(parseResponse(pieces, finishing: true) == whole)
        }
    }

    @Test("The bytes after a 101 response are returned as the remainder")
    func upgradeHandsOverTheRest() {
        let parsed = parseResponse(["HTTP/1.1 101 Switching Protocols\nContent-Length: 9\n\nframes".wire])
        #expect(parsed.heads.map(\.status) == [101])
        #expect(parsed.hasEnded)
        #expect(parsed.body.isEmpty)
        #expect(parsed.remainder == Array("frames".utf8))
    }

    @Test("Interim responses are returned before the final response")
    func interimResponsesPrecedeTheOneThatCounts() {
        let parsed = parseResponse(["HTTP/1.1 100 Continue\nX: 1\n\nHTTP/1.1 200 OK\nContent-Length: 1\n\nx".wire])
        #expect(parsed.heads.map(\.status) == [100, 200])
        #expect(parsed.heads.last?.headers == ["Content-Length": "1"])
        #expect(parsed.body == Array("x".utf8))
        #expect(parsed.hasEnded)
    }

    @Test(
        "Responses to HEAD and with status 204 or 304 have no body, whatever their headers say",
        arguments: [(204, "GET"), (304, "GET"), (200, "HEAD"), (404, "HEAD")]
    )
    func noBody(status: Int, method: String) {
        let bytes = "HTTP/1.1 \(status) X\nContent-Length: 5\n\nnext".wire
        let parsed = parseResponse([bytes], answering: method)
        #expect(parsed.hasEnded)
        #expect(parsed.remainder == Array("next".utf8))
    }

    @Test("A response body without a length lasts until the end of the stream")
    func bodyUntilTheEndOfTheStream() {
        let bytes = "HTTP/1.1 200 OK\n\nall of it".wire
        #expect(!parseResponse([bytes]).hasEnded)
        let parsed = parseResponse([bytes], finishing: true)
        #expect(parsed.hasEnded)
        #expect(parsed.body == Array("all of it".utf8))
    }

    @Test(
        "The end of the stream inside an HTTP response is an error",
        arguments: [
            "", "HTTP/1.1 200", "HTTP/1.1 100 Continue\n\n", "HTTP/1.1 200 OK\nContent-Length: 3\n\nab",
        ]
    )
    func truncated(text: String) {
        #expect(parseResponse([text.wire], finishing: true).error == .truncated)
    }

    @Test("A reason phrase may be empty or contain spaces")
    func reasonMayBeEmptyOrHaveSpaces() {
        #expect(parseResponse(["HTTP/1.1 200 \n\n".wire]).heads.first?.reason == "")
        #expect(parseResponse(["HTTP/1.1 200 a  b\tc\n\n".wire]).heads.first?.reason == "a  b\tc")
    }

    @Test(
        "An invalid status line is an error",
        arguments: [
            "HTTP/1.1 200", "HTTP/1.1  200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 X",
            "HTTP/1.1 +20 X",
            "HTTP/1.1 2x0 OK", "ICY 200 OK", "HTTP/1.1 200 O\u{1}K", "HTTP/1.1 200 O\rK", "\n",
        ]
    )
    func malformedStartLine(line: String) {
        let error = parseResponse([Array(line.utf8) + "\n\n".wire]).error
        guard case .malformedStartLine = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A response with an HTTP version other than 1.0 or 1.1 is an error")
    func unsupportedVersion() {
        #expect(parseResponse(["HTTP/2.0 200 OK\n\n".wire]).error == .unsupportedVersion("HTTP/2.0"))
    }
}

/// Tests that error messages are safe to print in a terminal even if they quote bytes from a peer that does not use
/// HTTP.
@Suite struct HTTPErrorTextTests {
    @Test("Text quoted in a parse error is shortened and has its control characters escaped")
    func isCutOffAndHoldsNothingThatATerminalObeys() {
        let noise = "a\u{1B}[2J\u{9B}1m\u{202E}\"\\" + String(repeating: "x", count: 100)
        let text = HTTPError.malformedStartLine(noise).description
        #expect(text.hasPrefix(#"not a start line of HTTP: "a\u{1B}[2J\u{9B}1m\u{202E}\"\\xxx"#))
        #expect(text.hasSuffix(#"x" and 51 more"#))
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.isASCII })
    }
}
