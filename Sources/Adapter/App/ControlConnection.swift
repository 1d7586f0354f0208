import SquallCore
import WebSocketWire

/// An HTTP connection to the control port, without I/O. The connection is persistent and handles one request at a time.
package struct ControlConnection: Sendable {
    package enum Output: Hashable, Sendable {
        case write([UInt8])
        /// The connection must be closed once everything is written.
        case close
        /// A request is complete; the caller must call ``answer(_:)``.
        case asked(ControlRequest)
        /// The app has sent a malformed request, which is rejected.
        case mistake(String)
    }

    private enum Phase: Hashable {
        /// A request is being read. The next state is ``answering`` or ``over``.
        case reading
        /// A response to a request is pending, and nothing is read. The next state is ``reading`` or ``over``.
        case answering
        case over
    }

    private static let limits = HTTPLimits(body: ControlRequest.largestBody)

    private let token: String
    private var phase = Phase.reading
    private var parser = HTTPRequestParser(limits: limits)
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    package init(token: String) {
        self.token = token
    }

    /// Whether the connection is between requests or receiving one; false while a response is pending.
    package var isReading: Bool { phase == .reading }

    package mutating func receive(_ bytes: [UInt8]) -> [Output] {
        guard phase != .over else { return [] }
        parser.append(bytes)
        return proceed()
    }

    /// Sends the response to the current request, and continues with the next request.
    package mutating func answer(_ answer: ControlAnswer) -> [Output] {
        guard phase == .answering else { return [] }
        phase = .reading
        return [.write(Self.bytes(of: answer, closes: false))] + proceed()
    }

    /// Handles the timeout of a request that the app has not completed.
    package mutating func expire() -> [Output] {
        guard phase == .reading, head != nil else {
            phase = .over
            return [.close]
        }
        return refuse(.refused(408, "the request was not complete in time"))
    }

    private mutating func proceed() -> [Output] {
        var outputs: [Output] = []
        do throws(HTTPError) {
            while phase == .reading, let event = try parser.next() {
                switch event {
                case .head(let head):
                    (self.head, body) = (head, [])
                    // The token is checked before the body is read, so that a request with a wrong token cannot make
                    // Squall read a large body.
                    guard head.method == "OPTIONS" || ControlRequest.isAllowed(head, token: token) else {
                        return outputs + finish()
                    }
                    if head.headers.elements(of: "expect").contains(where: { $0.lowercased() == "100-continue" }) {
                        outputs.append(.write(HTTPResponseHead(status: 100, reason: "Continue").encode()))
                    }
                case .body(let bytes): body += bytes
                case .end: outputs += finish()
                }
            }
            return outputs
        } catch {
            let isOfApp = head.map { ControlRequest.isAllowed($0, token: token) } ?? false
            return outputs + (isOfApp ? [.mistake("\(error)")] : []) + refuse(.refused(error.status, "\(error)"))
        }
    }

    /// Parses the complete request, or rejects a request with a wrong token, whose body has not been read.
    private mutating func finish() -> [Output] {
        guard let head else { return [] }
        do throws(ControlRequest.Refusal) {
            let request = try ControlRequest(head, body: body, token: token)
            let rest = parser.takeRemainder()
            parser = HTTPRequestParser(limits: Self.limits)
            parser.append(rest)
            (self.head, body) = (nil, [])
            phase = .answering
            return request == .preflight ? answer(ControlAnswer(status: 204, body: [])) : [.asked(request)]
        } catch {
            return (error.mistake.map { [.mistake($0)] } ?? []) + refuse(error.answer)
        }
    }

    private mutating func refuse(_ answer: ControlAnswer) -> [Output] {
        phase = .over
        return [.write(Self.bytes(of: answer, closes: true)), .close]
    }

    /// Encodes a response. Pages from any origin may read it, because the port is protected by the token in its URL.
    private static func bytes(of answer: ControlAnswer, closes: Bool) -> [UInt8] {
        var headers: HTTPHeaders = ["Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"]
        if answer.status == 204 {
            headers.append("Access-Control-Allow-Methods", "GET, POST")
            headers.append("Access-Control-Allow-Headers", "Content-Type")
            headers.append("Access-Control-Allow-Private-Network", "true")
            headers.append("Access-Control-Max-Age", "600")
        } else {
            headers.append("Content-Type", answer.contentType)
            headers.append("X-Content-Type-Options", "nosniff")
            headers.append("Content-Length", "\(answer.body.count)")
        }
        if closes { headers.append("Connection", "close") }
        let reason = HTTPResponseHead.usualReason(answer.status)
        return HTTPResponseHead(status: answer.status, reason: reason, headers: headers).encode() + answer.body
    }
}
