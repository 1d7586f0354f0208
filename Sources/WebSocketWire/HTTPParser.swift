/// A part of an HTTP message. The parts arrive in the order head, body, end.
package enum HTTPEvent<Head: Hashable & Sendable>: Hashable, Sendable {
    case head(Head)
    /// A piece of the body, never empty. The division into pieces is arbitrary.
    case body([UInt8])
    case end
}

/// Parses one request from bytes that arrive in arbitrary pieces, strictly following RFC 9112.
package struct HTTPRequestParser: Sendable {
    private var reader: HTTPReader<HTTPRequestHead>

    package init(limits: HTTPLimits = HTTPLimits()) {
        reader = HTTPReader(limits: limits, skipsEmptyLine: true)
    }

    package mutating func append(_ bytes: [UInt8]) {
        reader.append(bytes)
    }

    /// Handles the end of the stream. If the message is incomplete, ``next()`` then throws ``HTTPError/truncated``.
    package mutating func finish() {
        reader.finish()
    }

    /// Returns the next part of the message. Returns nil if more bytes are needed, or if ``HTTPEvent/end`` has been
    /// returned.
    ///
    /// After an error, every further call throws the same error.
    package mutating func next() throws(HTTPError) -> HTTPEvent<HTTPRequestHead>? {
        try reader.next { (head) throws(HTTPError) in try HTTPFraming(of: head) }
    }

    /// Removes and returns the bytes that follow the message: another request, or the first frames after an upgrade.
    package mutating func takeRemainder() -> [UInt8] {
        reader.takeRemainder()
    }
}

/// Parses one response from bytes that arrive in arbitrary pieces, strictly following RFC 9112.
///
/// The heads of interim responses (1xx) are returned before the final head. The bytes after a 101 response are not
/// HTTP.
package struct HTTPResponseParser: Sendable {
    private var reader: HTTPReader<HTTPResponseHead>
    private let isAnswerToHead: Bool

    /// Creates a parser. `method` is the method of the request; the response to a HEAD request has no body.
    package init(limits: HTTPLimits = HTTPLimits(), answering method: String = "GET") {
        reader = HTTPReader(limits: limits, skipsEmptyLine: false)
        isAnswerToHead = method == "HEAD"
    }

    package mutating func append(_ bytes: [UInt8]) {
        reader.append(bytes)
    }

    /// Handles the end of the stream, which also ends a body without a declared length. If any other message is
    /// incomplete, ``next()`` then throws ``HTTPError/truncated``.
    package mutating func finish() {
        reader.finish()
    }

    /// Returns the next part of the message. Returns nil if more bytes are needed, or if ``HTTPEvent/end`` has been
    /// returned.
    ///
    /// After an error, every further call throws the same error.
    package mutating func next() throws(HTTPError) -> HTTPEvent<HTTPResponseHead>? {
        let isAnswerToHead = isAnswerToHead
        return try reader.next { (head) throws(HTTPError) in
            try HTTPFraming(of: head, isAnswerToHead: isAnswerToHead)
        }
    }

    /// Removes and returns the bytes that follow the message, such as the first frames after a 101 response.
    package mutating func takeRemainder() -> [UInt8] {
        reader.takeRemainder()
    }
}
