import ChatWire
import Faults
import WebSocketWire

/// One HTTP exchange of a simulated client: what libcurl is in the live world, on the same bytes.
struct SimulatedExchange {
    enum Outcome {
        case answered(ChatResponse)
        case failed(LinkFailure)
    }

    /// The host that live's clients name too; a relay on loopback does not ask for it.
    static let host = "chat.test"

    let requestBytes: [UInt8]
    private var parser: HTTPResponseParser
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []

    init(_ request: ChatRequest) {
        requestBytes = HTTPExchangeBytes.request(request, host: Self.host)
        parser = HTTPResponseParser(answering: request.method)
    }

    /// Takes bytes of the response; the outcome once it is whole or cannot become so.
    mutating func receive(_ bytes: [UInt8]) -> Outcome? {
        parser.append(bytes)
        return read()
    }

    /// The stream has ended: an answer whose length nobody told is whole now, any other is lost.
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
            // What is no HTTP is, to the caller, a stream that ended without an answer, as libcurl's result codes are read.
            return .failed(.endOfStream)
        }
    }
}
