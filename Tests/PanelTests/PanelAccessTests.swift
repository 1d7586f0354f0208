import Panel
import Testing
import WebSocketWire

@Suite("Requests to a panel")
struct PanelAccessTests {
    private static let access = PanelAccess(token: "0123456789abcdef", hosts: ["localhost:9000", "127.0.0.1:9000"])

    private static func decision(
        _ method: String = "GET",
        _ target: String,
        _ headers: [(String, String)] = [("Host", "localhost:9000")]
    ) -> PanelAccess.Decision {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.append(name, value) }
        return access.decision(on: HTTPRequestHead(method: method, target: target, headers: fields))
    }

    private static func status(_ decision: PanelAccess.Decision) -> Int? {
        if case .refused(let status, _) = decision { status } else { nil }
    }

    @Test("The URL with the token serves the page, and its subpaths serve the other routes")
    func routes() {
        let json = [("Host", "127.0.0.1:9000"), ("Content-Type", "application/json")]
        #expect(Self.decision("GET", "/0123456789abcdef/") == .route(.page))
        #expect(Self.decision("GET", "/0123456789abcdef/record") == .route(.record))
        #expect(Self.decision("GET", "/0123456789abcdef/scenario.yaml") == .route(.scenario))
        #expect(Self.decision("GET", "/0123456789abcdef/events") == .route(.events(from: 0)))
        #expect(Self.decision("GET", "/0123456789abcdef/events?since=17") == .route(.events(from: 17)))
        #expect(Self.decision("GET", "/0123456789abcdef/events?since=-3") == .route(.events(from: 0)))
        #expect(Self.decision("POST", "/0123456789abcdef/check", json) == .route(.check))
        #expect(Self.decision("POST", "/0123456789abcdef/perform", json) == .route(.perform))
        #expect(Self.decision("POST", "/0123456789abcdef/hold", json) == .route(.hold))
        #expect(Self.status(Self.decision("GET", "/0123456789abcdef/hold")) == 405)
    }

    @Test(
        "Every request without the token is refused",
        arguments: ["/", "/0123456789abcdee/", "/0123456789abcde/", "/0123456789abcdef", "//", "/x/0123456789abcdef/"]
    )
    func token(_ target: String) {
        #expect(Self.status(Self.decision("GET", target)) == 404)
    }

    @Test("A request with another host name is refused, even if the name resolves to this machine")
    func host() {
        for hosts in [["evil.test:9000"], ["localhost"], ["localhost:9001"], [], ["localhost:9000", "evil.test"]] {
            let headers = hosts.map { ("Host", $0) }
            #expect(Self.status(Self.decision("GET", "/0123456789abcdef/", headers)) == 421, "\(hosts)")
        }
        #expect(Self.decision("GET", "/0123456789abcdef/", [("host", "LOCALHOST:9000")]) == .route(.page))
    }

    @Test("Requests from pages of other sites are refused")
    func origin() {
        func status(_ name: String, _ value: String) -> Int? {
            let headers = [("Host", "localhost:9000"), ("Content-Type", "application/json"), (name, value)]
            return Self.status(Self.decision("POST", "/0123456789abcdef/perform", headers))
        }
        #expect(status("Origin", "http://evil.test") == 403)
        #expect(status("Origin", "null") == 403)
        #expect(status("Sec-Fetch-Site", "cross-site") == 403)
        #expect(status("Sec-Fetch-Site", "same-site") == 403)
        #expect(status("Origin", "http://localhost:9000") == nil)
        #expect(status("Sec-Fetch-Site", "same-origin") == nil)
    }

    @Test("A step needs POST and a content type that a form on another site cannot send")
    func method() {
        let target = "/0123456789abcdef/perform"
        #expect(Self.status(Self.decision("GET", target)) == 405)
        #expect(Self.status(Self.decision("POST", "/0123456789abcdef/")) == 405)
        #expect(Self.status(Self.decision("POST", target)) == 415)
        let form = [("Host", "localhost:9000"), ("Content-Type", "text/plain")]
        #expect(Self.status(Self.decision("POST", target, form)) == 415)
    }

    @Test("Panel tokens have 32 hexadecimal digits and differ from each other")
    func tokens() {
        var generator = SystemRandomNumberGenerator()
        let tokens = (0..<20).map { _ in PanelAccess.randomToken(using: &generator) }
        #expect(Set(tokens).count == 20)
        #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
