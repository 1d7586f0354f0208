import ChatWire
import FakeServer
import SquallCore
import Testing

/// Tests how the server processes work requests: one prompt at a time per conversation, any number of commands, and
/// stop requests, which always succeed.
@Suite struct WorkTests {
    private func stage() -> Stage {
        Stage { $0.work.span = .seconds(10) }
    }

    private func outcomes(_ stage: Stage, of name: String) -> [String] {
        stage.named(name).compactMap { $0.fields["outcome"]?.stringValue }
    }

    @Test("A second prompt is refused until the first is answered")
    func aSecondPromptIsRefusedUntilTheFirstIsAnswered() {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c2"), on: anna)
        let refused = stage.frames(anna)
        #expect(refused.confirmations.map(\.clientMessageID) == ["c1"])
        #expect(refused.errors.map(\.code) == [.sessionLocked])
        #expect(refused.errors.first?.clientMessageID == "c2")
        stage.advance(.seconds(10))
        #expect(stage.frames(anna).messages.map(\.text) == ["Done."])
        stage.say(.send("c2"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.clientMessageID) == ["c2"])
        #expect(outcomes(stage, of: "server.prompt.ended") == ["done"])
    }

    @Test("A duplicate of the message that started the running prompt is not a second prompt")
    func aRepeatOfTheOneInHandIsNoSecondOne() {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        stage.say(.send("c1"), on: anna)
        #expect(stage.frames(anna).confirmations.map(\.duplicate) == [false, true])
        #expect(stage.named("server.prompt.began").count == 1)
    }

    @Test("A running prompt locks only its own conversation") func otherConversationsAreNotLocked() {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1", to: "stukov"), on: anna)
        stage.say(.send("c2", to: "kerrigan"), on: anna)
        #expect(stage.frames(anna).errors.isEmpty)
    }

    @Test("A prompt that fails unlocks the conversation") func anErrorReleasesTheLock() throws {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        try stage.act("fail_prompt", [("conversation", .text("stukov"))])
        #expect(stage.frames(anna).errors.map(\.code) == [.internalError])
        stage.say(.send("c2"), on: anna)
        #expect(stage.frames(anna).confirmations.count == 1)
        stage.advance(.seconds(10))
        #expect(
            outcomes(stage, of: "server.prompt.ended") == ["failed", "done"],
            "the failed prompt does not end a second time"
        )
    }

    @Test("A message sent over HTTP to a locked conversation is answered with 423")
    func overHTTPALockedConversationAnswers423() throws {
        var stage = stage()
        let body = SendBody(clientMessageID: "c1", text: "one").encode(stage.wire)
        let other = SendBody(clientMessageID: "c2", text: "two").encode(stage.wire)
        #expect(try stage.fetch(.send(conversation: "stukov"), body: body).status == 201)
        #expect(try stage.fetch(.send(conversation: "stukov"), body: other).status == 423)
    }

    @Test("A restart unlocks all conversations") func aRestartForgetsTheLockWithTheWork() throws {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        try stage.act("restart", [("down", .duration(.seconds(1)))])
        stage.advance(.seconds(1))
        let again = stage.join()
        stage.say(.send("c2"), on: again)
        #expect(stage.frames(again).confirmations.count == 1)
    }

    @Test("Stopping a prompt ends it once, and repeating the stop succeeds")
    func stoppingEndsWhatRunsOnceAndSucceedsEachTime() {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        _ = stage.frames(anna)
        for _ in 0..<3 { stage.say(.stop(id: "stukov"), on: anna) }
        #expect(stage.frames(anna) == Array(repeating: .stopped(id: "stukov"), count: 3))
        #expect(outcomes(stage, of: "server.prompt.ended") == ["stopped"])
        stage.advance(.seconds(60))
        #expect(stage.frames(anna).isEmpty, "a stopped prompt has no answer")
    }

    @Test("Stopping an unknown prompt or command succeeds and changes nothing")
    func stoppingWhatIsNotThereChangesNothing() {
        var stage = stage()
        let anna = stage.join()
        stage.say(.send("c1"), on: anna)
        _ = stage.frames(anna)
        for target in ["kerrigan", "cmd-1", "", "cmd-1"] { stage.say(.stop(id: target), on: anna) }
        #expect(stage.frames(anna).roles == Array(repeating: .stopped, count: 4))
        #expect(stage.named("server.prompt.ended").isEmpty)
        #expect(stage.named("server.command.ended").isEmpty)
    }

    @Test("Every execution of a command has its own ID") func everyCommandRunsUnderAnIDOfItsOwn() throws {
        var stage = stage()
        let anna = stage.join()
        for _ in 0..<3 { stage.say(.executeCommand(text: "make"), on: anna) }
        let ids = stage.frames(anna).compactMap { frame in
            if case .commandStarted(let id, "make") = frame { id } else { nil }
        }
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { $0.hasPrefix("cmd-") && $0.count == 40 })
        stage.say(.stop(id: try #require(ids.first)), on: anna)
        stage.advance(.seconds(10))
        #expect(outcomes(stage, of: "server.command.ended") == ["stopped", "done", "done"])
    }
}
