package import Faults
package import WebSocketWire

/// A test of the opening handshake (RFC 6455, section 4): the changes to Squall's part of the handshake, and the
/// expected reaction.
package struct OpeningPlan: Sendable {
    /// A change to a valid handshake request or response.
    package enum Change: Hashable, Sendable {
        case set(String, String)
        case add(String, String)
        case remove(String)
        case method(String)
        case version(HTTPVersion)
        case status(Int, String)
        /// Writes all header names in upper case.
        case capitals
        /// Replaces the accept key with one for another connection.
        case wrongAcceptKey
        /// Inverts the case of the first letter of the header's value.
        case changeCase(String)

        func apply(to headers: inout HTTPHeaders) {
            switch self {
            case .set(let name, let value):
                if let index = headers.fields.firstIndex(where: { $0.name == name }) {
                    headers.fields[index].value = value
                } else {
                    headers.append(name, value)
                }
            case .add(let name, let value): headers.append(name, value)
            case .remove(let name): headers.fields.removeAll { $0.name == name }
            case .capitals:
                for index in headers.fields.indices {
                    headers.fields[index].name = headers.fields[index].name.uppercased()
                }
            case .wrongAcceptKey:
                Change.set("Sec-WebSocket-Accept", WebSocketHandshake.acceptKey(for: "")).apply(to: &headers)
            case .changeCase(let name):
                guard let index = headers.fields.firstIndex(where: { $0.name == name }) else { return }
                let value = headers.fields[index].value
                let first = value.prefix(1)
                let turned = first == first.uppercased() ? first.lowercased() : first.uppercased()
                headers.fields[index].value = turned + value.dropFirst()
            case .method, .version, .status: break
            }
        }
    }

    package enum Expected: Hashable, Sendable {
        /// The connection opens, a text is echoed, and the connection closes normally.
        case opens
        /// The server responds with one of these statuses. If `header` is given, that header's value must contain
        /// `including`.
        case refuses(statuses: Set<Int>, header: String? = nil, including: String? = nil)
        /// The client does not consider the connection open: it sends no message and closes the TCP connection.
        case fails
        /// The result is reported but not evaluated: the RFC leaves the behaviour unspecified or defers to HTTP.
        case informational
    }

    package var changes: [Change]
    package var expected: Expected
    package var pacing = Pacing.together
    /// A text message to send in the same write as the handshake request or response.
    package var early: String?
    /// Bytes to send instead of a handshake request or response.
    package var raw: [UInt8]?
    /// How Squall closes the TCP connection after the bytes are sent; nil to leave it open.
    package var ending: LinkEnd?
    /// The subprotocols that Squall offers in its request.
    package var subprotocols: [String] = []

    package init(
        _ changes: [Change],
        _ expected: Expected,
        pacing: Pacing = .together,
        early: String? = nil,
        raw: [UInt8]? = nil,
        ending: LinkEnd? = nil,
        subprotocols: [String] = []
    ) {
        self.changes = changes
        self.expected = expected
        self.pacing = pacing
        self.early = early
        self.raw = raw
        self.ending = ending
        self.subprotocols = subprotocols
    }

    /// Creates a plan with a valid, unchanged handshake.
    package init(
        _ expected: Expected,
        pacing: Pacing = .together,
        early: String? = nil,
        raw: [UInt8]? = nil,
        ending: LinkEnd? = nil,
        subprotocols: [String] = []
    ) {
        self.init([], expected, pacing: pacing, early: early, raw: raw, ending: ending, subprotocols: subprotocols)
    }

    func changed(_ head: HTTPRequestHead) -> HTTPRequestHead {
        var head = head
        for change in changes {
            switch change {
            case .method(let method): head.method = method
            case .version(let version): head.version = version
            default: change.apply(to: &head.headers)
            }
        }
        return head
    }

    func changed(_ head: HTTPResponseHead) -> HTTPResponseHead {
        var head = head
        for change in changes {
            switch change {
            case .status(let status, let reason): (head.status, head.reason) = (status, reason)
            case .version(let version): head.version = version
            default: change.apply(to: &head.headers)
            }
        }
        return head
    }
}
