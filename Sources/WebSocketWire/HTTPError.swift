/// What is wrong with an HTTP message; the message and its connection are of no further use.
package enum HTTPError: Error, Hashable, Sendable {
    /// Start line and fields, or a chunked body's trailer, need more bytes than allowed.
    case headTooLarge(limit: Int)
    case tooManyHeaders(limit: Int)
    /// Neither a request line nor a status line as RFC 9112 sections 3 and 4 want it; the line.
    case malformedStartLine(String)
    /// Not `name: value` on one line (RFC 9112 section 5); the line.
    case malformedHeader(String)
    /// Well-formed, but neither HTTP/1.0 nor HTTP/1.1.
    case unsupportedVersion(String)
    /// Not a number, or several that differ (RFC 9112 section 6.3).
    case invalidContentLength(String)
    /// Two lengths for one body: how requests are smuggled (RFC 9112 section 6.1).
    case bothLengthAndChunked
    /// Any coding but `chunked` alone, and any at all in HTTP/1.0.
    case unsupportedTransferEncoding(String)
    /// A chunk's size line or its end is not as RFC 9112 section 7.1 wants it.
    case invalidChunk
    case bodyTooLarge(limit: Int)
    /// The stream ended inside the message.
    case truncated

    /// The status with which a server answers it.
    package var status: Int {
        switch self {
        case .headTooLarge, .tooManyHeaders: 431
        case .bodyTooLarge: 413
        case .unsupportedVersion: 505
        case .unsupportedTransferEncoding: 501
        case .malformedStartLine, .malformedHeader, .invalidContentLength, .bothLengthAndChunked, .invalidChunk,
            .truncated:
            400
        }
    }
}

extension HTTPError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .headTooLarge(let limit): "the head is larger than \(limit) bytes"
        case .tooManyHeaders(let limit): "the head has more than \(limit) headers"
        case .malformedStartLine(let line): "not a start line of HTTP: \(Self.shown(line))"
        case .malformedHeader(let line): "not a header: \(Self.shown(line))"
        case .unsupportedVersion(let version): "not HTTP/1.1: \(Self.shown(version))"
        case .invalidContentLength(let value): "not a Content-Length: \(Self.shown(value))"
        case .bothLengthAndChunked: "both Content-Length and Transfer-Encoding"
        case .unsupportedTransferEncoding(let value): "Transfer-Encoding is not chunked: \(Self.shown(value))"
        case .invalidChunk: "a chunk of the body is malformed"
        case .bodyTooLarge(let limit): "the body is larger than \(limit) bytes"
        case .truncated: "the stream ended inside the message"
        }
    }

    /// A peer that speaks no HTTP may have sent anything: so much of it that a line holds it, and nothing that a terminal
    /// obeys.
    private static func shown(_ text: String) -> String {
        let most = 60
        var shown = ""
        for scalar in text.unicodeScalars.prefix(most) {
            let isObeyed = [.control, .format].contains(scalar.properties.generalCategory)
            let code = String(scalar.value, radix: 16, uppercase: true)
            shown += isObeyed ? "\\u{\(code)}" : scalar.escaped(asASCII: false)
        }
        let left = text.unicodeScalars.count - most
        return "\"\(shown)\"" + (left > 0 ? " and \(left) more" : "")
    }
}

/// How much of a message a parser takes before it gives up.
package struct HTTPLimits: Hashable, Sendable {
    /// Bytes of start line and fields, the empty line behind them included.
    package var head: Int
    /// Fields of the head, those of a chunked body's trailer included.
    package var headers: Int
    /// Bytes of the body, without a chunked body's framing.
    package var body: Int

    package init(head: Int = 16_384, headers: Int = 100, body: Int = 16_777_216) {
        self.head = head
        self.headers = headers
        self.body = body
    }
}
