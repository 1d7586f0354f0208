import ChatWire
import SquallCore
import Testing

/// Tests what templates can express beyond one JSON value per message: terminators, JSON within a string, absent
/// members, and HTTP requests.
@Suite struct FramingTests {
    private static let base: JSON = [
        "client": [
            "connect": ["frame": ["do": "login", "key": "{api_key}"]],
            "ping": "none", "pong": "none", "message_ack": "none", "sync": "none", "read_receipt": "none",
            "typing": "none",
            "send": ["frame": ["do": "say", "data": ["$json": ["to": "{conversation_id}", "text": "{text}"]]]],
        ],
        "server": [
            "hello": "none", "ping": "none", "pong": "none", "replay": "none", "read_receipt": "none",
            "typing": "none", "token": "none", "presence": "none", "draining": "none", "auth_error": "none",
            "connected": [
                "frame": ["on": "in", "s": "{session_id}", "r": "{resumed}", "l": "{last_seq}", "why": "{$absent}"]
            ],
            "error": ["frame": ["on": "in", "why": "{message}", "code": "{code}"]],
            "confirm": [
                "frame": ["on": "ack", "id": "{message_id}", "key": "{client_message_id}", "seq": "{seq}"],
                "assume": ["duplicate": false, "timestamp": 0],
            ],
            "message": [
                "frame": [
                    "on": "said", "id": "{message_id}", "to": "{conversation_id}", "by": "{sender_id}",
                    "seq": "{seq}", "at": "{timestamp as milliseconds}", "text": "{text}",
                ]
            ],
        ],
    ]

    private static func wire(_ changes: [String: JSON] = [:]) throws -> WireProfile {
        var wire = WireProfile()
        wire.frames = try map(changes).get()
        return wire
    }

    private static func map(_ changes: [String: JSON]) -> Result<FrameMap, TemplateMistakeList> {
        var value = base
        for (name, change) in changes { value.set(name, to: change) }
        return FrameMap.read(value)
    }

    private static func mistakes(_ changes: [String: JSON]) -> [String] {
        switch map(changes) {
        case .success: []
        case .failure(let list): list.mistakes.map(\.message)
        }
    }

    private static func text(_ bytes: [UInt8]?) throws -> String {
        String(decoding: try #require(bytes), as: UTF8.self)
    }

    // MARK: - Terminators

    @Test("Every encoded frame ends with the terminator, and a frame without the terminator is malformed")
    func everyFrameIsTerminated() throws {
        let wire = try Self.wire(["terminator": "\u{1e}"])
        var (client, server) = (WireDialogue(), WireDialogue())
        let login = try Self.text(ClientFrame.connect(.init(key: "k")).encode(wire, in: &client))
        #expect(login == #"{"do":"login","key":"k"}"# + "\u{1e}")
        #expect(ClientFrame.decode(login, wire, in: &server) == .frame(.connect(.init(key: "k"))))
        let cut = String(login.dropLast())
        #expect(
            ClientFrame.decode(cut, wire, in: &server) == .malformed("the frame does not end with the terminator")
        )
    }

    @Test(
        "A WebSocket message is split into frames after each terminator",
        arguments: ["", "a", "a|", "a|b", "a|b|", "|", "||", "|a", "{\"a\":\"Zoë\"}|{}|"]
    )
    func messagesAreDivided(_ shown: String) throws {
        let wire = try Self.wire(["terminator": "\u{1e}"])
        let message = shown.replacing("|", with: "\u{1e}")
        let frames = wire.frames(in: message)
        #expect(frames.joined() == message)
        #expect(!frames.isEmpty)
        // Every frame except the last must end with a terminator, and no frame may contain one before its end.
        #expect(frames.dropLast().allSatisfy { $0.hasSuffix("\u{1e}") })
        #expect(frames.allSatisfy { !$0.dropLast().contains("\u{1e}") })
        #expect(try Self.wire().frames(in: message) == [message])
    }

    @Test("A terminator that can occur inside JSON is rejected", arguments: ["", "x", "\u{1e}}", "     "])
    func terminatorsAreControlCharacters(_ text: String) {
        #expect(Self.mistakes(["terminator": .string(text)]).count == 1)
    }

    // MARK: - JSON within a string, and absent members

