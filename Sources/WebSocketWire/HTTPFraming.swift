/// How the end of a message's body is determined (RFC 9112 section 6.3).
enum HTTPFraming: Hashable, Sendable {
    /// The message has no body: it ends with its head.
    case none
    case length(Int)
    case chunked
    case untilClose
    /// The head belongs to an interim response; another head follows.
    case interim

    init(of request: HTTPRequestHead) throws(HTTPError) {
        self = try Self.declared(request.headers, request.version) ?? .none
    }

    /// Determines the framing of a response. If `isAnswerToHead` is true, the request was a HEAD request, so the
    /// response has no body, regardless of its headers.
    init(of response: HTTPResponseHead, isAnswerToHead: Bool) throws(HTTPError) {
        switch response.status {
        case 101, 204, 304:
            self = .none
        case 100..<200:
            self = .interim
        case _ where isAnswerToHead:
            self = .none
        default:
            self = try Self.declared(response.headers, response.version) ?? .untilClose
        }
    }

    /// Returns the framing that the headers specify; nil if they do not specify any.
    private static func declared(_ headers: HTTPHeaders, _ version: HTTPVersion) throws(HTTPError) -> HTTPFraming? {
        let codings = headers.elements(of: "Transfer-Encoding")
        let lengths = headers.elements(of: "Content-Length")
        guard codings.isEmpty else {
            guard lengths.isEmpty else { throw .bothLengthAndChunked }
            guard version == .http11, codings.count == 1, isSame(codings[0], "chunked") else {
                throw .unsupportedTransferEncoding(headers.values(of: "Transfer-Encoding").joined(separator: ", "))
            }
            return .chunked
        }
        guard let length = lengths.first else { return nil }
        guard isDigits(length.utf8), lengths.allSatisfy({ $0 == length }) else {
            throw .invalidContentLength(headers.values(of: "Content-Length").joined(separator: ", "))
        }
        // A length that does not fit in an `Int` exceeds any limit, so it is replaced by `Int.max`.
        return .length(Int(length) ?? .max)
    }
}
