import ChatWire
import SquallCore
import Testing

@testable import FakeServer

/// Tests the frames sent to a client that has announced its maximum message size.
@Suite struct MessageLimitTests {
    private let wire = WireProfile()

    private func message(_ sequence: Int64, _ text: String) -> ChatMessage {
        ChatMessage(
            id: "m-\(sequence)",
            conversation: "stukov",
            sender: "stukov",
            sequence: sequence,
            timestamp: 1_767_225_600_000,
            text: text
        )
    }

    private func size(_ frame: ServerFrame) -> Int { frame.encode(wire).count }

    @Test(
        "A text that is too long is truncated to the limit and marked as truncated",
        arguments: [200, 201, 250, 400, 1000]
    )
    func aLongTextIsCutToTheLimitAndMarked(_ limit: Int) {
        let long = ServerFrame.message(message(1, String(repeating: "é\n\u{1F44B}", count: 500)))
        let fitted = long.fitting(Int64(limit), wire)
        #expect(size(fitted) <= limit)
        #expect(size(fitted) > limit - 12, "the text fills the limit: a scalar takes at most twelve bytes")
        guard case .message(let cut) = fitted, case .message(let whole) = long else {
            Issue.record("it is another frame")
            return
        }
        #expect(cut.isTruncated && whole.text.hasPrefix(cut.text))
    }

    @Test("A frame within the size limit is not changed") func fittingFrame() {
        let frame = ServerFrame.message(message(1, "short"))
        #expect(frame.fitting(Int64(size(frame)), wire) == frame)
        #expect(frame.fitting(Int64(size(frame)) - 1, wire) != frame)
    }

    @Test("A replay that is too long is cut short and marked as incomplete") func longReplay() {
        let messages = (1...50).map { message($0, "text \($0)") }
        let replay = ServerFrame.replay(.init(messages: messages, complete: true, lastSequence: 50))
        let fitted = replay.fitting(2000, wire)
        #expect(size(fitted) <= 2000)
        guard case .replay(let part) = fitted else {
            Issue.record("it is another frame")
            return
        }
        #expect(part.messages == Array(messages.prefix(part.messages.count)))
        #expect((5..<50).contains(part.messages.count))
        #expect(!part.complete && part.lastSequence == 50)
    }

    @Test("Each client receives a message truncated to that client's own limit") func eachClientIsSentWhatItTakes() {
        var stage = Stage()
        let anna = stage.open("anna")
        let ben = stage.open("ben")
        stage.say(.connect(.init(key: "key-1", maxMessageSize: 500)), on: anna)
        stage.say(.connect(.init(key: "key-1")), on: ben)
        _ = (stage.frames(anna), stage.frames(ben))
        stage.act(.post(.init(to: "stukov", text: String(repeating: "x", count: 2000))))
        let sent = [anna, ben].map { id in
            stage.frames(id).compactMap { frame in if case .message(let message) = frame { message } else { nil } }
        }
        #expect(sent[0].map(\.isTruncated) == [true])
        #expect(sent[1].map(\.isTruncated) == [false])
        #expect(sent[1].first?.text.count == 2000)
    }
}
