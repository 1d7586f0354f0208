/// The versions of HTTP/1 (RFC 9112 section 2.3).
package enum HTTPVersion: String, Hashable, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
}

/// A request line and the headers (RFC 9112 section 3).
package struct HTTPRequestHead: Hashable, Sendable {
    package var method: String
    /// The request target as it appears in the request line, usually the path and query.
    package var target: String
    package var version: HTTPVersion
    package var headers: HTTPHeaders

    package init(method: String, target: String, headers: HTTPHeaders = [:], version: HTTPVersion = .http11) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
    }

    /// Encodes the head without adding, checking or escaping anything.
    package func encode() -> [UInt8] {
        encodeHead("\(method) \(target) \(version.rawValue)", headers)
    }

    /// The path and query of the target. A server must also accept a target in absolute form (RFC 9112 section 3.2.2).
    package var path: String { absolute?.path ?? target }

    /// The requested host, with the port if there is one: from the target if it contains a host, otherwise from the
    /// `Host` header (RFC 9112 section 3.2.2).
    package var host: String? { absolute?.host ?? headers["host"] }

    private var absolute: (host: String, path: String)? {
        guard target.utf8.first != UInt8(ascii: "/"), let mark = target.firstRange(of: "://"),
            ["http", "https", "ws", "wss"].contains(target[..<mark.lowerBound].lowercased())
        else { return nil }
        let rest = target[mark.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[host.endIndex...]
        return (String(host), path.first == "/" ? String(path) : "/\(path)")
    }
}

/// A status line and the headers of a response (RFC 9112 section 4).
package struct HTTPResponseHead: Hashable, Sendable {
    /// The three-digit status code.
    package var status: Int
    package var reason: String
    package var version: HTTPVersion
    package var headers: HTTPHeaders

    package init(status: Int, reason: String, headers: HTTPHeaders = [:], version: HTTPVersion = .http11) {
        self.status = status
        self.reason = reason
        self.version = version
        self.headers = headers
    }

    /// Whether this is an interim response, to be followed by a final one (RFC 9110 section 15.2). A 101 response is
    /// final.
    package var isInterim: Bool { status < 200 && status != 101 }

    /// Encodes the head without adding, checking or escaping anything.
    package func encode() -> [UInt8] {
        encodeHead("\(version.rawValue) \(status) \(reason)", headers)
    }
}

private func encodeHead(_ startLine: String, _ headers: HTTPHeaders) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    appendLatin1(startLine, to: &bytes)
    bytes.append(contentsOf: "\r\n".utf8)
    for field in headers.fields {
        appendLatin1(field.name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        appendLatin1(field.value, to: &bytes)
        bytes.append(contentsOf: "\r\n".utf8)
    }
    bytes.append(contentsOf: "\r\n".utf8)
    return bytes
}

/// Encodes each scalar up to U+00FF as one byte, and other scalars in UTF-8.
private func appendLatin1(_ text: String, to bytes: inout [UInt8]) {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return bytes.append(contentsOf: text.utf8) }
    for scalar in text.unicodeScalars {
        if let byte = UInt8(exactly: scalar.value) {
            bytes.append(byte)
        } else {
            bytes.append(contentsOf: String(scalar).utf8)
        }
    }
}

/// Decodes each byte as one Unicode scalar, the inverse of ``HTTPRequestHead/encode()``.
func latin1(_ bytes: some Collection<UInt8>) -> String {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return String(text)
}
