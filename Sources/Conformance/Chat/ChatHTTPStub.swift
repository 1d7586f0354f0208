package import ChatWire
import SquallCore
package import WebSocketWire

/// Minimal HTTP responses to a chat client whose WebSocket connection is under test.
package enum ChatHTTPStub {
    /// Returns the encoded response to a request.
    package static func answer(_ head: HTTPRequestHead, _ wire: WireProfile) -> [UInt8] {
        let (status, body) = answer(to: head, wire)
        return response(status, body, isToHead: head.method == "HEAD")
    }

    private static func answer(to head: HTTPRequestHead, _ wire: WireProfile) -> (ChatStatus, JSON) {
        guard let route = ChatRoute.parse(method: head.method, target: head.path, wire) else {
            return (.notFound, error(.malformed, "No such route.", wire))
        }
        // Messages sent over HTTP are rejected because the case expects them on the WebSocket.
        guard route.kind != .send else { return (.unavailable, error(.internalError, "Not over HTTP.", wire)) }
        guard let answer = route.kind.answer else { return (.notFound, error(.malformed, "No such file.", wire)) }
        return (.ok, minimalObject(answer, wire))
    }

    private static func error(_ code: ErrorCode, _ message: String, _ wire: WireProfile) -> JSON {
        .object([
            JSONMember(wire[.code], .string(code.word)), JSONMember(wire[.message], .string(message)),
        ])
    }

    /// Returns the encoded response. A response to a HEAD request has no body (RFC 9110, section 9.3.2).
    private static func response(_ status: ChatStatus, _ body: JSON, isToHead: Bool) -> [UInt8] {
        let bytes = body.encode()
        let head = HTTPResponseHead(
            status: status.rawValue,
            reason: status.phrase,
            headers: [
                "Content-Type": "application/json", "Content-Length": String(bytes.count), "Connection": "close",
            ]
        )
        return head.encode() + (isToHead ? [] : bytes)
    }

    /// Returns the protocol object `name` with only its required fields, each with a minimal value.
    private static func minimalObject(_ name: String, _ wire: WireProfile) -> JSON {
        let fields = ObjectShape.all.first { $0.name == name }?.fields ?? []
        return .object(
            fields.filter(\.required).map { field in
                JSONMember(wire[field.field], field.field == .status ? "ok" : minimalObject(field.kind, wire))
            }
        )
    }

    private static func minimalObject(_ kind: FieldKind, _ wire: WireProfile) -> JSON {
        switch kind {
        case .text: "squall"
        case .count, .milliseconds: 0
        case .flag: false
        case .timestamp: wire.timestampForm == .iso8601 ? "2026-03-01T12:30:45.250Z" : 1_772_368_245_250
        case .word(let words): .string(words.first ?? "")
        case .object(let name): minimalObject(name, wire)
        case .list: []
        }
    }
}
