/// The common interface of request heads and response heads.
protocol HTTPHead: Hashable, Sendable {
    var headers: HTTPHeaders { get set }

    /// Parses the first line and creates a head without headers.
    init(startLine: ArraySlice<UInt8>) throws(HTTPError)
}

/// Implements the parsing that request parsers and response parsers share: first the lines of the head, then the body
/// according to its framing.
struct HTTPReader<Head: HTTPHead>: Sendable {
    private enum Phase: Equatable {
        /// The parser is reading the head. The next phase depends on the body's framing; after an interim response it
        /// is ``head`` again.
        case head
        case length(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        /// The message is complete, but its end has not been returned yet. The next phase is ``ended``.
        case complete
        case ended
    }

    private let limits: HTTPLimits
    /// Whether an empty line before the message is ignored, as it is for requests (RFC 9112 section 2.2).
    private let skipsEmptyLine: Bool
    private var queue = ByteQueue()
    private var phase = Phase.head
    private var failure: HTTPError?
    private var hasFinished = false

    /// The head; nil until its first line is complete. Trailer fields are added to it even though it has already been
    /// returned.
    private var head: Head?
    private var hasSkippedLine = false
    private var headBytes = 0
    private var bodyBytes = 0

    /// The maximum length of a chunk's size line, in bytes. Valid size lines are short.
    private static var chunkLineLimit: Int { 1024 }

    init(limits: HTTPLimits, skipsEmptyLine: Bool) {
        self.limits = limits
        self.skipsEmptyLine = skipsEmptyLine
    }

    mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        queue.append(bytes)
    }

    mutating func finish() {
        hasFinished = true
    }

    mutating func takeRemainder() -> [UInt8] {
        queue.take(queue.count)
    }

    mutating func next(
        framing: (Head) throws(HTTPError) -> HTTPFraming
    ) throws(HTTPError) -> HTTPEvent<Head>? {
        if let failure { throw failure }
        do throws(HTTPError) {
            if let event = try step(framing) { return event }
            guard hasFinished, phase != .ended else { return nil }
            throw .truncated
        } catch {
            failure = error
            queue = ByteQueue()
            throw error
        }
    }

    private mutating func step(
        _ framing: (Head) throws(HTTPError) -> HTTPFraming
    ) throws(HTTPError) -> HTTPEvent<Head>? {
        while true {
            switch phase {
            case .head:
                guard try readFields(), let head else { return nil }
                begin(try framing(head))
                return .head(head)
            case .length(let left):
                guard left <= limits.body - bodyBytes else { throw .bodyTooLarge(limit: limits.body) }
                guard let piece = takeBody(left) else { return nil }
                phase = piece.count == left ? .complete : .length(left - piece.count)
                return .body(piece)
            case .untilClose:
                guard !queue.isEmpty else {
                    guard hasFinished else { return nil }
                    phase = .complete
                    continue
                }
                guard bodyBytes < limits.body else { throw .bodyTooLarge(limit: limits.body) }
                return takeBody(limits.body - bodyBytes).map { .body($0) }
            case .chunkSize:
                guard let size = try readChunkSize() else { return nil }
                guard size <= limits.body - bodyBytes else { throw .bodyTooLarge(limit: limits.body) }
                phase = size == 0 ? .trailer : .chunk(size)
            case .chunk(let left):
                guard let piece = takeBody(left) else { return nil }
                phase = piece.count == left ? .chunkEnd : .chunk(left - piece.count)
                return .body(piece)
            case .chunkEnd:
                guard let line = try takeLine(limit: 2, tooLong: .invalidChunk) else { return nil }
                guard line.isEmpty else { throw .invalidChunk }
                phase = .chunkSize
            case .trailer:
                guard try readFields() else { return nil }
                phase = .complete
            case .complete:
                phase = .ended
                return .end
            case .ended:
                return nil
            }
        }
    }

    private mutating func begin(_ framing: HTTPFraming) {
        headBytes = 0
        switch framing {
        case .interim:
            head = nil
        case .none:
            phase = .complete
        case .length(let length):
            phase = length == 0 ? .complete : .length(length)
        case .chunked:
            phase = .chunkSize
        case .untilClose:
            phase = .untilClose
        }
    }

    /// Parses lines up to the empty line that ends the head or the trailer. Returns false if more bytes are needed.
    private mutating func readFields() throws(HTTPError) -> Bool {
        while let line = try takeLine(limit: limits.head - headBytes, tooLong: .headTooLarge(limit: limits.head)) {
            headBytes += line.count + 2
            if let known = head?.headers.fields.count {
                guard !line.isEmpty else { return true }
                guard known < limits.headers else { throw .tooManyHeaders(limit: limits.headers) }
                head?.headers.fields.append(try HTTPHeaders.Field(line: line))
            } else if line.isEmpty && skipsEmptyLine && !hasSkippedLine {
                hasSkippedLine = true
            } else {
                head = try Head(startLine: line)
            }
        }
        return false
    }

    /// Removes the next line and returns it without its CRLF; returns nil if the line is incomplete. Throws `tooLong`
    /// if the line and its CRLF exceed `limit` bytes.
    private mutating func takeLine(limit: Int, tooLong: HTTPError) throws(HTTPError) -> ArraySlice<UInt8>? {
        let line = queue.takeLine()
        guard (line?.count ?? queue.count) < limit else { throw tooLong }
        guard let line else { return nil }
        guard line.last == 0x0D else { throw bareLineFeed(line) }
        return line.dropLast()
    }

    private func bareLineFeed(_ line: ArraySlice<UInt8>) -> HTTPError {
        switch phase {
        case .chunkSize, .chunkEnd: .invalidChunk
        case _ where head == nil: .malformedStartLine(latin1(line))
        default: .malformedHeader(latin1(line))
        }
    }

    /// Parses a chunk's size line, `1*HEXDIG [chunk-ext]` (RFC 9112 section 7.1), and ignores the extensions. Returns
    /// nil if the line is incomplete.
    private mutating func readChunkSize() throws(HTTPError) -> Int? {
        guard let line = try takeLine(limit: Self.chunkLineLimit, tooLong: .invalidChunk) else { return nil }
        let digits = line.prefix(while: isHexDigit)
        let rest = line[digits.endIndex...]
        let isExtension = rest.drop(while: isBlank).first == UInt8(ascii: ";") && rest.allSatisfy(isFieldByte)
        guard !digits.isEmpty, rest.isEmpty || isExtension else { throw .invalidChunk }
        // A size that does not fit in an `Int` exceeds any limit.
        return Int(latin1(digits), radix: 16) ?? .max
    }

    /// Removes and returns at most `limit` available bytes of the body; returns nil if none are available.
    private mutating func takeBody(_ limit: Int) -> [UInt8]? {
        guard !queue.isEmpty else { return nil }
        let piece = queue.take(limit)
        bodyBytes += piece.count
        return piece
    }
}
