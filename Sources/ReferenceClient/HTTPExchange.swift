package import ChatWire
package import Faults
import WebSocketWire

/// One HTTP exchange of a client over a connection of its own; it sends and reads the same bytes as libcurl in the live
/// world.
package struct HTTPExchange: Sendable {
    package enum Outcome: Sendable {
        case answered(ChatResponse)
        case failed(LinkFailure)
    }

    package let requestBytes: [UInt8]
    private var parser: HTTPResponseParser
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    /// `host` is the `Host` header of a request that names no host itself.
    package init(_ request: ChatRequest, host: String) {
        requestBytes = HTTPExchangeBytes.request(request, host: host)
        parser = HTTPResponseParser(answering: request.method)
    }

    /// Reads bytes of the response; returns the outcome once the response is complete or invalid, nil before.
    package mutating func receive(_ bytes: [UInt8]) -> Outcome? {
        parser.append(bytes)
        return read()
    }

    /// Notes the end of the stream, which completes a response without a length; any other incomplete response fails.
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
            // Bytes that are not HTTP count as a stream that ended without a response, as `CurlResult` does in live.
            return .failed(.endOfStream)
        }
    }
}
