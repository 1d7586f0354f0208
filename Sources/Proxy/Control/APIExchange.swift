import SquallCore
import WebSocketWire

/// A complete request to the control API.
struct APIRequest: Hashable, Sendable {
    var method: String
    /// The percent-decoded components of the path, without the query.
    var path: [String]
    /// The path as received, still percent-encoded and without the query.
    var rawPath: String
    var query: [String: String]
    var headers: HTTPHeaders
    var body: [UInt8]

    init(_ head: HTTPRequestHead, body: [UInt8]) {
        method = head.method
        headers = head.headers
        self.body = body
        let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        rawPath = String(parts.first ?? "")
        path = rawPath.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { Self.unescape($0) }
        query = [:]
        guard parts.count > 1 else { return }
        for pair in parts[1].split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[Self.unescape(sides[0])] = sides.count > 1 ? Self.unescape(sides[1]) : ""
        }
    }

    /// The value of `since` in the query: the number of an event. A number that is out of range is treated as later
    /// than every event.
    var since: Int {
        guard let text = query["since"], !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return 0
        }
        return Int(text) ?? .max
    }

    /// Decodes percent escapes (RFC 3986 section 2.1); a malformed escape stays unchanged.
    static func unescape(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A response from the control API.
struct APIResponse: Hashable, Sendable {
    var status: Int
    /// The value of the `Content-Type` header; nil for a response without content.
    var contentType: String?
    var body: [UInt8] = []
    /// Whether the response has a request id. Toxiproxy's router sends none for unknown routes and methods.
    var isRouted = true
    /// Whether the response has `X-Content-Type-Options: nosniff`, which Go's `http.Error` sets.
    var forbidsSniffing = false

    static func json(_ json: JSON, status: Int = 200) -> APIResponse {
        APIResponse(status: status, contentType: "application/json", body: json.encode())
    }

    static let done = APIResponse(status: 204)

    static func failure(_ error: APIError) -> APIResponse {
        let text = JSON.object(error.members).encode() + [UInt8(ascii: "\n")]
        // Toxiproxy's source sets the type `application/json`, but Go's `http.Error` replaces it. Clients rely only on
        // the status.
        return APIResponse(status: error.status, contentType: plainText, body: text, forbidsSniffing: true)
    }

    static func text(_ text: String, status: Int, isRouted: Bool = true) -> APIResponse {
        APIResponse(
            status: status,
            contentType: plainText,
            body: Array("\(text)\n".utf8),
            isRouted: isRouted,
            forbidsSniffing: true
        )
    }

    static let notFound = text("404 page not found", status: 404, isRouted: false)
    static let notAllowed = APIResponse(status: 405, isRouted: false)
    private static let plainText = "text/plain; charset=utf-8"
}
