package import ChatWire
import SquallCore
import WebSocketWire

/// A valid or invalid request that a case sends to one of the chat server's HTTP routes.
package struct RouteRequest: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        case right, wrong, none
        /// The API key of the case's second user.
        case other
    }

    package enum Body: Hashable, Sendable {
        case none
        case object([WireField: ChatValue], extra: Bool = false)
        case text(String)
        /// A file of this many bytes.
        case filler(Int)
        /// An object with a `text` member of this many bytes.
        case long(Int)
    }

    package struct QueryField: Hashable, Sendable {
        package var field: WireField
        package var value: ChatValue
    }

    package var route: RouteKind
    /// The value that replaces the path's placeholder.
    package var segment: ChatValue
    package var query: [QueryField]
    /// The HTTP method; nil for the route's own method.
    package var method: String?
    /// A string to append to the path.
    package var suffix: String
    package var key: Key
    package var body: Body

    package init(
        _ route: RouteKind,
        _ segment: String = "",
        query: [QueryField] = [],
        method: String? = nil,
        suffix: String = "",
        key: Key = .right,
        body: Body = .none
    ) {
        self.route = route
        self.segment = .exactly(.string(segment))
        self.query = query
        self.method = method
        self.suffix = suffix
        self.key = key
        self.body = body
    }

    /// Creates a request to a route whose path contains the value that was saved under `name`.
    init(_ route: RouteKind, segmentOf name: String, key: Key = .right) {
        self.init(route, key: key)
        segment = .saved(name)
    }

    /// Returns the encoded request; `saved` contains the saved values by name.
    func encode(_ target: ChatTarget, host: String, saved: [String: JSON]) -> [UInt8] {
        let wire = target.wire
        let segment = segment.resolved(saved).stringValue ?? ""
        var path =
            wire[path: route].split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0) == route.placeholder ? Self.escaped(segment) : String($0) }.joined(separator: "/")
            + suffix
        for (index, field) in query.enumerated() {
            let value = field.value.resolved(saved)
            let text = value.stringValue ?? value.description
            path += "\(index == 0 ? "?" : "&")\(Self.escaped(wire[field.field]))=\(Self.escaped(text))"
        }
        var request = ChatRequest(method: method ?? route.method, target: path, body: bytes(wire, saved))
        switch key {
        case .right: request.authorization = ChatRoute.authorization(target.key)
        case .wrong: request.authorization = ChatRoute.authorization("squall wrong \(target.key)")
        case .other: request.authorization = target.otherKey.map(ChatRoute.authorization)
        case .none: break
        }
        return HTTPExchangeBytes.request(request, host: host)
    }

    private func bytes(_ wire: WireProfile, _ saved: [String: JSON]) -> [UInt8] {
        switch body {
        case .none: return []
        case .text(let text): return Array(text.utf8)
        case .filler(let count): return [UInt8](repeating: UInt8(ascii: "s"), count: count)
        case .long(let count):
            return Self.object(
                [.text: .exactly(.string(String(repeating: "s", count: count)))],
                wire,
                saved,
                extra: false
            )
        case .object(let fields, let extra): return Self.object(fields, wire, saved, extra: extra)
        }
    }

    private static func object(
        _ fields: [WireField: ChatValue],
        _ wire: WireProfile,
        _ saved: [String: JSON],
        extra: Bool
    ) -> [UInt8] {
        var members = WireField.allCases.compactMap { field in
            fields[field].map { JSONMember(wire[field], $0.resolved(saved)) }
        }
        if extra { members.append(JSONMember("squall_unknown", ["nested": [1, 2, 3]])) }
        return JSON.object(members).encode()
    }

    /// Percent-encodes all but the unreserved characters (RFC 3986, section 2.3).
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
                result.append(character)
            } else {
                result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return result
    }
}
