/// An error in the server's response to a handshake, or in the client's request (RFC 6455 section 4).
package enum HandshakeError: Error, Hashable, Sendable {
    /// A header that the opening handshake uses.
    package enum Header: String, Hashable, Sendable, CaseIterable {
        case host = "Host"
        case upgrade = "Upgrade"
        case connection = "Connection"
        case key = "Sec-WebSocket-Key"
        case version = "Sec-WebSocket-Version"
        case accept = "Sec-WebSocket-Accept"
        case subprotocol = "Sec-WebSocket-Protocol"
        case extensions = "Sec-WebSocket-Extensions"
    }

    /// The server answered with a status other than 101.
    case refused(HTTPResponseHead)
    case wrongMethod(String)
    /// The HTTP version is not 1.1, the only one that the handshake allows.
    case wrongHTTPVersion
    case missing(Header)
    case repeated(Header)
    /// The header's value is invalid or does not match what the client requested.
    case wrong(Header, value: String)

    /// The response with which a server rejects the request: 405, 426 or 400.
    package var response: HTTPResponseHead {
        switch self {
        case .wrongMethod:
            return HTTPResponseHead(
                status: 405,
                reason: "Method Not Allowed",
                headers: ["Allow": "GET", "Content-Length": "0"]
            )
        case .missing(.upgrade), .wrong(.upgrade, _), .missing(.version), .wrong(.version, _):
            return HTTPResponseHead(
                status: 426,
                reason: "Upgrade Required",
                headers: [
                    "Upgrade": "websocket",
                    "Connection": "Upgrade",
                    "Sec-WebSocket-Version": "13",
                    "Content-Length": "0",
                ]
            )
        case .refused, .wrongHTTPVersion, .missing, .repeated, .wrong:
            return HTTPResponseHead(status: 400, reason: "Bad Request", headers: ["Content-Length": "0"])
        }
    }
}

extension HandshakeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let head): "refused with status \(head.status)"
        case .wrongMethod(let method): "the method is \(method), not GET"
        case .wrongHTTPVersion: "not HTTP/1.1"
        case .missing(let header): "\(header.rawValue) is missing"
        case .repeated(let header): "\(header.rawValue) occurs more than once"
        case .wrong(let header, let value): "\(header.rawValue) is \(value.debugDescription)"
        }
    }
}
