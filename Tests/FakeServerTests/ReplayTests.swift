import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing

@Suite struct ReplayTests {
    private func replay(_ stage: inout Stage, after last: Int64, on id: LinkID) throws -> ServerFrame.Replay {
        _ = stage.frames(id)
        stage.say(.sync(lastSequence: last), on: id)
        return try #require(stage.frames(id).replays.first)
    }

    @Test("A replay contains the missed messages of all conversations in order") func missedMessages() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov", count: 3)))
        stage.act(.post(.init(to: "kerrigan", count: 2)))
        let replay = try replay(&stage, after: 2, on: anna)
        #expect(replay.messages.map(\.sequence) == [3, 4, 5])
        #expect(replay.messages.map(\.conversation) == ["stukov", "kerrigan", "kerrigan"])
        #expect(replay.complete)
        #expect(replay.lastSequence == 5)
    }

    @Test("A client that has missed nothing receives an empty, complete replay")
    func nothingMissedIsAnEmptyReplay() throws {
        var stage = Stage()
        let anna = stage.join()
        #expect(try replay(&stage, after: 0, on: anna) == .init(messages: [], complete: true, lastSequence: 0))
        stage.act(.post(.init(to: "stukov", count: 4)))
        #expect(try replay(&stage, after: 4, on: anna) == .init(messages: [], complete: true, lastSequence: 4))
    }

    @Test("A client that is ahead of the server receives an incomplete replay")
    func clientAhead() throws {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov")))
        #expect(try replay(&stage, after: 2, on: anna) == .init(messages: [], complete: false, lastSequence: 1))
        #expect(try replay(&stage, after: .max, on: anna) == .init(messages: [], complete: false, lastSequence: 1))
    }

    @Test(
        "The replay buffer holds at most 1000 messages",
        arguments: [(Int64(1000), true, Int64(1)), (1001, false, 2)]
    )
    func theBufferHoldsAThousand(_ count: Int64, _ complete: Bool, _ first: Int64) throws {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov", count: count)))
        let replay = try replay(&stage, after: 0, on: anna)
        #expect(replay.messages.count == 1000)
        #expect(replay.messages.first?.sequence == first)
        #expect(replay.complete == complete)
        // The replay is complete for a client that already received the message dropped from the buffer.
        #expect(try self.replay(&stage, after: 1, on: anna).complete)
    }

    @Test(
        "The replay buffer holds messages for at most one hour",
        arguments: [(TimeSpan.seconds(3600), 2, true), (.seconds(3601), 1, false)]
    )
    func theBufferHoldsAnHour(_ age: TimeSpan, _ held: Int, _ complete: Bool) throws {
        var stage = Stage()
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov")))
        stage.advance(.seconds(10))
        stage.act(.post(.init(to: "stukov")))
        stage.advance(age - .seconds(10))
        let replay = try replay(&stage, after: 0, on: anna)
        #expect(replay.messages.count == held)
        #expect(replay.complete == complete)
        #expect(replay.lastSequence == 2)
    }

    @Test("Messages that were created as history are not replayed") func anOldHistoryIsNotInTheBuffer() throws {
        var stage = Stage(history: [ServerHistory(conversation: "stukov", count: 3)])
        let anna = stage.join()
        stage.act(.post(.init(to: "stukov")))
        let whole = try replay(&stage, after: 0, on: anna)
        #expect(whole.messages.map(\.sequence) == [4])
        #expect(!whole.complete)
        #expect(try replay(&stage, after: 3, on: anna).complete)
    }

    // MARK: Until acknowledged

    private func untilAcknowledged(_ policy: ServerPolicy = ServerPolicy()) -> Stage {
        var profile = ServerProfile()
        profile.replay.mode = .untilAcknowledged
        return Stage(profile: profile, policy: policy)
    }

    @Test("Resuming a session replays the messages that were not acknowledged")
    func takingASessionUpBringsWhatIsNotAcknowledged() throws {
        var stage = untilAcknowledged()
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.act(.post(.init(to: "stukov", count: 2)))
        stage.say(.messageAck(id: "m1-000001"), on: first)
        stage.hangUp(first)
        stage.act(.post(.init(to: "stukov")))

        let second = stage.connect(session: session)
        let frames = stage.frames(second)
        #expect(frames.roles == [.hello, .connected, .replay])
        #expect(frames.replays.first?.messages.map(\.id) == ["m1-000002", "m1-000003"])
        #expect(frames.replays.first?.complete == true)
        for id in ["m1-000002", "m1-000003"] { stage.say(.messageAck(id: id), on: second) }
        stage.hangUp(second)

        let third = stage.connect(session: session)
        #expect(stage.frames(third).roles == [.hello, .connected])
    }

    @Test("A client's own messages are not replayed to it") func ownMessagesAreNotReplayed() throws {
        var stage = untilAcknowledged()
        let first = stage.connect("anna")
        let ben = stage.join("ben")
        let session = try stage.session(first).session
        stage.say(.send("c1"), on: first)
        stage.say(.send("c2"), on: ben)
        stage.hangUp(first)
        let second = stage.connect("anna", session: session)
        #expect(stage.frames(second).replays.first?.messages.map(\.clientMessageID) == ["c2"])
    }

    @Test("A new session is not sent a replay") func aNewSessionHasNothingToMakeUpFor() throws {
        var stage = untilAcknowledged()
        let first = stage.join()
        stage.act(.post(.init(to: "stukov")))
        stage.hangUp(first)
        let second = stage.connect()
        #expect(stage.frames(second).roles == [.hello, .connected])
    }

    @Test("Missed messages that have left the replay buffer make only the next replay incomplete")
    func aGapIsReportedOnce() throws {
        var stage = untilAcknowledged()
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.hangUp(first)
        stage.act(.post(.init(to: "stukov", count: 1001)))
        let second = stage.connect(session: session)
        let replay = try #require(stage.frames(second).replays.first)
        #expect(replay.messages.count == 1000)
        #expect(!replay.complete)
        stage.hangUp(second)
        let third = stage.connect(session: session)
        #expect(stage.frames(third).replays.first?.complete == true)
    }

    @Test("Acknowledging a message does not remove it from a replay by sequence number")
    func inTheOtherModeAcknowledgementsChangeNothing() throws {
        var stage = Stage()
        let first = stage.connect()
        let session = try stage.session(first).session
        stage.act(.post(.init(to: "stukov")))
        stage.say(.messageAck(id: "m1-000001"), on: first)
        stage.hangUp(first)
        let second = stage.connect(session: session)
        #expect(stage.frames(second).roles == [.hello, .connected])
        stage.say(.sync(lastSequence: 0), on: second)
        #expect(stage.frames(second).replays.first?.messages.count == 1)
        #expect(stage.named("server.received.message_ack").map(\.key) == ["m1-000001"])
    }

    @Test("Acknowledging an unknown message has no effect") func acknowledgingWhatIsNotThereDoesNothing() {
        var stage = untilAcknowledged()
        let anna = stage.join()
        stage.say(.messageAck(id: "m9"), on: anna)
        #expect(stage.frames(anna).isEmpty)
    }
}
