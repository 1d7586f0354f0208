import ChatWire
import SquallCore
import Testing

@Suite struct ChatRouteTests {
    private static let ids = [
        "stukov", "a b", "a/b", "..", ".", "...", "a?b#c", "100%", "%2F", "a+b&c=d", "Zoë ☂ \u{1F44B}",
        "{conversation}", "\u{0}\n", "messages", "~-._", "e\u{301}",
    ]

    private static let routes: [ChatRoute] =
        [.health, .agents, .conversations, .unread, .pushToken]
        + ids.flatMap { id -> [ChatRoute] in
            [
                .send(conversation: id),
                .markRead(conversation: id),
                .conversation(id),
                .upload(name: id),
                .delete(message: id),
                .media(name: id),
                .thumbnail(name: id),
                .upload(name: id, part: UploadPart(offset: 0, size: 0)),
                .upload(name: id, part: UploadPart(offset: 7, size: .max)),
                .messages(conversation: id, before: nil, after: nil, limit: 1),
                .messages(conversation: id, before: id, after: nil, limit: 50),
                .messages(conversation: id, before: nil, after: 0, limit: 50),
                .messages(conversation: id, before: id, after: .max, limit: .max),
            ]
        }

    @Test("Every route survives a round trip through a request's method and target", arguments: Spelling.allCases)
    func requestsComeBack(_ spelling: Spelling) {
        let wire = spelling.wire
        for route in Self.routes {
            let request = route.request(wire, key: "key-1")
            #expect(ChatRoute.parse(method: request.method, target: request.target, wire) == route)
        }
    }

    @Test("The sample routes contain every kind of route") func everyKindIsAmongThem() {
        #expect(Set(Self.routes.map(\.kind)) == Set(RouteKind.allCases))
        #expect(Self.routes.allSatisfy { $0.name == $0.kind.rawValue })
    }

