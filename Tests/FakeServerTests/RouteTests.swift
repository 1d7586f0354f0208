import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

@Suite struct RouteTests {
    private static let keyed: [ChatRoute] = [
        .agents, .conversations, .messages(conversation: "stukov", before: nil, after: nil, limit: 50),
        .send(conversation: "stukov"), .markRead(conversation: "stukov"), .unread, .upload(name: "a.jpg"), .pushToken,
        .conversation("stukov"),
    ]

    @Test("The health route needs no key") func healthNeedsNoKey() throws {
        var stage = Stage()
        let id = stage.request(.health, key: nil)
        let response = try #require(stage.response(id))
        #expect(response.status == 200)
        #expect(response.header("connection") == "close")
        #expect(response.header("content-type") == "application/json")
        #expect(try StatusBody.decode(response.body, stage.wire) == .ok)
        #expect(stage.end(id) == .fin)
        #expect(
            stage.notes.map(\.name) == [
                "server.accepted", "server.requested.health", "server.answered.health", "server.closed",
            ]
        )
    }

    @Test("Every other route requires the key", arguments: keyed, [nil, "key-2", "", "key-1x"])
    func theRestNeedsTheRightKey(_ route: ChatRoute, _ key: String?) throws {
        var stage = Stage()
        let response = try stage.fetch(route, key: key, body: Array("{}".utf8))
        #expect(response.status == 401)
        #expect(try ServerFrame.ServerError.decode(response.body, stage.wire).code == .notAuthenticated)
        #expect(stage.notes.map(\.name).contains("server.answered.\(route.name)"))
    }

    @Test("With auth off, HTTP requests except the health probe are refused too") func noKeyIsAccepted() throws {
        var stage = Stage()
        try stage.act("auth", [("accept", .flag(false))])
        #expect(try stage.fetch(.unread).status == 401)
        #expect(try stage.fetch(.health).status == 200)
    }

    @Test("Agents and conversations are listed with status and unread count") func agentsAndConversations() throws {
        var stage = Stage(history: [.init(conversation: "stukov", count: 2), .init(conversation: "kerrigan", count: 1)])
        try stage.act("presence", [("user", .text("kerrigan")), ("status", .text("busy"))])
        let agents = try AgentList.decode(stage.fetch(.agents).body, stage.wire).agents
        #expect(agents.map(\.conversation) == ["stukov", "kerrigan"])
        #expect(agents.map(\.status) == [.online, .busy])
        let list = try ConversationList.decode(stage.fetch(.conversations).body, stage.wire).conversations
        #expect(list.map(\.id) == ["kerrigan", "stukov"])
        #expect(list.map(\.unread) == [1, 2])
        #expect(list.map { $0.lastMessage?.sequence } == [3, 2])
    }

    @Test("An agent added by the action 'introduce' is listed with its details")
    func introducedAgentsAreListed() throws {
        var stage = Stage(history: [.init(conversation: "kerrigan", count: 1), .init(conversation: "stukov", count: 1)])
        func agents() throws -> [Agent] { try AgentList.decode(stage.fetch(.agents).body, stage.wire).agents }
        try stage.act(
            "introduce",
            [
                ("id", .text("stukov")), ("name", .text("Alexei Stukov")), ("status", .text("idle")),
                ("about", .text("Adjutant")), ("last_seen", .duration(.seconds(60))),
            ]
        )
        try stage.act("introduce", [("id", .text("raynor"))])
        let epoch = ServerProfile().clock.epoch
        #expect(
            try agents() == [
                Agent(
                    user: "stukov",
                    conversation: "stukov",
                    name: "Alexei Stukov",
                    status: .idle,
                    lastSeen: epoch - 60_000,
                    about: "Adjutant"
                ),
                Agent(user: "raynor", conversation: "raynor", name: "raynor", status: .online),
                Agent(user: "kerrigan", conversation: "kerrigan", name: "kerrigan", status: .online),
            ]
        )
        // If a user is introduced more than once, the last introduction applies, but a status set by `presence`
        // overrides the status in any introduction.
        try stage.act("introduce", [("id", .text("stukov"))])
        try stage.act("presence", [("user", .text("stukov")), ("status", .text("busy"))])
        #expect(try agents()[0] == Agent(user: "stukov", conversation: "stukov", name: "stukov", status: .busy))
    }

    @Test("A conversation can be fetched page by page in both directions") func pagesOfAConversation() throws {
        var stage = Stage { $0.page.size = 3 }
        stage.act(.history(.init(conversation: "stukov", count: 7)))
        stage.act(.history(.init(conversation: "other", count: 1)))
        func page(_ before: String? = nil, _ after: Int64? = nil, limit: Int = 50) throws -> MessagePage {
            let route = ChatRoute.messages(conversation: "stukov", before: before, after: after, limit: limit)
            return try MessagePage.decode(stage.fetch(route).body, stage.wire)
        }
        let newest = try page()
        #expect(newest.messages.map(\.sequence) == [5, 6, 7])
        #expect(newest.hasMore)
        let older = try page(newest.messages.first?.id)
        #expect(older.messages.map(\.sequence) == [2, 3, 4])
        #expect(older.hasMore)
        let oldest = try page(older.messages.first?.id)
        #expect(oldest.messages.map(\.sequence) == [1])
        #expect(!oldest.hasMore)
        #expect(try page(oldest.messages.first?.id) == MessagePage(messages: [], hasMore: false))

        let next = try page(nil, 2)
        #expect(next.messages.map(\.sequence) == [3, 4, 5])
        #expect(next.hasMore)
        #expect(try page(nil, 5).messages.map(\.sequence) == [6, 7])
        #expect(try !page(nil, 5).hasMore)
        #expect(try page(nil, .max).messages.isEmpty)
        #expect(try page(limit: 1).messages.map(\.sequence) == [7])
        #expect(try page(limit: .max).messages.count == 3)
    }

    @Test("A page that contains all messages reports that there are no more") func aPageExactlyFullHasNoMore() throws {
        var stage = Stage(history: [.init(conversation: "stukov", count: 50)])
        let route = ChatRoute.messages(conversation: "stukov", before: nil, after: nil, limit: 50)
        let page = try MessagePage.decode(stage.fetch(route).body, stage.wire)
        #expect(page.messages.count == 50)
        #expect(!page.hasMore)
    }

    @Test("A request for an unknown conversation returns no messages, and an unknown message is not found")
    func unknownConversation() throws {
        var stage = Stage(history: [.init(conversation: "stukov", count: 1)])
        let empty = ChatRoute.messages(conversation: "missing", before: nil, after: nil, limit: 50)
        #expect(try MessagePage.decode(stage.fetch(empty).body, stage.wire).messages.isEmpty)
        for (conversation, message) in [("stukov", "m9"), ("missing", "m1-000001")] {
            let route = ChatRoute.messages(conversation: conversation, before: message, after: nil, limit: 50)
            #expect(try stage.fetch(route).status == 404)
        }
    }

    @Test("Messages created as history have timestamps before the start of the run")
    func aHistoryIsOlderThanTheRun() throws {
        var stage = Stage(history: [.init(conversation: "stukov", count: 3, age: .seconds(60))])
        let route = ChatRoute.messages(conversation: "stukov", before: nil, after: nil, limit: 50)
        let page = try MessagePage.decode(stage.fetch(route).body, stage.wire)
        let epoch: Int64 = 1_767_225_600_000
        #expect(page.messages.map(\.timestamp) == [epoch - 62_000, epoch - 61_000, epoch - 60_000])
        #expect(stage.named("server.stored").isEmpty)
    }

    @Test("A message sent over HTTP is stored once, even if the request is repeated") func aSendIsStoredOnce() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        let ben = stage.join("ben")
        let body = SendBody(clientMessageID: "c1", text: "hello").encode(stage.wire)
        let first = try stage.fetch(.send(conversation: "stukov"), body: body)
        let second = try stage.fetch(.send(conversation: "stukov"), body: body)
        #expect([first.status, second.status] == [201, 200])
        let confirmations = try [first, second].map { try ServerFrame.Confirmation.decode($0.body, stage.wire) }
        #expect(confirmations.map(\.duplicate) == [false, true])
        #expect(Set(confirmations.map(\.messageID)).count == 1)
        #expect(stage.frames(ben).messages.map(\.sender) == ["anna"])
        #expect(stage.frames(anna).isEmpty)
    }

    @Test(
        "A request to send a message with a malformed body is refused",
        arguments: ["", "{", "[]", "{}", #"{"text":1}"#]
    )
    func aSendThatCannotBeReadIsBad(_ body: String) throws {
        var stage = Stage()
        let response = try stage.fetch(.send(conversation: "stukov"), body: Array(body.utf8))
        #expect(response.status == 400)
        #expect(try ServerFrame.ServerError.decode(response.body, stage.wire).code == .malformed)
        #expect(stage.named("server.stored").isEmpty)
    }

    @Test("Unread counts are kept per user and reset when the messages are read") func readingCounts() throws {
        var stage = Stage()
        let ben = stage.join("ben")
        stage.act(.post(.init(to: "stukov", count: 3)))
        stage.act(.post(.init(to: "kerrigan", count: 1)))
        stage.say(.send("c1"), on: ben)
        _ = stage.frames(ben)
        func counts(_ client: String) throws -> [Int64] {
            try UnreadCounts.decode(stage.fetch(.unread, of: client).body, stage.wire).counts.map(\.unread)
        }
        #expect(try counts("anna") == [4, 1])
        // A user's own messages do not count as unread.
        #expect(try counts("ben") == [3, 1])
        let response = try stage.fetch(.markRead(conversation: "stukov"))
        let count = try UnreadCount.decode(response.body, stage.wire)
        #expect(count == UnreadCount(conversation: "stukov", unread: 0, sequence: 5))
        #expect(try counts("anna") == [0, 1])
        #expect(try counts("ben") == [3, 1])
        #expect(
            stage.frames(ben) == [.readReceipt(conversation: "stukov", messageID: "m1-000005", reader: "anna")]
        )
        stage.act(.post(.init(to: "stukov")))
        #expect(try counts("anna") == [1, 1])
    }

    @Test("A read receipt marks all messages up to the named one as read") func receipt() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov", count: 3)))
        func unread() throws -> Int64? {
            try UnreadCounts.decode(stage.fetch(.unread).body, stage.wire).counts.first?.unread
        }
        stage.say(.readReceipt(conversation: "stukov", messageID: "m1-000002"), on: anna)
        #expect(try unread() == 1)
        // A receipt for an older or an unknown message has no effect.
        stage.say(.readReceipt(conversation: "stukov", messageID: "m1-000001"), on: anna)
        stage.say(.readReceipt(conversation: "kerrigan", messageID: "m1-000003"), on: anna)
        stage.say(.readReceipt(conversation: "stukov", messageID: "m7"), on: anna)
        #expect(try unread() == 1)
    }

    @Test("An upload is stored") func uploadsAreStored() throws {
        var stage = Stage()
        let file = Array(repeating: UInt8(7), count: 5000)
        #expect(try stage.fetch(.upload(name: "a b.jpg"), body: file).status == 201)
        #expect(try stage.fetch(.upload(name: "a b.jpg"), body: file).status == 200)
        #expect(stage.named("server.uploaded").map(\.fields).first == ["name": "a b.jpg", "bytes": 5000])
    }

    @Test("A request body above the limit is refused") func bodyLimit() throws {
        var stage = Stage { $0.maxMessageSize = 1000 }
        let response = try stage.fetch(.upload(name: "a"), body: Array(repeating: 0, count: 1001))
        #expect(response.status == 413)
        #expect(try ServerFrame.ServerError.decode(response.body, stage.wire).code == .tooLarge)
        #expect(try stage.fetch(.upload(name: "a"), body: Array(repeating: 0, count: 1000)).status == 201)
    }

    @Test("A push token is registered and removed") func pushToken() throws {
        var stage = Stage()
        for token in ["t", nil] {
            let body = PushRegistration(token: token).encode(stage.wire)
            #expect(try stage.fetch(.pushToken, body: body).status == 200)
        }
        #expect(try stage.fetch(.pushToken, body: [0x7B]).status == 400)
        #expect(!stage.notes.contains { $0.fields.description.contains(#""t""#) })
    }

    @Test(
        "An unknown request target is answered with not found",
        arguments: [
            "GET /nowhere", "DELETE /health", "GET /conversations/x/y", "GET /conversations/%zz/messages", "GET *",
        ]
    )
    func unknownTarget(_ line: String) throws {
        var stage = Stage()
        let id = stage.dial("anna")
        stage.send(Array("\(line) HTTP/1.1\r\nHost: h\r\n\r\n".utf8), on: id)
        #expect(stage.response(id)?.status == 404)
        #expect(stage.end(id) == .fin)
    }

    /// RFC 9110 section 9.3.2: the response has the header fields of the GET response, including its length, but no
    /// body.
    @Test("A response to HEAD has no body", arguments: ["/health", "/nowhere", "/agents"]) func head(_ path: String)
        throws
    {
        func answer(to method: String) -> (head: Substring, body: Int) {
            var stage = Stage()
            let id = stage.dial("anna")
            stage.send(Array("\(method) \(path) HTTP/1.1\r\nHost: h\r\n\r\n".utf8), on: id)
            let text = String(decoding: stage.written, as: UTF8.self)
            let head = text.split(separator: "\r\n\r\n", maxSplits: 1)[0]
            return (head, text.utf8.count - head.utf8.count - 4)
        }
        let (get, head) = (answer(to: "GET"), answer(to: "HEAD"))
        #expect(head.head == get.head)
        #expect(get.body > 0 && head.body == 0)
    }

    /// RFC 9112 section 3.2.2: a server must accept a target in absolute form and use its host.
    @Test("A request target in absolute form is accepted") func absoluteForm() throws {
        for target in ["http://h/health", "HTTP://h:80/health?x=1"] {
            var stage = Stage()
            let id = stage.dial("anna")
            stage.send(Array("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n".utf8), on: id)
            #expect(stage.response(id)?.status == 200, "\(target)")
        }
        let head = HTTPRequestHead(method: "GET", target: "ws://one:81?x", headers: ["Host": "two"])
        #expect((head.path, head.host) == ("/?x", "one:81"))
        let plain = HTTPRequestHead(method: "GET", target: "/a?b=http://c/d", headers: ["Host": "two"])
        #expect((plain.path, plain.host) == ("/a?b=http://c/d", "two"))
    }

    @Test("Expect: 100-continue is answered with 100") func expectContinue() throws {
        var stage = Stage()
        let id = stage.dial("anna")
        let head = """
            POST /uploads/a HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer key-1\r\nExpect: 100-continue\r
            Content-Length: 3\r\n\r\n
            """
        stage.send(Array(head.utf8), on: id)
        #expect(stage.written == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        stage.send([1, 2, 3], on: id)
        #expect(stage.response(id)?.status == 201)
    }

    // MARK: The opening handshake

    @Test(
        "A malformed opening handshake is refused",
        arguments: [
            ("POST /ws", "Upgrade: websocket\r\nConnection: Upgrade", 405),
            ("GET /ws", "Connection: close", 426),
            ("GET /ws", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8", 426),
            ("GET /ws", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13", 400),
        ]
    )
    func badHandshake(_ line: String, _ headers: String, _ status: Int) {
        var stage = Stage()
        let id = stage.dial("anna")
        stage.send(Array("\(line) HTTP/1.1\r\nHost: h\r\n\(headers)\r\n\r\n".utf8), on: id)
        #expect(stage.response(id)?.status == status)
        #expect(stage.end(id) == .fin)
        #expect(stage.named("server.protocol_error").count == 1)
    }

    @Test("A request is accepted even if it arrives byte by byte") func requestsMayComeByteByByte() throws {
        var stage = Stage()
        let id = stage.dial("anna")
        let body = SendBody(clientMessageID: "c1", text: "hello").encode(stage.wire)
        let head = "POST /conversations/stukov/messages HTTP/1.1\r\nHost: h\r\nauthorization: bearer key-1\r\n"
        for byte in Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body { stage.send([byte], on: id) }
        #expect(stage.response(id)?.status == 201)
    }
}
