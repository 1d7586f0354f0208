import ChatWire
import SquallCore
import Testing

@testable import FakeServer

/// Tests accounts, devices and push notifications.
@Suite struct PushTests {
    /// Returns a server on which every user has their own key, such as `key-of-anna`.
    private func stage(_ users: String...) throws -> Stage {
        var stage = Stage()
        for user in users {
            try stage.act("account", [("user", .text(user)), ("key", .text("key-of-\(user)"))])
        }
        return stage
    }

    private func register(_ token: String?, as user: String, on stage: inout Stage) throws {
        let body = PushRegistration(token: token).encode(stage.wire)
        #expect(try stage.fetch(.pushToken, key: "key-of-\(user)", body: body).status == 200)
    }

    private func changes(_ stage: Stage) -> [String] {
        stage.notes.filter { $0.name.hasPrefix("server.push_token.") }.map {
            "\($0.name.split(separator: ".").last ?? "") \($0.fields["user"]?.stringValue ?? "?")"
        }
    }

    @Test("The key of an account authenticates the user of that account") func anAccountsKeyLetsInAsThatUser() throws {
        var stage = try stage("anna")
        try register("t1", as: "anna", on: &stage)
        #expect(changes(stage) == ["saved anna"])
        #expect(try stage.fetch(.unread, key: "key-of-ben").status == 401)
    }

    @Test("A push token belongs to the last user who registered it") func aDeviceIsOneUsers() throws {
        var stage = try stage("anna", "ben")
        try register("t1", as: "anna", on: &stage)
        try register("t1", as: "ben", on: &stage)
        #expect(changes(stage) == ["saved anna", "removed anna", "saved ben"])
        try stage.act("push", [("to", .text("stukov")), ("for", .text("anna"))])
        #expect(stage.pushed.isEmpty)
        #expect(stage.notes.last?.name == "server.push_undeliverable")
        try stage.act("push", [("to", .text("stukov")), ("for", .text("ben"))])
        #expect(stage.pushed.map(\.token) == ["t1"])
    }

    @Test("Removing a push token twice is reported once") func aTokenIsRemovedOnce() throws {
        var stage = try stage("anna")
        try register("t1", as: "anna", on: &stage)
        try register(nil, as: "anna", on: &stage)
        try register(nil, as: "anna", on: &stage)
        #expect(changes(stage) == ["saved anna", "removed anna"])
    }

    @Test("A device that is removed leaves the user's other devices registered") func otherDevicesRemain() throws {
        let (phone, tablet) = (ClientID("phone"), ClientID("tablet"))
        var table = PushTable()
        _ = table.save("t1", of: "anna", on: phone)
        _ = table.save("t2", of: "anna", on: tablet)
        #expect(table.tokens(of: "anna") == ["t1", "t2"])
        let isRemoved = table.remove(of: "anna", on: phone)
        #expect(isRemoved)
        #expect(table.tokens(of: "anna") == ["t2"])
        let isRemovedAgain = table.remove(of: "anna", on: phone)
        #expect(!isRemovedAgain)
        _ = table.save("t3", of: "anna", on: tablet)
        let before = table.save("t3", of: "ben", on: tablet)
        #expect(before == "anna")
        #expect(table.users == ["ben"])
    }

    @Test("A token that a user's second client registers replaces the tokens of both clients")
    func movedTokenReplacesBoth() {
        let (phone, tablet) = (ClientID("phone"), ClientID("tablet"))
        var table = PushTable()
        _ = table.save("t1", of: "anna", on: phone)
        _ = table.save("t2", of: "anna", on: tablet)
        _ = table.save("t1", of: "anna", on: tablet)
        #expect(table.tokens(of: "anna") == ["t1"])
        #expect(table.token(of: "anna", on: phone) == nil)
        #expect(table.token(of: "anna", on: tablet) == "t1")
    }

    @Test("A post is pushed to all devices except those of its sender") func aPostIsPushedToAllButItsSender() throws {
        var stage = try stage("anna", "ben")
        try register("t1", as: "anna", on: &stage)
        try register("t2", as: "ben", on: &stage)
        try stage.act(
            "post",
            [("to", .text("stukov")), ("text", .text("hello")), ("sender", .text("ben"))],
            label: "news"
        )
        #expect(stage.pushed.map(\.token) == ["t1"])
        #expect(stage.pushed.first?.push.text == "hello")
        #expect(stage.pushed.first?.label == "news")
    }

    @Test("A post is not pushed if the profile disables pushes")
    func pushOnPostCanBeOff() throws {
        var stage = Stage { $0.push.onPost = false }
        let body = PushRegistration(token: "t1").encode(stage.wire)
        #expect(try stage.fetch(.pushToken, body: body).status == 200)
        try stage.act("post", [("to", .text("stukov"))])
        #expect(stage.pushed.isEmpty)
    }

    @Test("'push' with 'back' sends a notification about an older message") func aPushMayBeAboutAnOldMessage() throws {
        var stage = try stage("anna")
        try register("t1", as: "anna", on: &stage)
        try stage.act("history", [("conversation", .text("stukov")), ("count", .integer(3))])
        for back in [0, 2, 3] {
            try stage.act("push", [("to", .text("stukov")), ("back", .integer(Int64(back)))])
        }
        // The push with `back: 3` has no effect: it refers to the message three before the newest, but the history has
        // only three messages.
        #expect(stage.pushed.map(\.push.text) == ["Message 3", "Message 1"])
        let met = stage.named("server.action.hit").map(\.fields)
        #expect(met == ["stukov back 0", "stukov back 2"].map { ["action": "push", "of": $0] })
    }

    @Test("'push' with 'times' sends the same notification repeatedly") func theSamePushMayComeSeveralTimes() throws {
        var stage = try stage("anna")
        try register("t1", as: "anna", on: &stage)
        try stage.act("push", [("to", .text("stukov")), ("times", .integer(3))], label: "news")
        #expect(Set(stage.pushed).count == 1 && stage.pushed.count == 3)
    }

    @Test("A removed conversation is answered with not found") func aConversationThatIsRemovedIsNotFound() throws {
        var stage = try stage("anna")
        try stage.act("history", [("conversation", .text("stukov")), ("count", .integer(2))])
        let found = try stage.fetch(.conversation("stukov"), key: "key-of-anna")
        #expect(try ConversationSummary.decode(found.body, stage.wire).id == "stukov")
        try stage.act("remove_conversation", [("conversation", .text("stukov"))])
        #expect(try stage.fetch(.conversation("stukov"), key: "key-of-anna").status == 404)
        #expect(try stage.fetch(.conversation("missing"), key: "key-of-anna").status == 404)
    }
}
