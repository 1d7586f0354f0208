import Adapter
import SquallCore
import Testing

/// Tests Squall's end of the long-polling protocol over a network that loses, duplicates and reorders requests and
/// responses.
@Suite struct AppChannelTests {
    @Test("Despite loss, repetition and reordering every message arrives once and in order", arguments: UInt64(1)...200)
    func anyNetwork(_ seed: UInt64) throws {
        var stage = AppStage(seed: seed)
        for _ in 0..<400 { try stage.step() }
        try stage.finish()
        #expect(stage.mistakes == [])
        for app in stage.apps {
            let (sent, posted) = (stage.sent[app.name] ?? [], stage.taken[app.name] ?? [])
            // Each side must have received a prefix of the messages that the other side sent, even if the instance was
            // replaced.
            #expect(sent.starts(with: app.received), "\(app.name) got \(app.received) of \(sent)")
            #expect(app.written.starts(with: posted), "Squall got \(posted) of \(app.written) by \(app.name)")
        }
        let last = try #require(stage.connected)
        #expect(last.received == stage.sent[last.name] ?? [])
        #expect(stage.taken[last.name] ?? [] == last.written)
        #expect(stage.apps.allSatisfy { $0.isOver || $0.name == last.name })
    }

    @Test("The random networks of this suite produce every kind of fault")
    func coverage() throws {
        var seen: Set<String> = []
        for seed in UInt64(1)...50 {
            var stage = AppStage(seed: seed)
            for _ in 0..<400 { try stage.step() }
            seen.formUnion(stage.seen)
        }
        let wanted = ["200", "410", "held", "expired", "lost", "repeated", "restarted", "given up"]
        #expect(wanted.filter { !seen.contains($0) } == [])
    }

    private static let first = Array(#"{"id":1}"#.utf8)

    private static func text(_ output: AppChannel.Output?) -> String {
        guard case .answer(let request, let answer)? = output else { return "\(output.map { "\($0)" } ?? "none")" }
        return "\(request) \(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
    }

    @Test("A poll is held until there is a message, or answered without one when the hold time ends")
    func held() {
        var channel = AppChannel()
        #expect(channel.poll(1, by: "a", after: 0, at: .zero) == [.connected])
        #expect(channel.nextDeadline == Instant.zero + AppChannel.maximumHoldTime)
        #expect(Self.text(channel.send(Self.first).first) == #"1 200 {"first":1,"messages":[{"id":1}]}"#)
        #expect(channel.poll(2, by: "a", after: 1, at: .zero) == [])
        let end = Instant.zero + AppChannel.maximumHoldTime
        #expect(Self.text(channel.timer(at: end).first) == #"2 200 {"first":2,"messages":[]}"#)
        #expect(channel.silentSince == end)
    }

    @Test("A poll replaced by a newer poll is answered at once, and no command is lost with its connection")
    func replacedPoll() {
        var channel = AppChannel()
        _ = channel.poll(1, by: "a", after: 0, at: .zero)
        #expect(Self.text(channel.poll(2, by: "a", after: 0, at: .zero).first) == #"1 200 {"first":1,"messages":[]}"#)
        channel.abandoned(2, at: .zero)
        #expect(channel.send(Self.first) == [])
        let answer = channel.poll(3, by: "a", after: 0, at: .zero)
        #expect(answer.map { Self.text($0) } == [#"3 200 {"first":1,"messages":[{"id":1}]}"#])
    }

    @Test("A new app instance replaces the previous instance, whose later requests are refused")
    func replacedInstance() {
        var channel = AppChannel()
        _ = channel.poll(1, by: "a", after: 0, at: .zero)
        let outputs = channel.poll(2, by: "b", after: 0, at: .zero)
        #expect(Self.text(outputs.first).hasPrefix("1 410"))
        #expect(outputs.last == .connected)
        #expect(Self.text(channel.post(3, by: "a", first: 1, [["x": 1]], at: .zero).first).hasPrefix("3 410"))
        #expect(Self.text(channel.poll(4, by: "a", after: 0, at: .zero).first).hasPrefix("4 410"))
    }

    @Test("Messages after a gap in the numbers are rejected, and a poll that acknowledges unsent messages is refused")
    func gaps() {
        var channel = AppChannel()
        _ = channel.poll(1, by: "a", after: 0, at: .zero)
        #expect(Self.text(channel.post(2, by: "a", first: 2, [["x": 2]], at: .zero).first) == #"2 409 {"taken":0}"#)
        let outputs = channel.post(3, by: "a", first: 1, [["x": 1], ["x": 2]], at: .zero)
        #expect(outputs.dropFirst() == [.received(["x": 1]), .received(["x": 2])])
        #expect(Self.text(channel.post(4, by: "a", first: 2, [["x": 2]], at: .zero).first) == #"4 200 {"taken":2}"#)
        #expect(Self.text(channel.poll(5, by: "a", after: 7, at: .zero).last).contains("message 7 was never sent"))
    }

    @Test("After the channel is closed every request is refused")
    func closed() {
        var channel = AppChannel()
        _ = channel.poll(1, by: "a", after: 0, at: .zero)
        #expect(Self.text(channel.close().first).contains("1 410 {\"error\":\"squall has ended"))
        #expect(Self.text(channel.poll(2, by: "b", after: 0, at: .zero).first).contains("2 410"))
    }
}
