/// A piece of an HTTP message, in the order head, body, end.
package enum HTTPEvent<Head: Hashable & Sendable>: Hashable, Sendable {
    case head(Head)
    /// Some of the body, never empty. Where the pieces are cut says nothing.
    case body([UInt8])
    case end
}

/// Reads one request from bytes in any pieces, strictly after RFC 9112.
package struct HTTPRequestParser: Sendable {
    private var reader: HTTPReader<HTTPRequestHead>

    package init(limits: HTTPLimits = HTTPLimits()) {
        reader = HTTPReader(limits: limits, skipsEmptyLine: true)
    }

    package mutating func append(_ bytes: [UInt8]) {
        reader.append(bytes)
    }

    /// Tells that the stream has ended: ``next()`` throws ``HTTPError/truncated`` unless the message is whole.
    package mutating func finish() {
        reader.finish()
    }

    /// The next piece; nil while more bytes are needed, and after ``HTTPEvent/end``.
    ///
    /// An error is thrown again for ever.
    package mutating func next() throws(HTTPError) -> HTTPEvent<HTTPRequestHead>? {
        try reader.next { (head) throws(HTTPError) in try HTTPFraming(of: head) }
    }

    /// The bytes after the message: another request, or the first frames behind an upgrade.
    package mutating func takeRemainder() -> [UInt8] {
        reader.takeRemainder()
    }
}

/// Reads one response from bytes in any pieces, strictly after RFC 9112.
///
/// Interim responses (1xx) come as further heads before the one that counts. After a 101 HTTP has ended.
package struct HTTPResponseParser: Sendable {
    private var reader: HTTPReader<HTTPResponseHead>
    private let isAnswerToHead: Bool

    /// `method` is that of the request: to a HEAD no body comes.
    package init(limits: HTTPLimits = HTTPLimits(), answering method: String = "GET") {
        reader = HTTPReader(limits: limits, skipsEmptyLine: false)
        isAnswerToHead = method == "HEAD"
    }

    package mutating func append(_ bytes: [UInt8]) {
        reader.append(bytes)
    }

    /// Tells that the stream has ended, which ends a body of no told length; otherwise ``next()`` throws
    /// ``HTTPError/truncated`` unless the message is whole.
    package mutating func finish() {
        reader.finish()
    }

    /// The next piece; nil while more bytes are needed, and after ``HTTPEvent/end``.
    ///
    /// An error is thrown again for ever.
    package mutating func next() throws(HTTPError) -> HTTPEvent<HTTPResponseHead>? {
        let isAnswerToHead = isAnswerToHead
        return try reader.next { (head) throws(HTTPError) in
            try HTTPFraming(of: head, isAnswerToHead: isAnswerToHead)
        }
    }

    /// The bytes after the message: behind a 101, the first frames.
    package mutating func takeRemainder() -> [UInt8] {
        reader.takeRemainder()
    }
}
