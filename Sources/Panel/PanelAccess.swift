import SquallCore
package import WebSocketWire

/// Determines which requests a panel accepts: those that contain its token, are addressed to it, and come from its own
/// page.
///
/// The token is a secret shared by the terminal and the browser. The checks on `Host`, `Origin` and `Sec-Fetch-Site`
/// reject requests from other sites' pages in the same browser, even if the site's name resolves to this machine (DNS
/// rebinding).
package struct PanelAccess: Sendable {
    /// The route of an accepted request.
    package enum Route: Hashable, Sendable {
        case page
        /// The stream of event batches, starting with the event at this index.
        case events(from: Int)
        /// The file that contains the recording of the run so far.
        case record
        /// The actions and observations so far, in the form of a scenario.
        case scenario
        /// Validates a form without performing its action.
        case check
        case perform
        /// Pauses the run, or lets it continue.
        case hold
    }

    package enum Decision: Hashable, Sendable {
        case route(Route)
        case refused(status: Int, why: String)
    }

    private let token: [UInt8]
    /// The accepted values of the `Host` header, in lower case.
    private let hosts: Set<String>

    /// Creates the access rules for a panel.
    ///
    /// - Parameters:
    ///   - token: The secret, which is the first component of every path.
    ///   - hosts: The accepted values of the `Host` header: names or addresses with the port.
    package init(token: String, hosts: [String]) {
        self.token = Array(token.utf8)
        self.hosts = Set(hosts.map { $0.lowercased() })
    }

    /// Returns 128 random bits in hexadecimal.
    package static func randomToken(using generator: inout some RandomNumberGenerator) -> String {
        (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    package func decision(on head: HTTPRequestHead) -> Decision {
        let names = head.headers.values(of: "Host")
        guard head.target.hasPrefix("/"), names.count == 1, hosts.contains(names[0].lowercased()) else {
            return .refused(status: 421, why: "this is not the panel's address")
        }
        for origin in head.headers.values(of: "Origin") where !hosts.contains(where: { origin == "http://\($0)" }) {
            return .refused(status: 403, why: "requests from other sites are rejected")
        }
        for site in head.headers.values(of: "Sec-Fetch-Site") where site != "same-origin" && site != "none" {
            return .refused(status: 403, why: "requests from other sites are rejected")
        }
        let parts = head.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        // The path of a route is `/token/name`. The name is empty for the page itself.
        guard path.count == 3, path[0].isEmpty, isToken(path[1].utf8) else {
            return .refused(status: 404, why: "there is nothing here: open the address that squall has printed")
        }
        let route: Route
        switch path[2] {
        case "": route = .page
        case "events":
            // When a browser's `EventSource` reconnects, it sends the id of the last event that it received.
            let asked = head.headers["Last-Event-ID"] ?? (parts.count > 1 ? Self.since(parts[1]) : nil)
            route = .events(from: max(0, asked.flatMap { Int($0) } ?? 0))
        case "record": route = .record
        case "scenario.yaml": route = .scenario
        case "check": route = .check
        case "perform": route = .perform
        case "hold": route = .hold
        default: return .refused(status: 404, why: "there is nothing here")
        }
        let method = [.check, .perform, .hold].contains(route) ? "POST" : "GET"
        guard head.method == method else { return .refused(status: 405, why: "use \(method)") }
        // A form on another site cannot send JSON content without a CORS preflight request.
        if method == "POST", head.headers["Content-Type"]?.lowercased().hasPrefix("application/json") != true {
            return .refused(status: 415, why: "the body must be application/json")
        }
        return .route(route)
    }

    private static func since(_ query: Substring) -> String? {
        let name = "since="
        return query.split(separator: "&").first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    /// Compares `text` with the token in constant time, so that the time depends only on the text's length.
    private func isToken(_ text: Substring.UTF8View) -> Bool {
        guard text.count == token.count else { return false }
        return zip(text, token).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }
}
