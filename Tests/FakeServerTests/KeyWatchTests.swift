import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests that the server reports a client that sends its API key in anything other than the login request.
@Suite struct KeyWatchTests {
    private static let key = "key-of-the-test"

    /// Returns a server with an account for the user `anna`, identified by her key.
    private func stage() -> Stage {
        var stage = Stage()
        stage.act(.account(user: "anna", key: Self.key))
        return stage
    }

    private func places(_ stage: Stage) -> [String] {
        stage.named("server.key_exposed").compactMap { $0.fields["place"]?.stringValue }
    }

    private func logIn(_ stage: inout Stage) -> LinkID {
        let link = stage.open()
        stage.say(.connect(.init(key: Self.key)), on: link)
        return link
    }

    @Test("A key in the connect frame or the Authorization header is not reported as leaked") func properPlaces() throws
    {
        var stage = stage()
        let link = logIn(&stage)
        stage.say(.send("c-1"), on: link)
        stage.say(.ping(id: "p-1"), on: link)
        _ = try stage.fetch(.conversations, key: Self.key)
        #expect(stage.named("server.received.ping").count == 1)
        #expect(places(stage).isEmpty)
    }

    @Test(
        "A key in any frame except connect is reported as leaked",
        arguments: [
            ClientFrame.ping(id: "p-\(key)"), .messageAck(id: key), .send("c-1", "my key is \(key)"),
            .executeCommand(text: "export KEY=\(key)"),
        ]
    ) func frames(_ frame: ClientFrame) {
        var stage = stage()
        let link = logIn(&stage)
        stage.say(frame, on: link)
        #expect(places(stage) == ["frame"])
    }

    @Test("A key in the URL of the WebSocket is reported as leaked") func target() {
        var stage = stage()
        _ = stage.open(query: "?api_key=\(Self.key)")
        #expect(places(stage) == ["target"])
    }

    @Test("A key in a body, or in the header of a request that needs no key, is reported as leaked")
    func bodyAndHeader() throws {
        var stage = stage()
        _ = try stage.fetch(.send(conversation: "stukov"), key: Self.key, body: Array("{\"key\":\"\(Self.key)\"}".utf8))
        #expect(places(stage) == ["body"])
        let head = HTTPRequestHead(
            method: "GET",
            target: ChatRoute.health.request(stage.wire, key: nil, body: []).target,
            headers: ["Host": "chat.test", "Authorization": ChatRoute.authorization(Self.key)]
        )
        stage.send(head.encode(), on: stage.dial("anna"))
        #expect(places(stage) == ["body", "header authorization"])
    }

    @Test(
        "A leak of the key that all clients share is reported too, but not if the key is short",
        arguments: [("key-1", []), ("key-of-all", ["frame"])]
    )
    func sharedKey(_ key: String, _ found: [String]) {
        var stage = Stage { $0.auth.key = key }
        let link = stage.open()
        stage.say(.connect(.init(key: key)), on: link)
        stage.say(.ping(id: "p-\(key)"), on: link)
        #expect(places(stage) == found)
    }
}
