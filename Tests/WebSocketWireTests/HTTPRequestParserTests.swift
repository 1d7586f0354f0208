import Testing
import WebSocketWire

@Suite struct HTTPRequestParserTests {
    @Test(
        "The same request is parsed for every split of its bytes",
        arguments: [
            "GET / HTTP/1.1\nHost: a\n\n",
            "\nGET / HTTP/1.1\n\nnext",
            "POST /a?b HTTP/1.1\nContent-Length: 5\n\nhelloGET",
            "POST /a HTTP/1.1\nContent-Length: 5\ncontent-length: 5\n\nhel",
            "POST /a HTTP/1.1\nTransfer-Encoding: Chunked\n\n5;a=b\nhello\n00a\n0123456789\n0\nTrailer: x\n\nrest",
            "GET / HTTP/1.1\nA: b\nbroken\n\n",
            "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n5\nhelloX\n",
        ]
    )
    func everyCutIsTheSame(text: String) {
        let whole = parseRequest([text.wire])
        for pieces in everyCut(of: text.wire) {
            #expect(parseRequest(pieces) == whole)
        }
    }

    @Test("An HTTP request without a body ends after its head")
    func headOnly() {
        let parsed = parseRequest(["GET /chat HTTP/1.1\nHost: a:1\nX:\t v w \t\nE:\n\nrest".wire])
        let head = HTTPRequestHead(method: "GET", target: "/chat", headers: ["Host": "a:1", "X": "v w", "E": ""])
        #expect(parsed == Parsed(heads: [head], hasEnded: true, remainder: Array("rest".utf8)))
    }

    @Test("A request body ends after its Content-Length")
    func bodyOfLength() {
        let parsed = parseRequest(["POST / HTTP/1.1\nContent-Length: 5, 5\n\nhello!".wire])
        #expect(parsed.body == Array("hello".utf8))
        #expect(parsed.hasEnded)
        #expect(parsed.remainder == Array("!".utf8))
    }

    @Test("A request without a Content-Length has no body")
    func bodyOfNoLengthIsNone() {
        #expect(parseRequest(["POST / HTTP/1.1\n\nhello".wire]).remainder == Array("hello".utf8))
        #expect(parseRequest(["POST / HTTP/1.1\nContent-Length: 0\n\nhello".wire]).remainder == Array("hello".utf8))
    }

    @Test("A chunked body is parsed with chunk extensions and a trailer")
    func chunkedBody() {
        let parsed = parseRequest([
            "PUT / HTTP/1.1\nTransfer-Encoding: chunked\n\nA \t; x=\"y\"\n0123456789\n1\n!\n000\nT: 1\n\nmore".wire
        ])
        #expect(parsed.body == Array("0123456789!".utf8))
        #expect(parsed.hasEnded)
        #expect(parsed.remainder == Array("more".utf8))
    }

    @Test(
        "An invalid HTTP request line is an error",
        arguments: [
            "GET  / HTTP/1.1", "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /", "GET", "G@T / HTTP/1.1",
            "GET /\u{7F} HTTP/1.1",
            "GET /\u{E9} HTTP/1.1", "GET / http/1.1", "GET / HTTP/11", "GET / HTTP/1.x", "GET\t/ HTTP/1.1",
            "GET / \r",
            "\n",
            "GET /\0 HTTP/1.1",
        ]
    )
    func malformedStartLine(line: String) {
        let error = parseRequest(["\(line)\n\n".wire]).error
        guard case .malformedStartLine = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "An HTTP version other than 1.0 or 1.1 is an error",
        arguments: ["HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/3.0"]
    )
    func unsupportedVersion(version: String) {
        #expect(parseRequest(["GET / \(version)\n\n".wire]).error == .unsupportedVersion(version))
    }

