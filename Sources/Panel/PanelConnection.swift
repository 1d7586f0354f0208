import SquallCore
import WebSocketWire

/// A response from the panel, without the headers that are common to all responses.
struct PanelResponse: Hashable, Sendable {
    var status = 200
    var contentType = "text/plain; charset=utf-8"
    var body: [UInt8]
    /// The file name under which the browser saves the response; nil if the browser displays it.
    var fileName: String?
    var policy = "default-src 'none'; frame-ancestors 'none'"

    static func text(_ text: String, status: Int) -> PanelResponse {
        PanelResponse(status: status, body: Array("\(text)\n".utf8))
    }

    static func json(_ json: JSON, status: Int = 200) -> PanelResponse {
        PanelResponse(status: status, contentType: "application/json", body: json.encode())
    }
}

/// One persistent HTTP connection from a browser to the panel, without I/O. It handles one request at a time.
struct PanelConnection: Sendable {
    enum Output: Hashable, Sendable {
        case write([UInt8])
        /// The connection must be closed once everything has been written.
        case close
        /// A complete request has been accepted. The caller responds with ``answer(_:)`` or ``beginStream()``.
        case asked(PanelAccess.Route, body: [UInt8])
    }

    private enum Phase: Hashable {
        /// A request is being read. The next state is ``answering`` or ``over``.
        case reading
        /// A request is being answered, and no bytes are read. The next state is ``reading``, ``streaming`` or
        /// ``over``.
        case answering
        /// Batches of events are written until either side closes the connection. The next state is ``over``.
        case streaming
        case over
    }

    private static let limits = HTTPLimits(body: 65_536)

    private let access: PanelAccess
    private var phase = Phase.reading
    private var parser = HTTPRequestParser(limits: limits)
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ access: PanelAccess) {
        self.access = access
    }

    var isStreaming: Bool { phase == .streaming }

    /// Handles bytes from the browser.
    mutating func receive(_ bytes: [UInt8]) -> [Output] {
        guard phase == .reading || phase == .answering else { return [] }
        parser.append(bytes)
        return proceed()
    }

    /// Responds to the current request, and continues with the next one.
    mutating func answer(_ response: PanelResponse) -> [Output] {
        guard phase == .answering else { return [] }
        phase = .reading
        return [.write(Self.bytes(of: response, closes: false))] + proceed()
    }

    /// Responds to the current request with a stream of events, which lasts until the connection ends.
    mutating func beginStream() -> [Output] {
        guard phase == .answering else { return [] }
        phase = .streaming
        let head = Self.head(200, "text/event-stream", PanelResponse(body: []).policy, ["Connection": "close"])
        return [.write(head.encode())]
    }

    /// Encodes a batch as an event in the stream. `number` is its id, which the browser sends when it reconnects.
    static func event(_ batch: JSON, number: Int) -> [UInt8] {
        var bytes = Array("id: \(number)\ndata: ".utf8)
        batch.encode(into: &bytes, escapingHTML: false)
        return bytes + Array("\n\n".utf8)
    }

    private mutating func proceed() -> [Output] {
        do throws(HTTPError) {
            while phase == .reading, let event = try parser.next() {
                switch event {
                case .head(let head): (self.head, body) = (head, [])
                case .body(let bytes): body += bytes
                case .end:
                    let rest = parser.takeRemainder()
                    parser = HTTPRequestParser(limits: Self.limits)
                    parser.append(rest)
                    guard let head else { continue }
                    phase = .answering
                    switch access.decision(on: head) {
                    case .route(let route): return [.asked(route, body: body)]
                    case .refused(let status, let why): return refuse(.text(why, status: status))
                    }
                }
            }
            return []
        } catch {
            return refuse(.text("\(error)", status: error.status))
        }
    }

    private mutating func refuse(_ response: PanelResponse) -> [Output] {
        phase = .over
        return [.write(Self.bytes(of: response, closes: true)), .close]
    }

    private static func bytes(of response: PanelResponse, closes: Bool) -> [UInt8] {
        var more: HTTPHeaders = ["Content-Length": "\(response.body.count)"]
        if let name = response.fileName { more.append("Content-Disposition", "attachment; filename=\"\(name)\"") }
        if closes { more.append("Connection", "close") }
        return head(response.status, response.contentType, response.policy, more).encode() + response.body
    }

    private static func head(_ status: Int, _ type: String, _ policy: String, _ more: HTTPHeaders) -> HTTPResponseHead {
        var headers: HTTPHeaders = [
            "Content-Type": type, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
        ]
        headers.fields += more.fields
        let reason = HTTPResponseHead.usualReason(status)
        return HTTPResponseHead(status: status, reason: reason, headers: headers)
    }
}
