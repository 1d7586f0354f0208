import ChatWire
import Faults
import WebSocketWire

/// One HTTP exchange of a simulated client; it sends and reads the same bytes as libcurl in the live world.
struct SimulatedExchange {
    enum Outcome {
        case answered(ChatResponse)
        case failed(LinkFailure)
    }

    /// The `Host` header, the same as in live.
    static let host = "chat.test"

    let requestBytes: [UInt8]
    private var parser: HTTPResponseParser
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ request: ChatRequest) {
        requestBytes = HTTPExchangeBytes.request(request, host: Self.host)
        parser = HTTPResponseParser(answering: request.method)
    }

    /// Reads bytes of the response; returns the outcome once the response is complete or invalid, nil before.
    mutating func receive(_ bytes: [UInt8]) -> Outcome? {
        parser.append(bytes)
        return read()
    }

    /// Notes the end of the stream, which completes a response without a length; any other incomplete response fails.
    mutating func end(_ failure: LinkFailure) -> Outcome? {
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
