package import Faults
package import WebSocketWire

/// A case about the opening handshake (RFC 6455 section 4): how ours differs from a plain one, and what must follow.
package struct OpeningPlan: Sendable {
    /// A change of a head that is right.
    package enum Change: Hashable, Sendable {
        case set(String, String)
        case add(String, String)
        case remove(String)
        case method(String)
        case version(HTTPVersion)
        case status(Int, String)
        /// Writes every header's name in capitals.
        case capitals
        /// The key is that of another connection.
        case foreignAccept
        /// The value of a header with its first letter's case changed.
        case turnCase(String)

        func apply(to headers: inout HTTPHeaders) {
            switch self {
            case .set(let name, let value):
                if let place = headers.fields.firstIndex(where: { $0.name == name }) {
                    headers.fields[place].value = value
                } else {
                    headers.append(name, value)
                }
            case .add(let name, let value): headers.append(name, value)
            case .remove(let name): headers.fields.removeAll { $0.name == name }
            case .capitals:
                for place in headers.fields.indices {
                    headers.fields[place].name = headers.fields[place].name.uppercased()
                }
            case .foreignAccept:
                Change.set("Sec-WebSocket-Accept", WebSocketHandshake.acceptKey(for: "")).apply(to: &headers)
            case .turnCase(let name):
                guard let place = headers.fields.firstIndex(where: { $0.name == name }) else { return }
                let value = headers.fields[place].value
                let first = value.prefix(1)
                let turned = first == first.uppercased() ? first.lowercased() : first.uppercased()
                headers.fields[place].value = turned + value.dropFirst()
            case .method, .version, .status: break
            }
        }
    }

    package enum Expected: Hashable, Sendable {
        /// The connection opens, a text is echoed, and it closes in order.
        case opens
        /// A server answers with one of these statuses; where a header is named it must be there, with this in it.
        case refuses(statuses: Set<Int>, header: String? = nil, holding: String? = nil)
        /// A client treats the connection as never opened: no message, and it ends the TCP connection.
        case fails
        /// Told and not judged: the RFC leaves it open, or leaves it to HTTP.
        case tells
    }

    package var changes: [Change]
    package var expected: Expected
    package var pacing = Pacing.together
    /// A text written behind our head in the same breath.
    package var early: String?
    /// Instead of a head.
    package var raw: [UInt8]?
    /// How we end the connection behind it all.
    package var ending: LinkEnd?
    /// What our request asks for.
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

    /// A head that is right.
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
