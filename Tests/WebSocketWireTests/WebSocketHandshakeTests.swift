import Testing
import WebSocketWire

@Suite struct WebSocketHandshakeTests {
    /// The key and the expected accept key from the example in RFC 6455 section 1.3.
    private let key = Array("the sample nonce".utf8)
    private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private func good(_ change: (inout HTTPHeaders) -> Void = { _ in }) -> HTTPResponseHead {
        var headers: HTTPHeaders = ["Upgrade": "WebSocket", "Connection": "keep-alive, upgrade"]
        headers.append("Sec-WebSocket-Accept", accept)
        change(&headers)
        return HTTPResponseHead(status: 101, reason: "", headers: headers)
    }

    private func asking(_ change: (inout HTTPRequestHead) -> Void = { _ in }) -> HTTPRequestHead {
        var request = WebSocketHandshake.request(host: "a.b", path: "/", key: key)
        change(&request)
        return request
    }

    @Test("The accept key matches the example of RFC 6455")
    func acceptKeyOfTheRFC() {
        #expect(WebSocketHandshake.acceptKey(for: "dGhlIHNhbXBsZSBub25jZQ==") == accept)
    }

    @Test("The upgrade request contains all headers in order")
    func request() {
        let head = WebSocketHandshake.request(
            host: "server.example.com",
            path: "/chat?v=1",
            key: key,
            subprotocols: ["chat", "superchat"],
            extraHeaders: ["Origin": "http://example.com"]
        )
        #expect(
            head.encode()
                == """
                GET /chat?v=1 HTTP/1.1
                Host: server.example.com
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Protocol: chat, superchat
                Origin: http://example.com


                """.wire
        )
    }

    @Test("The server's upgrade response is encoded and accepted by the client")
    func acceptanceIsWrittenAndAccepted() throws {
        let response = try WebSocketHandshake.accept(asking(), subprotocol: "chat", extraHeaders: ["Server": "x"])
        #expect(
            response.encode()
                == """
                HTTP/1.1 101 Switching Protocols
                Upgrade: websocket
                Connection: Upgrade
                Sec-WebSocket-Accept: \(accept)
                Sec-WebSocket-Protocol: chat
                Server: x


                """.wire
        )
        #expect(try WebSocketHandshake.validate(response, key: key, subprotocols: ["superchat", "chat"]) == "chat")
    }

    @Test("A response without a subprotocol is accepted if subprotocols were offered")
    func goodResponseWithoutSubprotocol() throws {
        #expect(try WebSocketHandshake.validate(good(), key: key, subprotocols: ["chat"]) == nil)
    }

    @Test("The error for a refused upgrade contains the response head", arguments: [200, 100, 301, 401, 426, 503])
    func refusalCarriesTheHead(status: Int) {
        let head = HTTPResponseHead(status: status, reason: "No", headers: ["Retry-After": "9"])
        #expect(throws: HandshakeError.refused(head)) { try WebSocketHandshake.validate(head, key: key) }
    }

    @Test("Every invalid upgrade response is refused with its specific error")
    func brokenResponses() {
        typealias Change = (inout HTTPHeaders) -> Void
        func remove(_ name: String) -> Change { { $0.fields.removeAll { $0.name == name } } }
        func set(_ name: String, _ value: String) -> Change {
            { headers in
                headers.fields.removeAll { $0.name == name }
                headers.append(name, value)
            }
        }
        func add(_ name: String, _ value: String) -> Change { { $0.append(name, value) } }
        let cases: [(Change, HandshakeError)] = [
            (remove("Upgrade"), .missing(.upgrade)),
            (set("Upgrade", "h2c"), .wrong(.upgrade, value: "h2c")),
            (set("Upgrade", "websocket, h2c"), .wrong(.upgrade, value: "websocket, h2c")),
            (add("Upgrade", "websocket"), .repeated(.upgrade)),
            (remove("Connection"), .missing(.connection)),
            (set("Connection", "close"), .wrong(.connection, value: "close")),
            (set("Connection", "upgrade-not"), .wrong(.connection, value: "upgrade-not")),
            (remove("Sec-WebSocket-Accept"), .missing(.accept)),
            (set("Sec-WebSocket-Accept", accept.lowercased()), .wrong(.accept, value: accept.lowercased())),
            (set("Sec-WebSocket-Accept", ""), .wrong(.accept, value: "")),
            (add("Sec-WebSocket-Accept", accept), .repeated(.accept)),
            (add("Sec-WebSocket-Extensions", "permessage-deflate"), .wrong(.extensions, value: "permessage-deflate")),
            (add("Sec-WebSocket-Protocol", "Chat"), .wrong(.subprotocol, value: "Chat")),
            (add("Sec-WebSocket-Protocol", ""), .wrong(.subprotocol, value: "")),
        ]
        for (change, error) in cases {
            #expect(throws: error) {
                try WebSocketHandshake.validate(good(change), key: key, subprotocols: ["chat"])
            }
        }
        let old = HTTPResponseHead(status: 101, reason: "", headers: good().headers, version: .http10)
        #expect(throws: HandshakeError.wrongHTTPVersion) { try WebSocketHandshake.validate(old, key: key) }
    }

    @Test("A response with two subprotocols is an error")
    func twoSubprotocolsChosen() {
        let response = good {
            $0.append("Sec-WebSocket-Protocol", "a")
            $0.append("Sec-WebSocket-Protocol", "b")
        }
        #expect(throws: HandshakeError.repeated(.subprotocol)) {
            try WebSocketHandshake.validate(response, key: key, subprotocols: ["a", "b"])
        }
    }

    @Test("Every invalid upgrade request is refused with its specific error and status")
    func brokenRequests() {
        typealias Change = (inout HTTPRequestHead) -> Void
        func set(_ name: String, _ value: String?) -> Change {
            { request in
                request.headers.fields.removeAll { $0.name == name }
                if let value { request.headers.append(name, value) }
            }
        }
        func add(_ name: String, _ value: String) -> Change { { $0.headers.append(name, value) } }
        let cases: [(Change, HandshakeError, Int)] = [
            ({ $0.method = "POST" }, .wrongMethod("POST"), 405),
            ({ $0.version = .http10 }, .wrongHTTPVersion, 400),
            (set("Host", nil), .missing(.host), 400),
            (add("Host", "c"), .repeated(.host), 400),
            (set("Upgrade", nil), .missing(.upgrade), 426),
            (set("Upgrade", "h2c"), .wrong(.upgrade, value: "h2c"), 426),
            (set("Connection", nil), .missing(.connection), 400),
            (set("Connection", "close"), .wrong(.connection, value: "close"), 400),
            (set("Sec-WebSocket-Version", nil), .missing(.version), 426),
            (set("Sec-WebSocket-Version", "8"), .wrong(.version, value: "8"), 426),
            (add("Sec-WebSocket-Version", "13"), .repeated(.version), 400),
            (set("Sec-WebSocket-Key", nil), .missing(.key), 400),
            (set("Sec-WebSocket-Key", "AAAA"), .wrong(.key, value: "AAAA"), 400),
            (
                set("Sec-WebSocket-Key", "no base64 at all, sorry!"), .wrong(.key, value: "no base64 at all, sorry!"),
                400
            ),
            (add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), .repeated(.key), 400),
        ]
        for (change, error, status) in cases {
            #expect(throws: error) { try WebSocketHandshake.accept(asking(change)) }
            #expect(error.response.status == status, "\(error)")
        }
    }

    @Test("The refusal of another WebSocket version names the supported version")
    func refusalOfAnotherVersionNamesOurs() {
        let response = HandshakeError.wrong(.version, value: "8").response
        #expect(response.headers["Sec-WebSocket-Version"] == "13")
        #expect(response.headers["Upgrade"] == "websocket")
    }

    @Test("The Upgrade and Connection headers may be lists in any case")
    func listsAndCaseOfARequest() {
        let request = asking {
            $0.headers.fields.removeAll { ["Upgrade", "Connection"].contains($0.name) }
            $0.headers.append("UPGRADE", "h2c, WebSocket")
            $0.headers.append("connection", "keep-alive")
            $0.headers.append("connection", "UPGRADE")
        }
        #expect(throws: Never.self) { try WebSocketHandshake.accept(request) }
    }
}
