import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

/// Tests groups, status texts, and the unread counts that a client may change.
@Suite struct PeopleTests {
    private func agents(_ stage: inout Stage, for client: String = "anna") throws -> [Agent] {
        try AgentList.decode(stage.fetch(.agents, of: client).body, stage.wire).agents
    }

    @Test("The members of a group are listed with the group's conversation")
    func membersOfAGroupShareItsConversation() throws {
        var stage = Stage()
        _ = stage.join("anna")
        stage.act(.post(.init(to: "team")))
        stage.act(.post(.init(to: "stukov")))
        try stage.act("group", [("conversation", .text("team")), ("members", .text("ada anna ben"))])
        try stage.act("presence", [("user", .text("ada")), ("status", .text("busy")), ("text", .text("Testing"))])
        let list = try agents(&stage)
        // Anna herself requests the list, so it does not include her. A user whose status was never set counts as
        // offline in a group, but as online in a conversation with a single partner.
        #expect(list.map(\.user) == ["ada", "ben", "stukov"])
        #expect(list.map(\.conversation) == ["team", "team", "stukov"])
        #expect(list.map(\.status) == [.busy, .offline, .online])
        #expect(list.first?.text == "Testing")
    }

    @Test("A user whose presence the script sets is listed as an agent") func aUserWithPresenceIsListed() throws {
        var stage = Stage()
        _ = stage.join("anna")
        try stage.act("presence", [("user", .text("kerrigan")), ("status", .text("offline"))])
        let list = try agents(&stage)
        #expect(list.map(\.user) == ["kerrigan"])
        #expect(list.first?.lastSeen == 1_767_225_600_000)
    }

    @Test("A client cannot mark another user's messages as read") func readingForAnotherIsRefused() throws {
        var stage = Stage()
        let anna = stage.join("anna")
        stage.act(.post(.init(to: "stukov", count: 3)))
        _ = stage.frames(anna)
        let forged = ChatRoute.markRead(conversation: "stukov", user: "anna")
        #expect(try stage.fetch(forged, of: "mallory").status == 403)
        #expect(stage.frames(anna).isEmpty)
        let counts = try UnreadCounts.decode(stage.fetch(.unread, of: "anna").body, stage.wire).counts
        #expect(counts == [UnreadCount(conversation: "stukov", unread: 3, sequence: 3)])
        #expect(try stage.fetch(forged, of: "anna").status == 200)
    }

    @Test("A mark-read request up to a sequence number leaves later messages unread, and never takes a reading back")
    func readingThroughANumber() throws {
        var stage = Stage()
        _ = stage.join("anna")
        stage.act(.post(.init(to: "stukov", count: 3)))
        func unread(through number: Int64?) throws -> Int64 {
            let answer = try stage.fetch(.markRead(conversation: "stukov", through: number), of: "anna")
            return try UnreadCount.decode(answer.body, stage.wire).unread
        }
        #expect(try unread(through: 0) == 3)
        #expect(try unread(through: 2) == 1)
        #expect(try unread(through: 1) == 1)
        #expect(try unread(through: .max) == 0)
    }

    @Test("The defect openUnreadWrite lets a client mark another user's messages as read")
    func openUnreadWrite() throws {
        var policy = ServerPolicy()
        try #require(ServerDefect.named("openUnreadWrite")).change(&policy)
        var stage = Stage(policy: policy)
        _ = stage.join("anna")
        stage.act(.post(.init(to: "stukov", count: 3)))
        #expect(try stage.fetch(.markRead(conversation: "stukov", user: "anna"), of: "mallory").status == 200)
        let counts = try UnreadCounts.decode(stage.fetch(.unread, of: "anna").body, stage.wire).counts
        #expect(counts.map(\.unread) == [0])
    }

    @Test("The connected frame names the user if that name differs from the client's name")
    func connectedNamesTheUser() throws {
        var stage = Stage()
        try stage.act("identify", [("client", .text("tablet")), ("user", .text("anna"))])
        let tablet = stage.connect("tablet")
        let phone = stage.connect("anna")
        func user(_ id: LinkID) -> [String?] {
            stage.frames(id).compactMap { if case .connected(let connected) = $0 { connected.user } else { nil } }
        }
        #expect(user(tablet) == ["anna"])
        #expect(user(phone) == [nil])
    }
}
