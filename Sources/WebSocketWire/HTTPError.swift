/// An error in an HTTP message, after which the message and its connection cannot be used.
package enum HTTPError: Error, Hashable, Sendable {
    /// The start line and header fields, or the trailer of a chunked body, exceed the size limit.
    case headTooLarge(limit: Int)
    case tooManyHeaders(limit: Int)
    /// The request line or status line is invalid (RFC 9112 sections 3 and 4).
    case malformedStartLine(String)
    /// A header line is invalid (RFC 9112 section 5).
    case malformedHeader(String)
    /// The version is well-formed, but neither HTTP/1.0 nor HTTP/1.1.
    case unsupportedVersion(String)
    /// The Content-Length is not a number, or several values differ (RFC 9112 section 6.3).
    case invalidContentLength(String)
    /// The message has both a Content-Length and a chunked body, which permits request smuggling (RFC 9112 section
    /// 6.1).
    case bothLengthAndChunked
    /// The message uses a transfer coding other than `chunked`, or any coding in HTTP/1.0.
    case unsupportedTransferEncoding(String)
    /// The size line or the end of a chunk is invalid (RFC 9112 section 7.1).
    case invalidChunk
    case bodyTooLarge(limit: Int)
    /// The stream ended before the message was complete.
    case truncated

    /// The status code with which a server responds to this error.
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

    /// Quotes the text, escapes its control characters and truncates it to 60 scalars, because a peer that does not use
    /// HTTP may have sent any bytes.
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

/// Limits on the size of an HTTP message.
package struct HTTPLimits: Hashable, Sendable {
    /// The maximum size of the start line and the header fields in bytes, including the empty line after them.
    package var head: Int
    /// The maximum number of header fields, including those of a chunked body's trailer.
    package var headers: Int
    /// The maximum size of the body in bytes, without the framing of a chunked body.
    package var body: Int

    package init(head: Int = 16_384, headers: Int = 100, body: Int = 16_777_216) {
        self.head = head
        self.headers = headers
        self.body = body
    }
}