    @Test("A target is percent-encoded and has its query in a fixed order") func targetsAreSpelledOut() {
        let wire = WireProfile()
        #expect(ChatRoute.health.target(wire) == "/health")
        #expect(ChatRoute.send(conversation: "a/b c").target(wire) == "/conversations/a%2Fb%20c/messages")
        #expect(ChatRoute.upload(name: "..").target(wire) == "/uploads/%2E%2E")
        #expect(
            ChatRoute.messages(conversation: "é", before: "m&1", after: 7, limit: 20).target(wire)
                == "/conversations/%C3%A9/messages?limit=20&before=m%261&after=7"
        )
        #expect(ChatRoute.upload(name: "x").target(Spelling.renamed.wire) == "/api/v1/upload/uploads/x")
    }

    @Test("Every request except the health probe carries the key") func requestsCarryTheKeyButTheProbeDoesNot() {
        let wire = WireProfile()
        for route in Self.routes {
            #expect(route.request(wire, key: nil).authorization == nil)
            let authorization = route.request(wire, key: "key-1").authorization
            #expect(authorization == (route == .health ? nil : "Bearer key-1"))
        }
        let body = SendBody(clientMessageID: "c-1", text: "hi").encode(wire)
        #expect(ChatRoute.send(conversation: "a").request(wire, key: "k", body: body).body == body)
    }

    @Test(
        "The key is read only from an Authorization header with the scheme Bearer",
        arguments: [
            ("Bearer key-1", "key-1"), ("bearer a b", "a b"), ("Basic key-1", nil), ("Bearer", nil), ("", nil),
            ("Bearer ", nil),
        ]
    )
    func keysInHeaders(_ value: String, _ key: String?) {
        #expect(ChatRoute.key(inAuthorization: value) == key)
    }

    @Test(
        "A request for messages with an invalid query returns the newest messages",
        arguments: [
            "/conversations/a/messages", "/conversations/a/messages?", "/conversations/a/messages?&&",
            "/conversations/a/messages?colour=red", "/conversations/%61/messages", "/conversations/a/message%73?x=/?",
        ]
    )
    func requestWithoutAQuery(_ target: String) {
        #expect(
            ChatRoute.parse(method: "GET", target: target, WireProfile())
                == .messages(conversation: "a", before: nil, after: nil, limit: ChatRoute.defaultLimit)
        )
    }

    @Test(
        "A malformed request target matches no route",
        arguments: [
            "", "/", "//", "?", "*", "health", "/Health", "/health/", "//health", "/health/x",
            "http://chat.test/health",
            "/he%61lth%", "/he%6", "/he%zzlth", "/%ff", "/health#x", "/health x", "/healthé", "/health\u{0}",
            "/conversations//messages", "/conversations/a/messages/", "/conversations/a/b/messages",
            "/conversations/%FF/messages", "/conversations/%C3/messages", "/conversations/%ED%A0%80/messages",
            "/conversations/a/messages?limit", "/conversations/a/messages?limit=", "/conversations/a/messages?limit=0",
            "/conversations/a/messages?limit=-1", "/conversations/a/messages?limit=+1",
            "/conversations/a/messages?limit=1.5", "/conversations/a/messages?limit=x",
            "/conversations/a/messages?limit=9223372036854775808", "/conversations/a/messages?limit=1&limit=2",
            "/conversations/a/messages?after=x", "/conversations/a/messages?after=-1",
            "/conversations/a/messages?after=",
            "/conversations/a/messages?after=99999999999999999999", "/conversations/a/messages?before=%",
            "/conversations/a/messages?before=%F0%28", "/conversations/a/messages?before=a#b",
            "/conversations/a/messages?before=a b", "/uploads/", "/uploads", "/ws",
        ]
    )
    func garbageHasNoRoute(_ target: String) {
        // Only GET routes have a query, so only they can have a malformed one.
        for method in target.contains("?") ? ["GET"] : ["GET", "POST", "PUT"] {
            #expect(ChatRoute.parse(method: method, target: target, WireProfile()) == nil)
        }
    }

    @Test("A known path with a wrong method matches no route") func anotherMethodHasNoRoute() {
        let wire = WireProfile()
        for method in ["get", "head", "DELETE", "", "POST "] {
            #expect(ChatRoute.parse(method: method, target: "/health", wire) == nil)
        }
        #expect(ChatRoute.parse(method: "POST", target: "/health", wire) == nil)
        #expect(ChatRoute.parse(method: "HEAD", target: "/health", wire) == .health)
        #expect(ChatRoute.parse(method: "GET", target: "/conversations/a/read", wire) == nil)
        #expect(ChatRoute.parse(method: "POST", target: "/conversations/a/messages", wire) == .send(conversation: "a"))
    }

    @Test("Random targets never trap, and every target with a route can be encoded and decoded again")
    func randomTargetsNeverTrap() {
        let pieces = [
            "/", "?", "&", "=", "%", "%2", "%41", "%C3", "%A9", "#", "+", " ", "a", "é", "health", "conversations",
            "messages", "/conversations/a/messages", "/uploads/", "limit=5", "after=", "before=", "9223372036854775807",
        ]
        var generator = Seed(11).stream("targets")
        var found = 0
        for spelling in Spelling.allCases {
            let wire = spelling.wire
            for _ in 0..<5_000 {
                var target = generator.below(2) == 0 ? "/conversations/x/messages?" : ""
                for _ in 0...generator.below(6) { target += pieces[Int(generator.below(UInt64(pieces.count)))] }
                for method in ["GET", "POST"] {
                    guard let route = ChatRoute.parse(method: method, target: target, wire) else { continue }
                    found += 1
                    #expect(ChatRoute.parse(method: method, target: route.target(wire), wire) == route)
                }
            }
        }
        #expect(found > 100)
    }

    @Test("The path of a request target decides whether the request opens the WebSocket")
    func theWebSocketIsKnownByItsPath() {
        let wire = WireProfile()
        #expect(wire.isWebSocket(target: "/ws"))
        #expect(wire.isWebSocket(target: "/ws?session=1"))
        #expect(wire.isWebSocket(target: "/%77s"))
        for target in ["/", "", "ws", "/ws/", "/wss", "/WS", "/ws%"] { #expect(!wire.isWebSocket(target: target)) }
        #expect(Spelling.renamed.wire.isWebSocket(target: "/api/socket"))
        #expect(!Spelling.renamed.wire.isWebSocket(target: "/ws"))
    }

    @Test("A response has its status, and a content type if it has a body") func answersSayWhatTheyCarry() {
        let answer = ChatResponse(.ok, body: StatusBody.ok.encode(WireProfile()))
        #expect(answer.status == 200)
        #expect(answer.header("content-type") == "application/json")
        #expect(String(decoding: answer.body, as: UTF8.self) == #"{"status":"ok"}"#)
        #expect(ChatResponse(.unavailable) == ChatResponse(status: 503))
    }
}
