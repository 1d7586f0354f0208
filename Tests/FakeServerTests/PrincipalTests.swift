import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

/// Tests which user a request or a connection belongs to, as determined by its key.
@Suite struct PrincipalTests {
    private func stage() throws -> Stage {
        var stage = Stage { $0.presence.announced = true }
        try stage.act("account", [("user", .text("zoe")), ("key", .text("key-of-zoe"))])
        return stage
    }

    private func join(_ client: String, key: String, _ stage: inout Stage) -> LinkID {
        let id = stage.open(client)
        stage.say(.connect(.init(key: key)), on: id)
        return id
    }

    private func presences(_ frames: [ServerFrame]) -> [String] {
        frames.compactMap {
            if case .presence(let user, let status, _, _, _) = $0 { "\(user) \(status.rawValue)" } else { nil }
        }
    }

    @Test(
        "A request with another user's key does not change the user of a connection",
        arguments: [ChatRoute.unread, .health]
    )
    func aRequestWithAnotherKeyDoesNotChangeWhoAConnectionIs(_ route: ChatRoute) throws {
        var stage = try stage()
        let anna = stage.join("anna")
        _ = try stage.fetch(route, of: "anna", key: "key-of-zoe")
        stage.say(.send("c1"), on: anna)
        #expect(stage.named("server.stored").map { $0.fields["sender"] } == ["anna"])
    }

    @Test("A late request with the old key does not change the user of a connection")
    func aLateRequestWithTheOldKeyDoesNotChangeWhoAConnectionIs() throws {
        var stage = try stage()
        let zoe = join("anna", key: "key-of-zoe", &stage)
        #expect(try stage.session(zoe).user == "zoe")
        _ = try stage.fetch(.unread, of: "anna", key: "key-1")
        stage.say(.send("c1"), on: zoe)
        // The second message is a duplicate of the first, so the server must not store it again for another user.
        stage.say(.send("c1"), on: zoe)
        #expect(stage.named("server.stored").map { $0.fields["sender"] } == ["zoe"])
    }

    @Test("A request is processed for the user who owns its key") func aRequestIsOfTheUserWhoseKeyItCarries() throws {
        var stage = try stage()
        _ = stage.join("anna")
        let body = PushRegistration(token: "phone-1").encode(stage.wire)
        _ = try stage.fetch(.pushToken, of: "anna", key: "key-of-zoe", body: body)
        #expect(stage.named("server.push_token.saved").map { $0.fields["user"] } == ["zoe"])
    }

    @Test("A wrong key on a route that needs no key does not change the user of a connection")
    func aWrongKeyChangesNothing() throws {
        var stage = try stage()
        let zoe = join("anna", key: "key-of-zoe", &stage)
        _ = try stage.fetch(.health, of: "anna", key: "wrong")
        stage.say(.send("c1"), on: zoe)
        #expect(stage.named("server.stored").map { $0.fields["sender"] } == ["zoe"])
    }

    @Test("The user announced as offline is the user of the connection that ended")
    func goingOfflineNamesTheUserOfTheConnection() throws {
        var stage = try stage()
        let ben = stage.join("ben")
        let anna = stage.join("anna")
        let other = join("anna", key: "key-of-zoe", &stage)
        #expect(presences(stage.frames(ben)) == ["anna online", "zoe online"])
        stage.hangUp(anna)
        #expect(presences(stage.frames(ben)) == ["anna offline"])
        stage.hangUp(other)
        #expect(presences(stage.frames(ben)) == ["zoe offline"])
    }
}
