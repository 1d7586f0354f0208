package import SquallCore
import WebSocketWire

extension Fault {
    /// WebSocket upgrades get this HTTP status instead of the server's answer; every other request passes.
    package struct UpgradeStatus: Hashable, Sendable {
        package enum Requests: String, Hashable, Sendable, CaseIterable {
            case upgrades
            /// The first of each connection, whatever it asks for.
            case all
        }

        package var status: Int64
        /// Told in whole seconds, rounded up.
        package var retryAfter: TimeSpan?
        /// The answer's body, a page of HTML; nil: empty.
        package var page: String?
        package var requests = Requests.upgrades

        package init(_ status: Int64, retryAfter: TimeSpan? = nil) {
            self.status = status
            self.retryAfter = retryAfter
        }
    }
}

extension Fault.UpgradeStatus: LinkFault {
    private static let statuses: ClosedRange<Int64> = 200...599

    static let action = ActionEntry.fault(
        "upgrade_status",
        main: "status",
        [
            Parameter("status", .integer(statuses), required: true, "What an upgrade is answered with."),
            Parameter("retry_after", .duration, "The answer's Retry-After; none unless said."),
            Parameter("page", .text, "The answer's body, a page of HTML; empty unless said."),
            Parameter("requests", .words(Requests.self), "Which are answered: upgrades, unless said."),
        ],
        "WebSocket upgrades are answered with this status in the server's place; other requests pass."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        status = try arguments.integer("status", in: Self.statuses)
        retryAfter = try arguments.optionalDuration("retry_after")
        page = try arguments.text("page")
        requests = try arguments.word("requests", default: .upgrades)
    }

    var kind: Fault.Kind { .upgradeStatus(self) }
    /// What is answered is read.
    var hides: ClientVisibility { .nothing }
    static var target: FaultTarget? { .arrival }
    var standsIn: Bool { true }
    var acceptOutcome: AcceptOutcome { .screen(RequestInterceptor(.upgradeStatus(self))) }

    /// Nil for a request that passes.
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
