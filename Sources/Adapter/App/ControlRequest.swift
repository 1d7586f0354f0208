package import SquallCore
package import WebSocketWire

/// A request to the control port.
package enum ControlRequest: Hashable, Sendable {
    /// The user has opened the URL in a browser.
    case about
    /// A CORS preflight: a browser asks whether a page from another origin may send a request.
    case preflight
    /// The instance `app` has received the messages up to `after`, and polls for later ones.
    case next(app: String, after: Int64)
    /// The instance `app` sends messages, numbered from `first`.
    case messages(app: String, first: Int64, [JSON])

    /// The error for a rejected request.
    package struct Refusal: Error, Hashable, Sendable {
        package var answer: ControlAnswer
        /// The error's description, with which the run fails; nil if the request may have come from a program other
        /// than the app.
        package var mistake: String?
    }

    /// The maximum size of a request body, in bytes.
    package static let largestBody = 4 << 20
    /// The maximum length of an instance's name, in bytes.
    private static let longestName = 64

    /// Returns whether a request has the token, which is the first component of its path.
    ///
    /// The comparison takes the same time for all tokens of the same length.
    package static func isAllowed(_ head: HTTPRequestHead, token: String) -> Bool {
        let given = Array(head.path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        guard given.count == token.utf8.count else { return false }
        return zip(given, token.utf8).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }

    /// Parses a complete request.
    ///
    /// - Throws: ``Refusal`` if the token is wrong or the request is malformed.
    package init(_ head: HTTPRequestHead, body: [UInt8], token: String) throws(Refusal) {
        // A preflight contains no credentials, so the response is the same for every path.
        if head.method == "OPTIONS" {
            self = .preflight
            return
        }
        guard Self.isAllowed(head, token: token) else {
            throw Refusal(answer: .refused(401, "wrong token: use the URL that squall run has printed"))
        }
        let parts = head.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1].split(separator: "&") : []
        // The URL ends with a slash, so an app that appends "/next" to it sends a path with two slashes.
        let route = String(parts[0].dropFirst(token.count + 1).drop { $0 == "/" })
        switch route {
        case "":
            try Self.expect("GET", head, of: "this page")
            self = .about
        case "next":
            try Self.expect("GET", head, of: route)
            self = .next(app: try Self.app(query), after: try Self.number("after", query, from: 0))
        case "messages":
            try Self.expect("POST", head, of: route)
            let (first, messages) = try Self.messages(body)
            self = .messages(app: try Self.app(query), first: first, messages)
        default:
            throw Refusal(
                answer: .refused(404, "there is no '\(SanitizedText(route))'; the routes are next and messages")
            )
        }
    }

    private static func wrong(_ why: String) -> Refusal {
        Refusal(answer: .refused(400, why), mistake: why)
    }

    private static func expect(_ method: String, _ head: HTTPRequestHead, of route: String) throws(Refusal) {
        guard head.method == method else { throw Refusal(answer: .refused(405, "use \(method) for \(route)")) }
    }

    private static func value(_ name: String, _ query: [Substring]) -> Substring? {
        query.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
    }

    private static func app(_ query: [Substring]) throws(Refusal) -> String {
        func isAllowed(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard let name = value("app", query), 1...longestName ~= name.utf8.count, name.utf8.allSatisfy(isAllowed) else {
            throw wrong("the query needs app=NAME, up to \(longestName) of A-Z, a-z, 0-9, '-' and '_'")
        }
        return String(name)
    }

    private static func number(_ name: String, _ query: [Substring], from least: Int64) throws(Refusal) -> Int64 {
        guard let text = value(name, query), let number = Int64(text), number >= least, number < Int64.max else {
            throw wrong("the query needs \(name)=NUMBER, at least \(least)")
        }
        return number
    }

    private static func messages(_ body: [UInt8]) throws(Refusal) -> (first: Int64, [JSON]) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON.decode(body, limits: JSONLimits(depth: 18, size: largestBody))
        } catch {
            throw wrong("the body is not JSON (\(error.message)): \(AdapterFailure.excerpt(body))")
        }
        guard let first = json["first"]?.intValue, 1..<Int64.max ~= first else {
            throw wrong("the body needs 'first', the number of its first message, from 1")
        }
        guard let messages = json["messages"]?.arrayValue else {
            throw wrong("the body needs 'messages', a list of objects")
        }
        for message in messages where message.members == nil {
            throw wrong("a message is not an object: \(AdapterFailure.excerpt(message.encode()))")
        }
        return (first, messages)
    }
}
