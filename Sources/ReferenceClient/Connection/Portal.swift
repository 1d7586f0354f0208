import ChatWire
import WebSocketWire

/// Tells a captive portal from the chat server by what was answered (catalogue WS-31).
struct Portal {
    /// Who an answer comes from.
    enum Verdict: Hashable {
        case portal
        case server
    }

    private let host: String
    private let policy: PortalPolicy

    init(_ rules: Rules) {
        host = rules.profile.connect.host
        policy = rules.policy.portal
    }

    /// The answer to the probe, which says `ok` and nothing else if it comes from the chat server.
    func judge(probe answer: ChatResponse, _ wire: WireProfile) -> Verdict {
        let verdict = judge(status: answer.status, location: answer.header("location"))
        guard policy.detection == .byAnswer, verdict == .server, (200..<300).contains(answer.status) else {
            return verdict
        }
        let body = try? StatusBody.decode(answer.body, wire)
        return body == .ok ? .server : .portal
    }

    /// The answer to any other request.
    ///
    /// A page where JSON was asked for is nobody's but a portal's.
    func judge(_ answer: ChatResponse) -> Verdict {
        let verdict = judge(status: answer.status, location: answer.header("location"))
        guard policy.detection == .byAnswer, verdict == .server else { return verdict }
        let isPage = answer.header("content-type")?.lowercased().hasPrefix("text/html") ?? false
        return isPage && (200..<300).contains(answer.status) ? .portal : .server
    }

    /// The answer to the upgrade.
    ///
    /// The chat server refuses one with an error, never with a success.
    func judge(upgrade head: HTTPResponseHead) -> Verdict {
        if policy.detection == .byAnswer, (200..<300).contains(head.status) { return .portal }
        return judge(status: head.status, location: head.headers["location"])
    }

    private func judge(status: Int, location: String?) -> Verdict {
        guard policy.detection == .byAnswer else { return .server }
        switch status {
        case ChatStatus.networkAuthenticationRequired.rawValue:
            return .portal
        case 300..<400:
            // Who follows redirects sees only where they end, and takes that for the server.
            guard policy.redirects == .areExamined else { return .server }
            return policy.rule == .any3xx || namesOtherHost(location) ? .portal : .server
        default:
            return .server
        }
    }

    /// Whether a `Location` leads away from the server.
    ///
    /// A reference without a host stays (RFC 9110 section 10.2.2).
    private func namesOtherHost(_ location: String?) -> Bool {
        guard let location, let start = location.firstRange(of: "//")?.upperBound else { return false }
        let before = location[..<start]
        // Two slashes further back are part of a path or a query.
        let isScheme =
            before.hasSuffix("://")
            && before.dropLast(3).allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        guard before == "//" || isScheme else { return false }
        let authority = location[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let target = authority.split(separator: "@").last ?? ""
        return Self.name(of: target) != Self.name(of: host[...])
    }

    /// Without the port, in lower case.
    private static func name(of authority: Substring) -> String {
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return name.lowercased()
    }
}

/// What makes a captive portal, and what follows from one.
package struct PortalPolicy: Hashable, Sendable {
    package enum Detection: Hashable, Sendable { case byAnswer, none }
    /// Which redirect is a portal's (catalogue C-21).
    package enum Rule: Hashable, Sendable { case otherHost, any3xx }
    package enum Redirects: Hashable, Sendable { case areExamined, areFollowed }
    package enum Captive: Hashable, Sendable { case waitsForUser, keepsTrying }
    package enum Alert: Hashable, Sendable { case isShown, none }
    package enum Recheck: Hashable, Sendable { case whenUserReturns, never }
    /// What a redirected `POST` of a message or a file counts as.
    package enum Post: Hashable, Sendable { case isNotDone, isDone }

    package var detection = Detection.byAnswer
    package var rule = Rule.otherHost
    package var redirects = Redirects.areExamined
    package var captive = Captive.waitsForUser
    package var alert = Alert.isShown
    package var recheck = Recheck.whenUserReturns
    package var post = Post.isNotDone

    static let defects: [Defect] = [
        Defect(
            "portalAsGenericFailure",
            ["WS-31a", "WS-31h", "WS-31i"],
            "a portal is a failure like any other",
            policy: { $0.portal.detection = .none }
        ),
        Defect(
            "any3xxIsPortal",
            ["WS-31f"],
            "the server's own redirect raises the alarm",
            policy: { $0.portal.rule = .any3xx }
        ),
        Defect(
            "probeFollowsRedirect",
            ["WS-31g"],
            "redirects are followed and never seen",
            policy: { $0.portal.redirects = .areFollowed }
        ),
        Defect(
            "portalBurnsAttempts",
            ["WS-31c"],
            "attempts go on, and count, behind a portal",
            policy: { $0.portal.captive = .keepsTrying }
        ),
        Defect("noPortalAlert", ["WS-31b"], "the user is not told to log in", policy: { $0.portal.alert = .none }),
        Defect(
            "noPortalRecheck",
            ["WS-31d"],
            "the user who has logged in has to ask for a reconnect",
            policy: { $0.portal.recheck = .never }
        ),
        Defect(
            "redirectAsSuccess",
            ["WS-31e"],
            "a message or a file that was redirected to a login page counts as sent",
            policy: { $0.portal.post = .isDone }
        ),
    ]
}
