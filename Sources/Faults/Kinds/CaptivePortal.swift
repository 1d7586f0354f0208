import SquallCore
import WebSocketWire

extension Fault {
    /// The network answers every request itself, whatever its host; connections that are there are reset.
    package struct CaptivePortal: Hashable, Sendable {
        /// What a request gets; what is no HTTP gets an RST.
        package enum Form: String, Hashable, Sendable, CaseIterable {
            /// A redirect to the login page on another host.
            case redirect
            /// The login page itself, with 200.
            case page
            /// 511 Network Authentication Required (RFC 6585 section 6).
            case networkAuthentication = "511"
            /// No answer: every connection is reset.
            case reset
            /// A redirect to the same host: no portal's work, and not to be taken for it.
            case sameHost = "same_host"
        }

        package var form: Form
        /// Of the redirects: 301, 302, 303, 307 or 308.
        package var status: Int64
        /// Whether a client's login ends it for that client.
        package var untilLogin: Bool

        package init(_ form: Form = .redirect, status: Int64 = 302, untilLogin: Bool = false) {
            self.form = form
            self.status = status
            self.untilLogin = untilLogin
        }

        /// Where the login page is.
        package static let host = "portal.test"
    }
}

extension Fault.CaptivePortal: LinkFault {
    private static let statuses: [Int64] = [301, 302, 303, 307, 308]

    static let action = ActionEntry.fault(
        "captive_portal",
        main: "form",
        [
            Parameter("form", .words(Form.self), "What every request gets: redirect, unless said."),
            Parameter("status", .word(statuses.map { "\($0)" }), "Of a redirect: 302, unless said."),
            Parameter("until_login", .flag, "Whether the user's portal_login ends it for the user's client."),
        ],
        "The network answers every request in the server's place; connections that are there are reset."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        form = try arguments.word("form", default: .redirect)
        status = try arguments.number("status", among: Self.statuses, default: 302)
        untilLogin = try arguments.flag("until_login")
    }

    var kind: Fault.Kind { .captivePortal(self) }
    /// What is answered is read; what is reset is not.
    var hides: ClientVisibility { form == .reset ? .attempts : .nothing }
    static var target: FaultTarget? { .arrival }
    var standsIn: Bool { true }
    var applyImmediately: ImmediateEffect? { .reset }
    /// A portal answers any host, and has a certificate for its own.
    var handshake: Handshake? { form == .reset ? nil : .completes(.portal) }
    var acceptOutcome: AcceptOutcome { form == .reset ? .close(.rst) : .screen(RequestInterceptor(.portal(self))) }

    /// The whole answer in bytes, and its status.
    func answer(to request: HTTPRequestHead) -> (bytes: [UInt8], status: Int) {
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
