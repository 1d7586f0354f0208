/// The opening handshake between client and server (RFC 6455 section 4).
package enum WebSocketHandshake {
    /// Returns the client's request. `key` consists of 16 random bytes and must be new for each connection.
    package static func request(
        host: String,
        path: String,
        key: [UInt8],
        subprotocols: [String] = [],
        deflate offers: [DeflateOffer] = [],
        extraHeaders: HTTPHeaders = [:]
    ) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": host,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": Base64.encode(key),
            "Sec-WebSocket-Version": "13",
        ]
        if !subprotocols.isEmpty {
            headers.append("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))
        }
        if !offers.isEmpty {
            headers.append("Sec-WebSocket-Extensions", offers.map(\.asExtension.text).joined(separator: ", "))
        }
        headers.fields += extraHeaders.fields
        return HTTPRequestHead(method: "GET", target: path, headers: headers)
    }

    /// Returns the accept key for the value of a `Sec-WebSocket-Key` header (section 4.2.2).
    package static func acceptKey(for key: String) -> String {
        Base64.encode(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }

    /// Validates the server's response (section 4.1). Returns the subprotocol that the server selected; nil if it did
    /// not select one.
    ///
    /// `key`, `subprotocols` and `offers` are those that the client sent in its request. Extensions in the response
    /// must match the offers; ``agreement(in:to:)`` returns the result.
    @discardableResult
    package static func validate(
        _ response: HTTPResponseHead,
        key: [UInt8],
        subprotocols: [String] = [],
        deflate offers: [DeflateOffer] = []
    ) throws(HandshakeError) -> String? {
        guard response.status == 101 else { throw .refused(response) }
        guard response.version == .http11 else { throw .wrongHTTPVersion }
        let headers = response.headers
        let upgrade = try headers.single(.upgrade)
        guard isSame(upgrade, "websocket") else { throw .wrong(.upgrade, value: upgrade) }
        try headers.require("upgrade", in: .connection)
        let accept = try headers.single(.accept)
        guard accept == acceptKey(for: Base64.encode(key)) else { throw .wrong(.accept, value: accept) }
        _ = try agreement(in: response, to: offers)
        guard !headers.values(of: .subprotocol).isEmpty else { return nil }
        let chosen = try headers.single(.subprotocol)
        guard subprotocols.contains(chosen) else { throw .wrong(.subprotocol, value: chosen) }
        return chosen
    }

    /// Returns the parameters of permessage-deflate in the server's response, or nil if the response does not contain
    /// the extension (section 9.1, RFC 7692 section 7.1).
    package static func agreement(
        in response: HTTPResponseHead,
        to offers: [DeflateOffer]
    ) throws(HandshakeError) -> DeflateAgreement? {
        let values = response.headers.values(of: .extensions)
        guard let first = values.first else { return nil }
        guard
            let named = WebSocketExtension.list(values), named.count == 1,
            let agreement = DeflateAgreement(named[0], to: offers)
        else { throw .wrong(.extensions, value: first) }
        return agreement
    }

    /// Returns the extensions that a request offers; the list is empty if the header is malformed (section 9.1).
    package static func extensions(offeredIn request: HTTPRequestHead) -> [WebSocketExtension] {
        WebSocketExtension.list(request.headers.values(of: .extensions)) ?? []
    }

    /// Validates the request (section 4.2.1) and returns the response, which selects `subprotocol`.
    ///
    /// - Throws: ``HandshakeError``, whose ``HandshakeError/response`` rejects the request.
    package static func accept(
        _ request: HTTPRequestHead,
        subprotocol: String? = nil,
        extraHeaders: HTTPHeaders = [:]
    ) throws(HandshakeError) -> HTTPResponseHead {
        guard request.method == "GET" else { throw .wrongMethod(request.method) }
        guard request.version == .http11 else { throw .wrongHTTPVersion }
        _ = try request.headers.single(.host)
        try request.headers.require("websocket", in: .upgrade)
        try request.headers.require("upgrade", in: .connection)
        let version = try request.headers.single(.version)
        guard version == "13" else { throw .wrong(.version, value: version) }
        let key = try request.headers.single(.key)
        guard Base64.decode(key)?.count == 16 else { throw .wrong(.key, value: key) }
        var headers: HTTPHeaders = [
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Accept": acceptKey(for: key),
        ]
        if let subprotocol {
            headers.append("Sec-WebSocket-Protocol", subprotocol)
        }
        headers.fields += extraHeaders.fields
        return HTTPResponseHead(status: 101, reason: "Switching Protocols", headers: headers)
    }
}

extension HTTPHeaders {
    fileprivate func values(of header: HandshakeError.Header) -> [String] {
        values(of: header.rawValue)
    }

    /// Returns the value of a header, which must occur exactly once.
    fileprivate func single(_ header: HandshakeError.Header) throws(HandshakeError) -> String {
        let values = values(of: header)
        guard let value = values.first else { throw .missing(header) }
        guard values.count == 1 else { throw .repeated(header) }
        return value
    }

    /// Throws an error if the header's list does not contain `word`, ignoring case.
    fileprivate func require(_ word: String, in header: HandshakeError.Header) throws(HandshakeError) {
        guard !elements(of: header.rawValue).contains(where: { isSame($0, word) }) else { return }
        let values = values(of: header)
        throw values.isEmpty ? .missing(header) : .wrong(header, value: values.joined(separator: ", "))
    }
}
