import ChatWire
import WebSocketWire

/// Distinguishes a captive portal from the chat server by their responses (catalogue WS-31).
struct Portal {
    /// The source of an HTTP response.
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

    /// Classifies the response to the probe; a success response from the chat server always contains the status `ok`.
    func judge(probe answer: ChatResponse, _ wire: WireProfile) -> Verdict {
        let verdict = judge(status: answer.status, location: answer.header("location"))
        guard policy.detection == .byAnswer, verdict == .server, (200..<300).contains(answer.status) else {
            return verdict
        }
        let body = try? StatusBody.decode(answer.body, wire)
        return body == .ok ? .server : .portal
    }

    /// Classifies the response to any request other than the probe.
    ///
    /// A response that reports success but contains HTML instead of JSON comes from a portal.
    func judge(_ answer: ChatResponse) -> Verdict {
        let verdict = judge(status: answer.status, location: answer.header("location"))
        guard policy.detection == .byAnswer, verdict == .server else { return verdict }
        let isPage = answer.header("content-type")?.lowercased().hasPrefix("text/html") ?? false
        return isPage && (200..<300).contains(answer.status) ? .portal : .server
    }

    /// Classifies the response to the upgrade request.
    ///
    /// The chat server rejects an upgrade with an error status, never with a 2xx status.
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
            // A client that automatically follows redirects sees only the final response and attributes it to the
            // server.
            guard policy.redirects == .areExamined else { return .server }
            return policy.rule == .any3xx || namesOtherHost(location) ? .portal : .server
        default:
            return .server
        }
    }

    /// Returns whether a `Location` header names a host other than the server.
    ///
    /// A reference without a host stays on the server (RFC 9110 section 10.2.2).
    private func namesOtherHost(_ location: String?) -> Bool {
        guard let location, let start = location.firstRange(of: "//")?.upperBound else { return false }
        let before = location[..<start]
        // Two slashes that do not follow a scheme are part of a path or a query.
        let isScheme =
            before.hasSuffix("://")
            && before.dropLast(3).allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        guard before == "//" || isScheme else { return false }
        let authority = location[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let target = authority.split(separator: "@").last ?? ""
        return Self.name(of: target) != Self.name(of: host[...])
    }

    /// Returns the host name of an authority in lower case, without the port.
    private static func name(of authority: Substring) -> String {
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return name.lowercased()
    }
}

/// How the client detects a captive portal and reacts to it.
package struct PortalPolicy: Hashable, Sendable {
    package enum Detection: Hashable, Sendable { case byAnswer, none }
    /// Which redirects are attributed to a portal (catalogue C-21): those to another host, or all of them.
    package enum Rule: Hashable, Sendable { case otherHost, any3xx }
    package enum Redirects: Hashable, Sendable { case areExamined, areFollowed }
    package enum Captive: Hashable, Sendable { case waitsForUser, keepsTrying }
    package enum Alert: Hashable, Sendable { case isShown, none }
    package enum Recheck: Hashable, Sendable { case whenUserReturns, never }
    /// How the client treats a redirected `POST` of a message or a file: as failed or as successful.
    package enum Post: Hashable, Sendable { case isNotDone, isDone }

    /// How the client treats the probe that the profile requires before an attempt: it waits for the response, or it
    /// skips the probe.
    package enum Probe: Hashable, Sendable { case precedesAttempts, isSkipped }

    package var probe = Probe.precedesAttempts
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
            "a captive portal is treated as an ordinary failure",
            policy: { $0.portal.detection = .none }
        ),
        Defect(
            "noProbeFirst",
            ["WS-31a"],
            "the WebSocket is opened without a probe for a captive portal",
            policy: { $0.portal.probe = .isSkipped }
        ),
        Defect(
            "any3xxIsPortal",
            ["WS-31f", "WS-31j"],
            "a redirect of the server itself is taken for a captive portal",
            policy: { $0.portal.rule = .any3xx }
        ),
        Defect(
            "probeFollowsRedirect",
            ["WS-31g"],
            "redirects are followed automatically, which hides a captive portal",
            policy: { $0.portal.redirects = .areFollowed }
        ),
        Defect(
            "portalBurnsAttempts",
            ["WS-31c"],
            "attempts continue, and count, behind a captive portal",
            policy: { $0.portal.captive = .keepsTrying }
        ),
        Defect(
            "noPortalAlert",
            ["WS-31b"],
            "the user is not asked to log in at the captive portal",
            policy: { $0.portal.alert = .none }
        ),
        Defect(
            "noPortalRecheck",
            ["WS-31d"],
            "after the portal's login, the user has to request a reconnect",
            policy: { $0.portal.recheck = .never }
        ),
        Defect(
            "redirectAsSuccess",
            ["WS-31e", "UX-X1"],
            "a message or a file that was redirected to a login page counts as sent",
            policy: { $0.portal.post = .isDone }
        ),
    ]
}
