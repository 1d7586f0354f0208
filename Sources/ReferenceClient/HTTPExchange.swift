package import ChatWire
package import Faults
import WebSocketWire

/// One HTTP request from a client and its response, over a dedicated connection.
///
/// In simulated runs, it sends and parses the same bytes as libcurl does in live runs.
package struct HTTPExchange: Sendable {
    package enum Outcome: Sendable {
        case answered(ChatResponse)
        case failed(LinkFailure)
    }

    package let requestBytes: [UInt8]
    private var parser: HTTPResponseParser
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    /// Creates an exchange for `request`; `host` is the value of the `Host` header unless the request specifies one.
    package init(_ request: ChatRequest, host: String) {
        requestBytes = HTTPExchangeBytes.request(request, host: host)
        parser = HTTPResponseParser(answering: request.method)
    }

    /// Parses response bytes; returns nil until the response is complete or invalid.
    package mutating func receive(_ bytes: [UInt8]) -> Outcome? {
        parser.append(bytes)
        return read()
    }

    /// Handles the end of the stream. It completes a response that does not declare a length; any other incomplete
    /// response fails.
    package mutating func end(_ failure: LinkFailure) -> Outcome? {
        guard failure == .endOfStream else { return .failed(failure) }
        parser.finish()
        return read() ?? .failed(failure)
    }

    private mutating func read() -> Outcome? {
        do {
            while let event = try parser.next() {
                switch event {
                case .head(let found): head = found.isInterim ? nil : found
                case .body(let piece): body += piece
                case .end:
                    guard let head else { return .failed(.endOfStream) }
                    return .answered(ChatResponse(head, body: body))
                }
            }
            return nil
        } catch {
            // Invalid HTTP is treated as a stream that ended without a response, as libcurl does in live runs
            // (`CurlResult`).
            return .failed(.endOfStream)
        }
    }
}
