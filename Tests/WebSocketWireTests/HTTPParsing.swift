import WebSocketWire

/// The result of parsing a message, with the pieces of its body joined.
struct Parsed<Head: Hashable & Sendable>: Hashable {
    var heads: [Head] = []
    var body: [UInt8] = []
    var hasEnded = false
    var error: HTTPError?
    var remainder: [UInt8] = []

    mutating func take(_ next: () throws(HTTPError) -> HTTPEvent<Head>?) {
        do throws(HTTPError) {
            while let event = try next() {
                switch event {
                case .head(let head): heads.append(head)
                case .body(let piece): body += piece
                case .end: hasEnded = true
                }
            }
        } catch {
            self.error = error
        }
    }
}

func parseRequest(
    _ pieces: [[UInt8]],
    limits: HTTPLimits = HTTPLimits(),
    finishing: Bool = false
) -> Parsed<HTTPRequestHead> {
    var parser = HTTPRequestParser(limits: limits)
    var parsed = Parsed<HTTPRequestHead>()
    for piece in pieces {
        parser.append(piece)
        parsed.take { () throws(HTTPError) in try parser.next() }
    }
    if finishing {
        parser.finish()
        parsed.take { () throws(HTTPError) in try parser.next() }
    }
    if parsed.hasEnded { parsed.remainder = parser.takeRemainder() }
    return parsed
}

func parseResponse(
    _ pieces: [[UInt8]],
    limits: HTTPLimits = HTTPLimits(),
    answering method: String = "GET",
    finishing: Bool = false
) -> Parsed<HTTPResponseHead> {
    var parser = HTTPResponseParser(limits: limits, answering: method)
    var parsed = Parsed<HTTPResponseHead>()
    for piece in pieces {
        parser.append(piece)
        parsed.take { () throws(HTTPError) in try parser.next() }
    }
    if finishing {
        parser.finish()
        parsed.take { () throws(HTTPError) in try parser.next() }
    }
    if parsed.hasEnded { parsed.remainder = parser.takeRemainder() }
    return parsed
}