    @Test(
        "An invalid header field is an error",
        arguments: [
            " A: b", "A : b", "A\t: b", "A", ": b", "A b: c", "A: b\rc", "A: b\0c", "A: \u{1}", "A: \u{7F}",
            "\u{E9}: b",
            "A(b): c",
        ]
    )
    func malformedHeader(line: String) {
        let bytes = "GET / HTTP/1.1\nHost: a\n".wire + line.utf8 + "\n\n".wire
        let error = parseRequest([bytes]).error
        guard case .malformedHeader = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A folded header field is an error")
    func foldedHeader() {
        #expect(parseRequest(["GET / HTTP/1.1\nA: b\n c\n\n".wire]).error == .malformedHeader(" c"))
    }

    @Test("A line feed without a carriage return is an error")
    func lineFeedAloneEndsNoLine() {
        #expect(parseRequest([Array("GET / HTTP/1.1\n".utf8)]).error == .malformedStartLine("GET / HTTP/1.1"))
        #expect(parseRequest(["GET / HTTP/1.1\n".wire + Array("A: b\n".utf8)]).error == .malformedHeader("A: b"))
        #expect(parseRequest(["GET / HTTP/1.1\n".wire + [0x0A]]).error == .malformedHeader(""))
    }

    @Test("An invalid Content-Length is an error", arguments: ["", "-1", "+1", "1 2", "0x1", "1,", "5, 6", "5.0"])
    func invalidContentLength(value: String) {
        #expect(
            parseRequest(["POST / HTTP/1.1\nContent-Length: \(value)\n\n".wire]).error == .invalidContentLength(value)
        )
    }

    @Test("Two different Content-Length values are an error")
    func differingLengths() {
        let parsed = parseRequest(["POST / HTTP/1.1\nContent-Length: 5\nContent-Length: 05\n\n".wire])
        #expect(parsed.error == .invalidContentLength("5, 05"))
    }

    @Test("Content-Length together with chunked encoding is an error")
    func bothLengthAndChunked() {
        let parsed = parseRequest(["POST / HTTP/1.1\nContent-Length: 5\nTransfer-Encoding: chunked\n\n".wire])
        #expect(parsed.error == .bothLengthAndChunked)
        #expect(parsed.heads.isEmpty)
    }

    @Test(
        "A transfer encoding other than chunked is an error",
        arguments: ["gzip", "gzip, chunked", "chunked, chunked", "", "xchunked"]
    )
    func unsupportedTransferEncoding(coding: String) {
        let parsed = parseRequest(["POST / HTTP/1.1\nTransfer-Encoding: \(coding)\n\n".wire])
        #expect(parsed.error == .unsupportedTransferEncoding(coding))
    }

    @Test("Chunked encoding in HTTP/1.0 is an error")
    func chunkedInHTTP10() {
        let parsed = parseRequest(["POST / HTTP/1.0\nTransfer-Encoding: chunked\n\n".wire])
        #expect(parsed.error == .unsupportedTransferEncoding("chunked"))
    }

    @Test(
        "An invalid chunk in a chunked body is an error",
        arguments: [
            "\n", "x\n", "-1\n", "+1\n", "0x1\n", " 1\n", "1 \nx\n", "1,a\nx\n", "1;\u{1}\nx\n", "1\nxy\n",
            "1\nx\ny\n",
            "ffffffffffffffffffffffff g\n", "1;" + String(repeating: "e", count: 1100),
        ]
    )
    func invalidChunk(chunks: String) {
        let bytes = "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n\(chunks)".wire
        #expect(parseRequest([bytes]).error == .invalidChunk)
        #expect(parseRequest(bytes.map { [$0] }).error == .invalidChunk)
    }

    @Test("A chunk that does not end with CRLF is an error")
    func chunkEndsInCRLFOnly() {
        let head = "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n".wire
        #expect(parseRequest([head + Array("1\nx".utf8)]).error == .invalidChunk)
        #expect(parseRequest([head + "1\nx".wire + [0x0A]]).error == .invalidChunk)
        #expect(parseRequest([head + "0\n".wire + [0x0A]]).error == .malformedHeader(""))
    }

    @Test(
        "The end of the stream inside a request is an error",
        arguments: [
            "", "GET / HT", "GET / HTTP/1.1\nA: b\n", "POST / HTTP/1.1\nContent-Length: 2\n\nx",
            "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n5\nhello\n0\n",
        ]
    )
    func truncated(text: String) {
        #expect(parseRequest([text.wire]).error == nil)
        #expect(parseRequest([text.wire], finishing: true).error == .truncated)
    }

    @Test("The end of the stream after a complete request is not an error")
    func wholeMessageIsNotTruncated() {
        #expect(parseRequest(["GET / HTTP/1.1\n\n".wire], finishing: true).error == nil)
    }

    @Test("An HTTP parse error is thrown again by every later call")
    func errorIsThrownAgain() {
        var parser = HTTPRequestParser()
        parser.append("nonsense\n".wire)
        for _ in 0..<2 {
            #expect(throws: HTTPError.malformedStartLine("nonsense")) { try parser.next() }
            parser.append("GET / HTTP/1.1\n\n".wire)
        }
    }
}
