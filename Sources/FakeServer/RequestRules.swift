package import ChatWire
package import SquallCore
import WebSocketWire

/// A script rule that replaces the server's handling of some frames, requests or handshakes with a fixed response.
package struct RequestRule: Hashable, Sendable {
    /// The client messages that the rule answers.
    package enum Subject: Hashable, Sendable {
        case frame(FrameRole)
        /// The opening handshake of a WebSocket.
        case opening
        /// Messages that match this pattern, whether or not they are protocol frames.
        case message(MessagePattern)
        /// HTTP requests that match this pattern.
        case request(RequestPattern)
    }

    /// A frame in a response: JSON, or text if `content` is a string. Placeholders are replaced with values from the
    /// client's message.
    package struct Reply: Hashable, Sendable {
        package var content: JSON
        /// The delay between the client's message and this frame.
        package var after: TimeSpan

        package init(_ content: JSON, after: TimeSpan = .zero) {
            (self.content, self.after) = (content, after)
        }
    }

    package enum Answer: Hashable, Sendable {
        /// An `error` frame. If it answers a `send`, it contains the id of that message.
        case rejection(ErrorCode, message: String)
        /// Frames to send. In them, `{name}` is replaced with the member `name` of the client's frame or, if the rule
        /// has a pattern, with the value of the pattern's placeholder `name`.
        case replies([Reply])
        /// A response to an HTTP request.
        case response(RuleResponse)
    }

    /// The keyword for the opening handshake of a WebSocket, used in place of a frame name.
    static let opening = "opening"

    package var subject: Subject
    /// The client that the rule applies to; nil for all clients.
    package var client: ClientID?
    package var answer: Answer
    /// The number of further frames that the rule applies to; nil for no limit.
    package var count: Int64?
    /// The label of the messages that the rule answers; nil if the rule does not depend on a label.
    package var label: String?

    package init(_ answer: Answer, to role: FrameRole, client: ClientID? = nil, count: Int64? = nil) {
        self.init(answer, to: .frame(role), client: client, count: count)
    }

    package init(
        _ answer: Answer,
        to subject: Subject,
        client: ClientID? = nil,
        count: Int64? = nil,
        label: String? = nil
    ) {
        self.subject = subject
        self.label = label
        self.client = client
        self.answer = answer
        self.count = count
    }
}

/// A script rule that answers some requests with a fixed status.
package struct RouteFailure: Hashable, Sendable {
    package var route: ServerRoute
    package var status: Int64
    /// The delay in the `Retry-After` header, rounded up to whole seconds; nil for no such header.
    package var retryAfter: TimeSpan?
    /// The `Location` header of a redirect; nil for no such header.
    package var location: String?
    /// The number of requests that succeed before the first failure.
    package var passes: Int64
    /// The number of further requests that fail; nil for no limit.
    package var count: Int64?
}

/// The active request rules. The first rule that matches a frame or a request is applied.
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
        rules.firstIndex { $0.subject == .frame(role) && ($0.client ?? client) == client }.map { use($0) }
    }

    mutating func answerToOpening(of client: ClientID) -> RequestRule? {
        rules.firstIndex { $0.subject == .opening && ($0.client ?? client) == client }.map { use($0) }
    }

    /// Returns the rule for a message, with the values of its placeholders; nil if no rule matches.
    mutating func answer(to message: String, of client: ClientID) -> (rule: RequestRule, values: [JSONMember])? {
        for index in rules.indices where (rules[index].client ?? client) == client {
            guard case .message(let pattern) = rules[index].subject, let values = pattern.match(message) else {
                continue
            }
            return (use(index), values)
        }
        return nil
    }

    /// Returns the rule for an HTTP request, with the values of its placeholders; nil if no rule matches.
    mutating func answer(to head: HTTPRequestHead, _ body: [UInt8], of client: ClientID)
        -> (rule: RequestRule, values: [JSONMember])?
    {
        for index in rules.indices where (rules[index].client ?? client) == client {
            guard case .request(let pattern) = rules[index].subject, let values = pattern.match(head, body) else {
                continue
            }
            return (use(index), values)
        }
        return nil
    }

    /// Returns a rule and decrements its count.
    private mutating func use(_ index: Int) -> RequestRule {
        let rule = rules[index]
        if let count = rules[index].count { rules[index].count = count - 1 }
        rules.removeAll { ($0.count ?? 1) <= 0 }
        return rule
    }

    /// Returns the failure that applies to a request for this route; nil if the request succeeds. Every failure rule
    /// for the route counts the request.
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
