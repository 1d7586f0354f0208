import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

/// Whose key it was: of each request, and of each connection.
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

    @Test(arguments: [ChatRoute.unread, .health])
    func aRequestWithAnotherKeyDoesNotChangeWhoAConnectionIs(_ route: ChatRoute) throws {
        var stage = try stage()
        let anna = stage.join("anna")
        _ = try stage.fetch(route, of: "anna", key: "key-of-zoe")
        stage.say(.send("c1"), on: anna)
        #expect(stage.named("server.stored").map { $0.fields["sender"] } == ["anna"])
    }

    @Test func aLateRequestWithTheOldKeyDoesNotChangeWhoAConnectionIs() throws {
        var stage = try stage()
        let zoe = join("anna", key: "key-of-zoe", &stage)
        #expect(try stage.session(zoe).user == "zoe")
        _ = try stage.fetch(.unread, of: "anna", key: "key-1")
        stage.say(.send("c1"), on: zoe)
        // The same message again is the same user's.
        stage.say(.send("c1"), on: zoe)
        #expect(stage.named("server.stored").map { $0.fields["sender"] } == ["zoe"])
    }

    @Test func aRequestIsOfTheUserWhoseKeyItCarries() throws {
        var stage = try stage()
        _ = stage.join("anna")
        let body = PushRegistration(token: "phone-1").encode(stage.wire)
        _ = try stage.fetch(.pushToken, of: "anna", key: "key-of-zoe", body: body)
        #expect(stage.named("server.push_token.saved").map { $0.fields["user"] } == ["zoe"])
    }

    @Test func aWrongKeyIsNobodysEvenWhereNoneIsAskedFor() throws {
        var stage = try stage()
        let zoe = join("anna", key: "key-of-zoe", &stage)
        _ = try stage.fetch(.health, of: "anna", key: "wrong")
        stage.say(.send("c1"), on: zoe)
        #expect(stage.named("server.stored").map { $0.fields["sender"] } == ["zoe"])
    }

    @Test func theOneWhoCameIsTheOneWhoLeaves() throws {
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
