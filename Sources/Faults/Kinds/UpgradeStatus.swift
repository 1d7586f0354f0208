package import SquallCore
import WebSocketWire

extension Fault {
    /// A fault that answers WebSocket upgrades with a given HTTP status in the server's place; all other requests pass.
    package struct UpgradeStatus: Hashable, Sendable {
        package enum Requests: String, Hashable, Sendable, CaseIterable {
            case upgrades
            /// The first request on each connection, whether or not it is an upgrade.
            case all
        }

        package var status: Int64
        /// The delay in the response's `Retry-After` header, rounded up to whole seconds; nil for a response without
        /// this header.
        package var retryAfter: TimeSpan?
        /// The response body, an HTML page; nil for an empty body.
        package var page: String?
        package var requests = Requests.upgrades

        package init(_ status: Int64, retryAfter: TimeSpan? = nil) {
            self.status = status
            self.retryAfter = retryAfter
        }
    }
}

extension Fault.Kind {
    package static func upgradeStatus(_ fault: Fault.UpgradeStatus) -> Self { Self(fault) }
}

extension Fault.UpgradeStatus: LinkFault {
    static let declaration = FaultDeclaration(
        "upgrade_status",
        Self(503),
        main: "status",
        [
            .integer("status", \.status, in: 200...599, required: true, "The HTTP status of the response."),
            .duration(
                "retry_after",
                \.retryAfter,
                "The response's Retry-After header; if omitted, the response has no such header."
            ),
            .text("page", \.page, "The response body, an HTML page; if omitted, the body is empty."),
            .word(
                "requests",
                \.requests,
                "The affected requests: upgrades, or all (each connection's first request)."
            ),
        ],
        "WebSocket upgrades receive the given HTTP status instead of the server's response; other requests pass."
    )

    static var target: FaultTarget? { .arrival }
    /// The relay reads a request before it responds, so it still observes every client action.
    var hiddenActions: HiddenActions { .nothing }
    var answersForServer: Bool { true }
    var acceptOutcome: AcceptOutcome { .intercept(RequestInterceptor(self)) }
}

extension Fault.UpgradeStatus: RequestAnswering {
    static let answerEvent = "network.upgrade.refused"
    static let answersEverything = false

    func answer(to request: HTTPRequestHead) -> (bytes: [UInt8], status: Int)? {
        let isUpgrade = request.headers.elements(of: "Upgrade").contains { $0.lowercased() == "websocket" }
        guard isUpgrade || requests == .all else { return nil }
        let body = Array((page ?? "").utf8)
        var headers: HTTPHeaders = ["Connection": "close", "Content-Length": "\(body.count)"]
        if page != nil { headers.append("Content-Type", "text/html; charset=utf-8") }
        if let retryAfter {
            let seconds = proportion(UInt64(clamping: retryAfter.nanoseconds), 1, 1_000_000_000)
            headers.append("Retry-After", "\(seconds)")
        }
        let status = Int(clamping: status)
        let head = HTTPResponseHead(status: status, reason: HTTPResponseHead.usualReason(status), headers: headers)
        return (head.encode() + body, status)
    }
}