    @Test("JSON inside a text frame is encoded and decoded, and the same text without JSON is another frame")
    func jsonWithinAText() throws {
        let wire = try Self.wire()
        var (client, server) = (WireDialogue(), WireDialogue())
        let send = ClientFrame.send(.init(clientMessageID: nil, conversation: "stukov", text: "say \"hi\""))
        let written = try Self.text(send.encode(wire, in: &client))
        #expect(written == #"{"do":"say","data":"{\"to\":\"stukov\",\"text\":\"say \\\"hi\\\"\"}"}"#)
        #expect(ClientFrame.decode(written, wire, in: &server) == .frame(send))
        for wrong in [#""{\"to\":""#, #"{"to":"stukov","text":"a"}"#, "7", "null"] {
            guard case .unknownType = ClientFrame.decode(#"{"do":"say","data":\#(wrong)}"#, wire, in: &server) else {
                Issue.record("\(wrong) was read")
                continue
            }
        }
    }

    @Test("A template with an absent member matches only frames without that member and never writes it")
    func absentMembers() throws {
        let wire = try Self.wire()
        var (client, server) = (WireDialogue(), WireDialogue())
        let connected = ServerFrame.connected(.init(session: "s", resumed: false, lastSequence: 1))
        let written = try Self.text(connected.encode(wire, in: &server))
        #expect(written == #"{"on":"in","s":"s","r":false,"l":1}"#)
        #expect(ServerFrame.decode(written, wire, in: &client) == .frame(connected))
        #expect(
            ServerFrame.decode(#"{"on":"in","s":"s","r":false,"l":1,"why":"no","code":"x"}"#, wire, in: &client)
                == .frame(.error(.init(code: .init("x"), message: "no")))
        )
    }

    @Test("'$json' must be the only member of its object in a template")
    func encodedStandsAlone() {
        let told = Self.mistakes(["extras": ["more": ["frame": ["data": ["$json": ["a": 1], "b": 2]]]]])
        #expect(told == ["'$json' must be the only member"])
    }

    // MARK: - HTTP requests

    @Test("A request template is found by method and path, and its response contains the host and the key")
    func requestsAreAnswered() throws {
        let open: JSON = [
            "method": "POST", "path": "/api/open", "key": "bearer",
            "answer": ["ok": true, "url": "ws://{$host}/link?key={$key}", "more": ["{$key}{$host}"]],
        ]
        let frames = try #require(try Self.wire(["http": ["open": open]]).frames)
        let request = try #require(frames.request(method: "POST", target: "/api/open?v=1"))
        #expect(request.name == "open" && !request.sends)
        #expect(request.key(inAuthorization: "Bearer k") == "k")
        #expect(request.key(inAuthorization: "Bot k") == nil)
        #expect(
            request.answer(host: "h:1", key: "k-{$host}")
                == Array(#"{"ok":true,"url":"ws://h:1/link?key=k-{$host}","more":["k-{$host}h:1"]}"#.utf8)
        )
        #expect(frames.request(method: "GET", target: "/api/open") == nil)
        #expect(frames.request(method: "POST", target: "/api/open/") == nil)
    }

