import ChatWire
package import SquallCore
import WebSocketWire

/// A pattern for an HTTP request: the method and the target, such as `GET /prices?symbol={symbol}`, and optionally the
/// body.
package struct RequestPattern: Hashable, Sendable {
    private let method: String
    /// The path and the query, with placeholders as in a ``MessagePattern`` for text.
    private let target: MessagePattern
    /// The pattern of the request's body; nil to accept any body.
    var body: MessagePattern?
    /// The pattern as written in scripts, for reports.
    package let text: String

    /// Creates a pattern; returns nil unless `text` consists of a method and a target that begins with `/`.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("/"),
            parts[0].allSatisfy({ $0.isASCII && $0.isUppercase || $0 == "-" })
        else { return nil }
        self.text = text
        method = String(parts[0])
        target = MessagePattern(.string(String(parts[1])))
    }

    /// Returns the values of the placeholders; nil if the request does not match.
    ///
    /// If the body is a JSON object, the values include its members.
    func match(_ head: HTTPRequestHead, _ bytes: [UInt8]) -> [JSONMember]? {
        guard head.method == method, var values = target.match(head.path) else { return nil }
        if let body {
            guard let found = body.match(String(decoding: bytes, as: UTF8.self)) else { return nil }
            values += found
        }
        return values + ((try? JSON.decode(bytes))?.members ?? [])
    }
}

/// The response with which a rule answers an HTTP request.
package struct RuleResponse: Hashable, Sendable {
    package var status: Int
    package var headers: [JSONMember]
    /// The body: JSON, or text if it is a string; nil for none. Placeholders are replaced as in ``RequestRule/Reply``.
    package var body: JSON?
    /// The delay between the request and the response.
    package var after: TimeSpan

    /// Returns the members of an object as header fields; returns nil unless all are strings without line breaks.
    static func headers(_ object: JSON) -> [JSONMember]? {
        guard let members = object.members else { return nil }
        for member in members {
            guard let value = member.value.stringValue, !member.name.isEmpty,
                !(member.name + value).unicodeScalars.contains(where: { $0.value < 32 && $0 != "\t" || $0.value == 127 }
                ),
                !member.name.contains(where: { " :".contains($0) })
            else { return nil }
        }
        return members
    }

    func outgoing(filledFrom values: [JSONMember]) -> OutgoingResponse {
        let filled = body?.filled(values)
        let bytes = filled.map { $0.stringValue.map { Array($0.utf8) } ?? $0.encode() } ?? []
        var fields = HTTPHeaders()
        // A field without a value is left out, so that a rule can ask for a response without `Content-Type`.
        for member in headers {
            guard let value = member.value.stringValue, !value.isEmpty else { continue }
            fields.append(member.name, value)
        }
        if !bytes.isEmpty, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            fields.append("Content-Type", filled?.stringValue == nil ? "application/json" : "text/plain; charset=utf-8")
        }
        // A 204 or 304 response has no body and is sent without Content-Length (RFC 9110, section 8.6).
        if status != 204, status != 304 { fields.append("Content-Length", String(bytes.count)) }
        fields.append("Connection", "close")
        let head = HTTPResponseHead(
            status: status,
            reason: ChatStatus(rawValue: status)?.phrase ?? "",
            headers: fields
        )
        let isBare = status == 204 || status == 304
        return OutgoingResponse(route: nil, status: status, head: head.encode(), body: isBare ? [] : bytes)
    }
}
