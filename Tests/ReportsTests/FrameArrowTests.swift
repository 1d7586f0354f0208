import SquallCore
import Testing
import Trace

@testable import Reports

@Suite struct FrameArrowTests {
    /// Returns the arrows drawn for a run that continues for `rest` after its last event.
    private func match(for rest: TimeSpan = .seconds(1), _ build: (inout TraceSketch) -> Void) -> [FrameArrow] {
        var trace = TraceSketch()
        build(&trace)
        return FrameArrows.match(trace.recorder.events, endingAt: trace.now + rest)
    }

    @Test("An arrow joins a sent and a received frame of the same role and key")
    func aFrameArrivesWhereItsRoleAndKeyDo() {
        let arrows = match { trace in
            trace.happened("client.sent.send", "a")
            trace.happened("client.sent.send", "b")
            trace.happened("server.received.send", "b")
            trace.happened("server.received.ping", "a")
            trace.happened("server.received.send", "a")
        }
        #expect(arrows == [FrameArrow(from: 0, to: 4), FrameArrow(from: 1, to: 2)])
    }

    @Test("Several identical frames are joined in the order in which they were sent")
    func equalFramesArriveInOrder() {
        let arrows = match { trace in
            for _ in 0..<2 { trace.happened("server.sent.pong") }
            for _ in 0..<2 { trace.happened("client.received.pong") }
        }
        #expect(arrows == [FrameArrow(from: 0, to: 2), FrameArrow(from: 1, to: 3)])
    }

    @Test("A frame that never arrives has an arrow without a receiving event")
    func aLostFrameHasNoEnd() {
        let arrows = match { trace in
            trace.happened("client.sent.ping")
            trace.happened("server.sent.ping")
            trace.happened("client.sent.pong")
        }
        #expect(arrows.map(\.to) == [nil, nil, nil])
    }

    /// A frame counts as lost only if it had more time to arrive than any other frame took.
    @Test("A frame sent just before the end of the run counts as in flight, not as lost")
    func aFrameSentShortlyBeforeTheEndIsUnderWay() {
        let arrows = match(for: .milliseconds(10)) { trace in
            trace.up("ping")
            trace.happened("client.sent.send", "a")
            trace.wait(15)
            trace.happened("client.sent.send", "b")
        }
        #expect(arrows.map(\.to) == [1, nil, nil])
        #expect(arrows.map(\.isUnderWay) == [false, false, true])
    }

    @Test("Arrows join only frames of the same client")
    func clientsDoNotGetEachOthersFrames() {
        let (anna, ben) = (ClientID("anna"), ClientID("ben"))
        let arrows = match { trace in
            trace.happened("server.sent.message", "m1", of: anna)
            trace.happened("server.sent.message", "m1", of: ben)
            trace.happened("client.received.message", "m1", of: ben)
        }
        #expect(arrows == [FrameArrow(from: 0), FrameArrow(from: 1, to: 2)])
    }

    /// The ping on the dead connection is lost. It must not be matched with the ping delivered on the new connection.
    @Test("Only frames sent on a connection can arrive on it")
    func aNewConnectionDeliversItsOwnFrames() {
        let arrows = match { trace in
            trace.happened("client.attempt.began")
            trace.happened("server.accepted")
            trace.happened("client.sent.ping")
            trace.happened("client.attempt.began")
            trace.happened("server.accepted")
            trace.happened("client.sent.ping")
            trace.happened("server.received.ping")
        }
        #expect(arrows == [FrameArrow(from: 2), FrameArrow(from: 5, to: 6)])
    }

    /// Until the server has accepted the new connection, frames can arrive only over the old one.
    @Test("Until the new connection is accepted, frames still arrive over the old connection")
    func framesUnderWayArriveOverTheOldConnection() {
        let arrows = match { trace in
            trace.happened("client.attempt.began")
            trace.happened("server.accepted")
            trace.happened("client.sent.send", "a")
            trace.happened("client.attempt.began")
            trace.happened("client.sent.send", "a")
            trace.happened("server.received.send", "a")
            trace.happened("server.accepted")
            trace.happened("server.received.send", "a")
        }
        #expect(arrows == [FrameArrow(from: 2, to: 5), FrameArrow(from: 4, to: 7)])
    }

    /// The WebSocket upgrade request is reported only by the server.
    @Test("A request that only the server reports has no arrow, and neither has its response")
    func anAnswerOfTheServerAloneIsNoArrow() {
        let arrows = match { trace in
            trace.happened("server.requested.ws")
            trace.happened("server.answered.ws", nil, ["status": 101])
        }
        #expect(arrows == [])
    }

    @Test("HTTP requests and responses are also drawn as arrows")
    func requestsAndAnswersAreArrowsToo() {
        let arrows = match { trace in
            trace.happened("client.requested.messages")
            trace.happened("server.requested.messages")
            trace.happened("server.answered.messages", nil, ["status": 200])
            trace.happened("client.answered.messages", nil, ["status": 200])
        }
        #expect(arrows == [FrameArrow(from: 0, to: 1), FrameArrow(from: 2, to: 3)])
    }
}
