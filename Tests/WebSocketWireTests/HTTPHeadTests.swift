import Testing
import WebSocketWire

@Suite struct HTTPHeadTests {
    @Test("An HTTP request head is encoded with its fields as given")
    func requestIsWrittenAsGiven() {
        let head = HTTPRequestHead(
            method: "GET",
            target: "/chat?x=1",
            headers: ["host": "a", "X-Two": "1", "x-two": "2", "Empty": ""]
        )
        #expect(head.encode() == "GET /chat?x=1 HTTP/1.1\nhost: a\nX-Two: 1\nx-two: 2\nEmpty: \n\n".wire)
    }

    @Test("An HTTP response head is encoded with its fields as given")
    func responseIsWrittenAsGiven() {
        let head = HTTPResponseHead(status: 429, reason: "", headers: ["Retry-After": "7"], version: .http10)
        #expect(head.encode() == "HTTP/1.0 429 \nRetry-After: 7\n\n".wire)
    }

    @Test("Header fields are found regardless of the case of their names")
    func namesAreFoundInAnyCase() {
        let headers: HTTPHeaders = ["Set-Cookie": "a", "Host": "h", "set-cookie": "b"]
        #expect(headers["SET-COOKIE"] == "a")
        #expect(headers.values(of: "Set-Cookie") == ["a", "b"])
        #expect(headers["Cookie"] == nil)
        // `[` and `{` differ in the same bit as an upper-case and a lower-case letter, but are not case variants.
        #expect(HTTPHeaders(["[": "x"].map { HTTPHeaders.Field(name: $0, value: $1) })["{"] == nil)
    }

    @Test("The elements of a header are combined from all fields with that name")
    func elementsJoinTheListsOfAllValues() {
        let headers: HTTPHeaders = ["Connection": "keep-alive,\t Upgrade ", "connection": "", "CONNECTION": "x y"]
        #expect(headers.elements(of: "Connection") == ["keep-alive", "Upgrade", "", "x y"])
    }

    @Test("Header bytes above 0x7F are kept unchanged")
    func bytesAbove7FComeThroughUnchanged() throws {
        let bytes = "GET / HTTP/1.1\nX: ".wire + [0xC3, 0xA9, 0xFF, 0x80] + "\n\n".wire
        var parser = HTTPRequestParser()
        parser.append(bytes)
        guard case .head(let head) = try parser.next() else {
            Issue.record("no head")
            return
        }
        #expect(head.headers["X"] == "\u{C3}\u{A9}\u{FF}\u{80}")
        #expect(head.encode() == bytes)
    }

    @Test("Header characters outside Latin-1 are written as UTF-8")
    func otherCharactersAreWrittenAsUTF8() {
        let head = HTTPRequestHead(method: "GET", target: "/", headers: ["X": "é😀"])
        #expect(head.encode() == "GET / HTTP/1.1\nX: ".wire + [0xE9, 0xF0, 0x9F, 0x98, 0x80] + "\n\n".wire)
    }
}
