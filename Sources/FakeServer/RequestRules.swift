package import ChatWire
package import SquallCore

/// A script's rule that replaces the server's handling of some client frames by a fixed answer.
package struct RequestRule: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// An `error` frame. If it answers a send, it names that send.
        case rejection(ErrorCode, message: String)
        /// A frame sent as given. A string `{name}` in it is replaced by that member of the client's frame.
        case raw(JSON)
    }

    package var role: FrameRole
    /// The client that the rule applies to; nil for all.
    package var client: ClientID?
    package var answer: Answer
    /// The number of further frames that the rule applies to; nil for no limit.
    package var count: Int64?

    package init(_ answer: Answer, to role: FrameRole, client: ClientID? = nil, count: Int64? = nil) {
        self.role = role
        self.client = client
        self.answer = answer
        self.count = count
    }
}

/// A script's rule that answers some requests with a fixed status.
package struct RouteFailure: Hashable, Sendable {
    package var route: ServerRoute
    package var status: Int64
    /// The value of the `Retry-After` header, in whole seconds rounded up.
    package var retryAfter: TimeSpan?
    /// The `Location` header of a redirect.
    package var location: String?
    /// The number of requests that succeed before the first failure.
    package var passes: Int64
    /// The number of further requests that fail; nil for no limit.
    package var count: Int64?

    package init(
        route: ServerRoute,
        status: Int64,
        retryAfter: TimeSpan? = nil,
        location: String? = nil,
        passes: Int64 = 0,
        count: Int64? = nil
    ) {
        self.route = route
        self.status = status
        self.retryAfter = retryAfter
        self.location = location
        self.passes = passes
        self.count = count
    }
}

/// The active request rules. The first one that matches a frame or a request applies.
struct RequestRules: Hashable, Sendable {
    private var rules: [RequestRule] = []
    private var failures: [RouteFailure] = []

    mutating func add(_ rule: RequestRule) {
        guard rule.count ?? 1 > 0 else { return }
        rules.append(rule)
    }

    mutating func add(_ failure: RouteFailure) {
        guard failure.count ?? 1 > 0 else { return }
        failures.append(failure)
    }

    mutating func removeAll() {
        self = RequestRules()
    }

    mutating func answer(to role: FrameRole, of client: ClientID) -> RequestRule? {
        guard let index = rules.firstIndex(where: { $0.role == role && ($0.client ?? client) == client }) else {
            return nil
        }
        let rule = rules[index]
        if let count = rules[index].count { rules[index].count = count - 1 }
        rules.removeAll { ($0.count ?? 1) <= 0 }
        return rule
    }

    /// The failure that applies to a request of this route. Each failure of the route counts the request.
    mutating func failure(of route: ServerRoute) -> RouteFailure? {
        var chosen: RouteFailure?
        for index in failures.indices where failures[index].route == route {
            if failures[index].passes > 0 {
                failures[index].passes -= 1
            } else if chosen == nil {
                chosen = failures[index]
                if let count = failures[index].count { failures[index].count = count - 1 }
            }
        }
        failures.removeAll { ($0.count ?? 1) <= 0 }
        return chosen
    }
}

extension JSON {
    /// The value with every string `{name}` replaced by that member of `frame`, if there is one.
    func filled(from frame: JSON) -> JSON {
        switch self {
        case .string(let text):
            guard text.hasPrefix("{"), text.hasSuffix("}") else { return self }
            return frame[String(text.dropFirst().dropLast())] ?? self
        case .array(let elements):
            return .array(elements.map { $0.filled(from: frame) })
        case .object(let members):
            return .object(members.map { JSONMember($0.name, $0.value.filled(from: frame)) })
        case .null, .bool, .integer, .number:
            return self
        }
    }
}