    @Test(
        "An invalid request template is reported with the mistake",
        arguments: [
            (#"{"path":"/a","answer":{}}"#, "a request needs a 'method'"),
            (#"{"method":"BREW","path":"/a","answer":{}}"#, "a request needs a 'method'"),
            (#"{"method":"GET","answer":{}}"#, "the request's 'path' does not begin with a slash"),
            (#"{"method":"GET","path":"/a"}"#, "a request needs an 'answer', a mapping or a list"),
            (#"{"method":"GET","path":"/a","answer":{"a":"{$port}"}}"#, "'{$port}' is not a placeholder of an answer"),
            (
                #"{"method":"GET","path":"/a","answer":{},"key":1}"#,
                "'key' must be the scheme of the Authorization header, such as Bearer"
            ),
            (#"{"method":"GET","path":"/a","answer":{},"body":{}}"#, "unknown key 'body' in a request"),
        ]
    )
    func wrongRequests(_ request: String, _ mistake: String) throws {
        #expect(Self.mistakes(["http": ["open": try JSON.decode(request)]]) == [mistake])
    }

    // MARK: - Extra frames before the login

    @Test("An extra frame after 'opened' is answered before the login, an extra frame after 'connected' is not")
    func extrasBeforeTheLogin() throws {
        let wire = try Self.wire([
            "extras": [
                "handshake": ["frame": ["do": 1], "replies": [["text": "{{}}"]], "after": "opened"],
                "subscribe": ["frame": ["do": 2], "after": "connected"],
            ]
        ])
        var (client, server) = (WireDialogue(), WireDialogue())
        let frames = try #require(wire.frames)
        #expect(frames.extras(after: .opened, in: &client) == [Array(#"{"do":1}"#.utf8)])
        #expect(frames.extras(after: .connected, in: &client) == [Array(#"{"do":2}"#.utf8)])
        _ = ClientFrame.decode(#"{"do":1}"#, wire, in: &server)
        #expect(server.extra == ReceivedExtra(name: "handshake", replies: [Array("{}".utf8)], precedesLogin: true))
        _ = ClientFrame.decode(#"{"do":2}"#, wire, in: &server)
        #expect(server.extra?.precedesLogin == false)
        #expect(
            Self.mistakes(["extras": ["a": ["frame": ["v": 1], "after": "never"]]])
                == ["'after' of an extra must be 'opened' or 'connected'"]
        )
    }

    // MARK: - Messages over HTTP, and login in the URL

    private static let byHTTP: [String: JSON] = {
        var client = base["client"] ?? .null
        client.set("connect", to: ["query": "ticket"])
        client.set("send", to: "none")
        var server = base["server"] ?? .null
        server.set("confirm", to: "none")
        let post: JSON = [
            "method": "POST", "path": "/post",
            "send": ["frame": ["text": "{text}", "key": "{client_message_id?}"], "assume": ["conversation_id": "a"]],
            "answer": ["id": "{message_id}", "text": "{text of send}", "room": "{conversation_id of send}"],
        ]
        return ["client": client, "server": server, "http": ["post": post]]
    }()

    @Test("A message is read from the body of an HTTP request, and the response repeats its fields")
    func messagesByHTTP() throws {
        let request = try #require(
            try Self.wire(Self.byHTTP).frames?.request(method: "POST", target: "/post")
        )
        let message = try request.message(in: Array(#"{"text":"hi","key":"c-1","more":1}"#.utf8), target: "/post")
        #expect(message == .init(clientMessageID: "c-1", conversation: "a", text: "hi"))
        let stored = ServerFrame.Confirmation(
            clientMessageID: "c-1",
            messageID: "m-1",
            sequence: 1,
            timestamp: 0,
            duplicate: false
        )
        let answer = String(decoding: request.answer(to: message, stored), as: UTF8.self)
        #expect(answer == #"{"id":"m-1","text":"hi","room":"a"}"#)
        for wrong in ["", "[]", #"{"key":"c-1"}"#, #"{"text":7}"#, #"{"text":null}"#] {
            #expect(throws: Malformed.self) { try request.message(in: Array(wrong.utf8), target: "/post") }
        }
    }

    @Test("A login by URL carries the key in the query, percent-encoded where necessary")
    func logsInByAddress() throws {
        let frames = try #require(try Self.wire(Self.byHTTP).frames)
        for key in ["key-1", "a b&c=d?e%f#", "Zoë"] {
            let target = try #require(frames.target("/link", key: key))
            #expect(frames.key(inTarget: target) == key, "\(target)")
        }
        #expect(frames.key(inTarget: "/link?ticket=a&ticket=b") == nil)
        #expect(frames.key(inTarget: "/link?tickets=a") == nil)
        #expect(frames.key(inTarget: "/link") == nil)
        #expect(try Self.wire().frames?.target("/link", key: "k") == nil)
    }

    @Test("A profile without an HTTP request that sends messages needs the frames 'send' and 'confirm'")
    func sendIsNeeded() {
        var changes = Self.byHTTP
        changes["http"] = ["get": ["method": "GET", "path": "/get", "answer": [:]]]
        #expect(
            Self.mistakes(changes) == [
                "the client's 'send' is required and cannot be 'none'",
                "the server's 'confirm' is required and cannot be 'none'",
            ]
        )
        changes["http"] = Self.byHTTP["http"]
        changes["client"] = Self.base["client"]
        #expect(Self.mistakes(changes) == ["the client's 'send' needs the server's 'confirm'"])
    }
}
