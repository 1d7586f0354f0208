import SquallCore
import WebSocketWire

extension Fault {
    /// A fault in which the network itself answers every request, regardless of the requested host. Open connections
    /// are reset.
    package struct CaptivePortal: Hashable, Sendable {
        /// How the portal responds to a request. A connection that sends no HTTP request is reset.
        package enum Form: String, Hashable, Sendable, CaseIterable {
            /// A redirect to the login page on another host.
            case redirect
            /// The login page itself, with status 200.
            case page
            /// 511 Network Authentication Required (RFC 6585 section 6).
            case networkAuthentication = "511"
            /// No response: every new connection is reset.
            case reset
            /// A redirect to the requested host. Real portals never send such a redirect, and a client must not mistake
            /// it for a portal.
            case sameHost = "same_host"
        }

        package var form: Form
        /// The status of a redirect: 301, 302, 303, 307 or 308.
        package var status: Int64
        /// Whether a login by the client's user ends the fault for that client.
        package var untilLogin: Bool

        package init(_ form: Form = .redirect, status: Int64 = 302, untilLogin: Bool = false) {
            self.form = form
            self.status = status
            self.untilLogin = untilLogin
        }

        /// The host of the login page.
        package static let host = "portal.test"
    }
}

extension Fault.Kind {
    package static func captivePortal(_ fault: Fault.CaptivePortal) -> Self { Self(fault) }
}

extension Fault.CaptivePortal: LinkFault {
    static let declaration = FaultDeclaration(
        "captive_portal",
        Self(),
        main: "form",
        [
            .word("form", \.form, "The response to every request."),
            .number("status", \.status, among: [301, 302, 303, 307, 308], "The HTTP status of a redirect."),
            .flag("until_login", \.untilLogin, "Whether the user's portal_login ends the fault for the user's client."),
        ],
        "A captive portal responds to every request instead of the server; open connections are reset."
    )

    static var target: FaultTarget? { .arrival }
    /// The relay reads a request before it responds, so requests are hidden only if connections are reset.
    var hiddenActions: HiddenActions { form == .reset ? .attempts : .nothing }
    var endsAtLogin: Bool { untilLogin }
    var answersForServer: Bool { true }
    var immediateEffect: ImmediateEffect? { .reset }
    /// A portal responds for any host, but has a certificate only for its own.
    var handshake: Handshake? { form == .reset ? nil : .completes(.portal) }
    var acceptOutcome: AcceptOutcome { form == .reset ? .close(.rst) : .intercept(RequestInterceptor(self)) }
}

extension Fault.CaptivePortal: RequestAnswering {
    static let answerEvent = "network.answered"
    static let answersEverything = true

    func answer(to request: HTTPRequestHead) -> (bytes: [UInt8], status: Int)? {
        var headers: HTTPHeaders = ["Cache-Control": "no-store", "Connection": "close"]
        let status: Int
        switch form {
        case .redirect, .sameHost:
            status = Int(self.status)
            let host = form == .redirect ? Self.host : request.headers["Host"]
            headers.append("Location", host.map { "http://\($0)/login" } ?? "/login")
        case .networkAuthentication: status = 511
        case .page, .reset: status = 200
        }
        let page = form == .sameHost ? "" : Self.page
        headers.append("Content-Type", "text/html; charset=utf-8")
        headers.append("Content-Length", "\(page.utf8.count)")
        let head = HTTPResponseHead(status: status, reason: HTTPResponseHead.usualReason(status), headers: headers)
        return (head.encode() + (request.method == "HEAD" ? [] : Array(page.utf8)), status)
    }

    private static let page = """
        <!DOCTYPE html>
        <html><head><title>Network login</title></head>
        <body><h1>Network login</h1>
        <form method="post" action="http://\(host)/login"><button>Connect</button></form></body></html>

        """
}
