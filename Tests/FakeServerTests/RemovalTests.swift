import ChatWire
import FakeServer
import SquallCore
import Testing

/// Tests that removing a conversation also removes all of its data.
@Suite struct RemovalTests {
    private func remove(_ conversation: String, on stage: inout Stage) throws {
        try stage.act("remove_conversation", [("conversation", .text(conversation))])
    }

    @Test("Messages of a removed conversation are not replayed") func nothingOfItIsReplayed() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov", count: 3)))
        stage.act(.post(.init(to: "raynor")))
        try remove("stukov", on: &stage)
        _ = stage.frames(anna)
        stage.say(.sync(lastSequence: 0), on: anna)
        let replay = try #require(stage.frames(anna).replays.first)
        #expect(replay.messages.map(\.conversation) == ["raynor"])
        #expect(replay.lastSequence == 4)
    }

    @Test("Messages of a removed conversation no longer wait for an acknowledgement")
    func nothingOfItWaitsToBeAcknowledged() throws {
        var stage = Stage { $0.replay.mode = .untilAcknowledged }
        let anna = stage.connect()
        let session = try stage.session(anna).session
        stage.act(.post(.init(to: "stukov", count: 2)))
        stage.act(.post(.init(to: "raynor")))
        try remove("stukov", on: &stage)
        stage.hangUp(anna)
        let again = stage.connect(session: session)
        let replay = try #require(stage.frames(again).replays.first)
        #expect(replay.messages.map(\.conversation) == ["raynor"])
    }

    @Test("A message of a removed conversation is stored again when the client resends it")
    func aRepeatOfWhatWasInItIsNoRepeat() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        try remove("stukov", on: &stage)
        _ = stage.frames(anna)
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.duplicate) == [false])
        #expect(stage.named("server.stored").count == 2)
    }

    @Test("The other members of a removed conversation are no longer listed as agents")
    func removedAgentsAreNotListed() throws {
        var stage = Stage()
        try stage.act("introduce", [("id", .text("kerrigan"))])
        try stage.act("group", [("conversation", .text("hands")), ("members", .text("ada ben"))])
        let before = try AgentList.decode(stage.fetch(.agents).body, stage.wire)
        #expect(Set(before.agents.map(\.conversation)) == ["kerrigan", "hands"])
        try remove("kerrigan", on: &stage)
        try remove("hands", on: &stage)
        #expect(try AgentList.decode(stage.fetch(.agents).body, stage.wire).agents.isEmpty)
    }

    @Test("The access restriction of a conversation ends when the conversation is removed")
    func restrictionEndsWithRemoval() throws {
        var stage = Stage()
        stage.act(.post(.init(to: "stukov")))
        try stage.act("restrict", [("conversation", .text("stukov")), ("to", .text("ben"))])
        #expect(try stage.fetch(.conversation("stukov")).status == 403)
        try remove("stukov", on: &stage)
        #expect(try stage.fetch(.conversation("stukov")).status == 404)
        stage.act(.post(.init(to: "stukov")))
        #expect(try stage.fetch(.conversation("stukov")).status == 200)
    }

    /// A group's members are defined by the script rather than by the server's state, so they survive a restart.
    @Test("A group survives a restart with loss of the server's state")
    func aGroupOutlivesARestartThatLosesTheRest() throws {
        var stage = Stage()
        try stage.act("group", [("conversation", .text("hands")), ("members", .text("ada ben"))])
        try stage.act("restart", [("down", .duration(.seconds(1))), ("state", .text("lose"))])
        stage.advance(.seconds(2))
        let list = try AgentList.decode(stage.fetch(.agents).body, stage.wire)
        #expect(list.agents.map(\.user) == ["ada", "ben"])
    }
}
