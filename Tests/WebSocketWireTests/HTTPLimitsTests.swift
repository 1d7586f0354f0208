import Testing
import WebSocketWire

@Suite struct HTTPLimitsTests {
    private let head = "GET / HTTP/1.1\nA: b\n\n".wire

    @Test("An HTTP head of exactly the size limit is accepted, and a longer one is refused")
    func headOfExactlyTheLimit() {
        #expect(parseRequest([head], limits: HTTPLimits(head: head.count)).hasEnded)
        for pieces in everyCut(of: head) {
            let parsed = parseRequest(pieces, limits: HTTPLimits(head: head.count - 1))
            #expect(parsed.error == .headTooLarge(limit: head.count - 1))
        }
    }

    @Test("An interim response head and a trailer each have their own size limit")
    func interimHeadAndTrailerCountByThemselves() {
        let interim = "HTTP/1.1 100 Go on\nA: b\n\nHTTP/1.1 204 None\nA: b\n\n".wire
        #expect(parseResponse([interim], limits: HTTPLimits(head: 30)).hasEnded)
        let chunked = "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n0\nA: 1234567890123456789012345678901234567\n\n"
            .wire
        #expect(parseRequest([chunked], limits: HTTPLimits(head: 50)).hasEnded)
    }

    @Test("An endless line is refused at the size limit")
    func endlessLineIsCutOffAtTheLimit() {
        var parser = HTTPRequestParser(limits: HTTPLimits(head: 100))
        for count in 1..<100 {
            parser.append([0x61])
            #expect(throws: Never.self, "after \(count) bytes") { try parser.next() }
        }
        parser.append([0x61])
        #expect(throws: HTTPError.headTooLarge(limit: 100)) { try parser.next() }
    }

    @Test("Several empty lines before an HTTP request are an error")
    func emptyLinesBeforeARequestAreNotEndless() {
        #expect(parseRequest(["\n\n\n".wire]).error == .malformedStartLine(""))
    }

    @Test("A head with more header fields than the limit is refused")
    func headersAreCounted() {
        let bytes = "GET / HTTP/1.1\nA: 1\nB: 2\nC: 3\n\n".wire
        #expect(parseRequest([bytes], limits: HTTPLimits(headers: 3)).hasEnded)
        #expect(parseRequest([bytes], limits: HTTPLimits(headers: 2)).error == .tooManyHeaders(limit: 2))
    }

    @Test("A trailer is limited in the number of fields and in bytes")
    func trailerIsBoundedToo() {
        let bytes = "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n0\nA: 1\nB: 2\n\n".wire
        #expect(parseRequest([bytes], limits: HTTPLimits(headers: 3)).hasEnded)
        #expect(parseRequest([bytes], limits: HTTPLimits(headers: 2)).error == .tooManyHeaders(limit: 2))
        let endless = bytes.dropLast(2) + [UInt8](repeating: 0x61, count: 100)
        #expect(parseRequest([Array(endless)], limits: HTTPLimits(head: 90)).error == .headTooLarge(limit: 90))
    }

    @Test(
        "A body above the limit is refused as soon as its length is known",
        arguments: [
            "Content-Length: 6\n\n", "Content-Length: 99999999999999999999999\n\n", "Transfer-Encoding: chunked\n\n6\n",
            "Transfer-Encoding: chunked\n\n3\nabc\n3\n", "Transfer-Encoding: chunked\n\nffffffffffffffffffffff\n",
        ]
    )
    func bodyTooLarge(rest: String) {
        let parsed = parseRequest(["POST / HTTP/1.1\n\(rest)".wire], limits: HTTPLimits(body: 5))
        #expect(parsed.error == .bodyTooLarge(limit: 5))
        #expect(parsed.heads.count == 1)
    }

    @Test("A body of exactly the size limit is accepted")
    func bodyOfExactlyTheLimit() {
        let limits = HTTPLimits(body: 5)
        #expect(parseRequest(["POST / HTTP/1.1\nContent-Length: 5\n\nhello".wire], limits: limits).hasEnded)
        let chunked = "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n2\nab\n3\ncde\n0\n\n".wire
        #expect(parseRequest([chunked], limits: limits).hasEnded)
        #expect(parseResponse(["HTTP/1.1 200 \n\nhello".wire], limits: limits, finishing: true).hasEnded)
    }

    @Test("A response body without a length is delivered up to the size limit")
    func bodyOfNoLengthIsGivenUpToTheLimit() {
        for pieces in everyCut(of: "HTTP/1.1 200 \n\nhello!".wire) {
            let parsed = parseResponse(pieces, limits: HTTPLimits(body: 5))
            #expect(parsed.body == Array("hello".utf8))
            #expect(parsed.error == .bodyTooLarge(limit: 5))
        }
    }

    @Test(
        "Each HTTP parse error has a status for the server's response",
        arguments: [
            (HTTPError.headTooLarge(limit: 1), 431), (.tooManyHeaders(limit: 1), 431), (.bodyTooLarge(limit: 1), 413),
            (.unsupportedVersion("x"), 505), (.unsupportedTransferEncoding("x"), 501), (.malformedHeader("x"), 400),
        ]
    )
    func statuses(error: HTTPError, status: Int) {
        #expect(error.status == status)
    }
}
