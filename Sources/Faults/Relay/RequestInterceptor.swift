import SquallCore
import WebSocketWire

/// A fault that answers requests in the server's place.
protocol RequestAnswering: Hashable, Sendable {
    /// The event that reports a response.
    static var answerEvent: String { get }
    /// Whether no request ever reaches the server. If so, a connection that does not send an HTTP request is closed.
    static var answersEverything: Bool { get }

    /// Returns the bytes and the status of the response; nil if the request should be passed on to the server.
    func answer(to request: HTTPRequestHead) -> (bytes: [UInt8], status: Int)?
}

/// Reads a connection's first request, and either answers it in the server's place or passes the connection on.
struct RequestInterceptor: Sendable {
    enum Verdict: Hashable, Sendable {
        case undecided
        /// The connection is passed on to the server, with all pieces that have arrived so far.
        case pass([Piece])
        /// The interceptor sends the given response, and reports it with the given event.
        case answer([UInt8], status: Int, event: String)
        case close(LinkEnd)
    }

    private let fault: any RequestAnswering
    private var parser = HTTPRequestParser()
    /// All pieces that have arrived so far; empty if the connection is never passed on to the server. Their total size
    /// is bounded by the parser's limit on a message head.
    private var seen: [Piece] = []

    init(_ fault: some RequestAnswering) {
        self.fault = fault
    }

    var answersEverything: Bool { type(of: fault).answersEverything }

    mutating func take(_ piece: Piece) -> Verdict {
        guard case .bytes(let bytes) = piece else { return answersEverything ? .close(.fin) : .pass(seen + [piece]) }
        if !answersEverything { seen.append(piece) }
        parser.append(bytes)
        do {
            guard case .head(let request)? = try parser.next() else { return .undecided }
            guard let answer = fault.answer(to: request) else { return .pass(seen) }
            return .answer(answer.bytes, status: answer.status, event: type(of: fault).answerEvent)
        } catch {
            // The bytes are not HTTP, so there is no request to answer.
            return answersEverything ? .close(.rst) : .pass(seen)
        }
    }
}
