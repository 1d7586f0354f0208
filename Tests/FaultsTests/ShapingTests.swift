import Faults
import SquallCore
import Testing

@Suite struct ShapingTests {
    /// Sends the chunks from the client on link 1, and returns the bytes that reach the server, with their arrival
    /// times.
    private func delivered(
        _ kind: Fault.Kind,
        seed: UInt64 = 1,
        _ chunks: [(time: Instant, bytes: [UInt8])],
        until end: Instant = .at(1e6)
    ) -> [(time: Instant, bytes: [UInt8])] {
        var stage = Stage.connected(seed: seed)
        _ = stage.begin(kind, at: 0)
        var all: [(Instant, [UInt8])] = []
        func take(_ time: Instant, _ output: RelayOutput) {
            if case .write(_, .server, let bytes) = output { all.append((time, bytes)) }
        }
        for chunk in chunks {
            for (time, output) in stage.timed(until: chunk.time) { take(time, output) }
            for output in stage.feed(.received(LinkID(.only, 1), from: .client, chunk.bytes), at: chunk.time) {
                take(chunk.time, output)
            }
        }
        for (time, output) in stage.timed(until: end) { take(time, output) }
        return all
    }

    /// Returns the arrival time of each byte in the pieces.
    private func times(_ delivered: [(time: Instant, bytes: [UInt8])]) -> [Instant] {
        delivered.flatMap { piece in piece.bytes.map { _ in piece.time } }
    }

    private func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
        (start..<(start + count)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) }
    }

    // MARK: - latency

    @Test("latency delays each chunk exactly, counted from its arrival") func latencyIsExactAndCountsFromArrival() {
        let got = delivered(
            .latency(.init(delay: .milliseconds(80))),
            [(.at(1), [1]), (.at(1.000001), [2]), (.at(60), [3])]
        )
        #expect(got.map(\.time) == [.at(81), .at(81.000001), .at(140)])
        #expect(got.map(\.bytes) == [[1], [2], [3]])
    }

    @Test("latency delays a FIN after its bytes") func latencyDelaysAnEndBehindItsBytes() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(40), stream: .downstream)), at: 0)
        _ = stage.send("bye", from: .server, at: 1)
        _ = stage.end(.server, .fin, at: 2)
        #expect(stage.wait(until: 100) == ["0.041 write 1 client bye", "0.042 end 1 client fin"])
        #expect(stage.send("up", from: .client, at: 101) == ["write 1 server up"])
    }

    @Test("The delays of several latencies add up") func severalLatenciesAdd() {
        var stage = Stage.connected()
        for (label, delay) in [("a", 10), ("b", 20), ("c", 30)] {
            _ = stage.begin(.latency(.init(delay: .milliseconds(Int64(delay)))), as: label, at: 0)
        }
        _ = stage.send("x", from: .client, at: 0)
        #expect(stage.wait(until: 100) == ["0.060 write 1 server x"])
        _ = stage.play(.heal(label: "b"), at: 200)
        _ = stage.send("y", from: .client, at: 200)
        #expect(stage.wait(until: 300) == ["0.240 write 1 server y"])
    }

    @Test("jitter lengthens and shortens the delay within its bounds")
    func jitterStaysInItsBoundsAndDeviatesBothWays() {
        let chunks = (0..<200).map { (time: Instant.at(Double($0) * 100), bytes: pattern(256, from: $0 * 256)) }
        let got = delivered(.latency(.init(delay: .milliseconds(50), jitter: .milliseconds(20))), chunks)
        let delays = zip(times(got), chunks.flatMap { chunk in chunk.bytes.map { _ in chunk.time } }).map { $0 - $1 }
        #expect(delays.allSatisfy { $0 >= .milliseconds(30) && $0 <= .milliseconds(70) })
        #expect(delays.contains { $0 < .milliseconds(35) })
        #expect(delays.contains { $0 > .milliseconds(65) })
    }

    @Test("jitter depends on the byte's offset and not on how the stream is split into chunks")
    func jitterDependsOnTheByteAndNotOnTheChunk() {
        let bytes = pattern(5000)
        let fault = Fault.Kind.latency(.init(delay: .milliseconds(50), jitter: .milliseconds(40)))
        let whole = delivered(fault, [(.at(1), bytes)])
        let parts = delivered(fault, chunked(bytes, seed: 3).map { (.at(1), $0) })
        #expect(times(whole) == times(parts))
        #expect(Set(times(whole)).count > 2)
        #expect(times(whole) == times(whole).sorted())
    }

    @Test("Bytes in flight arrive earlier when the latency is shortened")
    func underAShorterLatencyNothingComesLaterThanWhatComesNow() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(100))), as: "far", at: 0)
        _ = stage.send("a", from: .client, at: 10)
        #expect(
            stage.begin(.latency(.init(delay: .milliseconds(20))), as: "far", at: 50)
                == ["fault.ended[far] latency", "fault.began[far] latency"]
        )
        _ = stage.send("b", from: .client, at: 60)
        #expect(stage.wait(until: 99) == ["0.070 write 1 server a", "0.080 write 1 server b"])
        _ = stage.send("c", from: .client, at: 100)
        #expect(stage.wait(until: 200) == ["0.120 write 1 server c"])
    }

    @Test("A longer latency delays later bytes but not bytes in flight")
    func aLongerLatencyLeavesAloneWhatIsUnderWay() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .milliseconds(20))), as: "far", at: 0)
        _ = stage.send("a", from: .client, at: 10)
        _ = stage.begin(.latency(.init(delay: .milliseconds(100))), as: "far", at: 15)
        _ = stage.send("b", from: .client, at: 20)
        #expect(stage.wait(until: 200) == ["0.030 write 1 server a", "0.120 write 1 server b"])
    }

    @Test("Bytes in flight are delivered at once when the latency becomes zero")
    func latencyBecomesZero() {
        var stage = Stage.connected()
        _ = stage.begin(.latency(.init(delay: .seconds(60))), as: "far", at: 0)
        for text in ["a", "b"] { _ = stage.send(text, from: .client, at: 10) }
        _ = stage.end(.client, .fin, at: 20)
        let outputs = stage.begin(.latency(.init(delay: .zero)), as: "far", at: 30)
        #expect(
            outputs.filter { !$0.hasPrefix("fault") }
                == ["write 1 server a", "write 1 server b", "end 1 server fin"]
        )
    }

    @Test("A delayed FIN takes the new delay when slow_close is replaced") func anEndThatWaitsTakesOnTheNewDelay() {
        var stage = Stage.connected()
        _ = stage.begin(.slowClose(.init(delay: .seconds(60))), as: "slow", at: 0)
        _ = stage.end(.client, .fin, at: 10)
        #expect(stage.begin(.slowClose(.init(delay: .milliseconds(5))), as: "slow", at: 20).count == 2)
        #expect(stage.wait(until: 100) == ["0.025 end 1 server fin"])
    }

    @Test("Delayed parts take the new delay when slicer is replaced") func partsThatWaitTakeOnTheNewDistance() {
        var stage = Stage.connected()
        _ = stage.begin(.slicer(.init(averageSize: 1, delay: .seconds(1))), as: "cut", at: 0)
        #expect(stage.send("abcd", from: .client, at: 0) == ["write 1 server a"])
        _ = stage.begin(.slicer(.init(averageSize: 1, delay: .milliseconds(10))), as: "cut", at: 500)
        #expect(stage.send("e", from: .client, at: 505) == [])
        _ = stage.end(.client, .fin, at: 506)
        #expect(
            stage.wait(until: 10_000) == [
                "0.510 write 1 server b", "0.520 write 1 server c", "0.530 write 1 server d", "0.540 write 1 server e",
                "0.540 end 1 server fin",
            ]
        )
    }

    // MARK: - bandwidth

    @Test(
        "bandwidth spaces bytes exactly to the nanosecond",
        arguments: [1, 7, 999, 1000, 56_000, 1_000_003, 9_999_999_999] as [Int64]
    )
    func bandwidthIsExactToTheNanosecond(_ rate: Int64) {
        let bytes = pattern(4099)
        let start = Instant.at(3)
        let got = delivered(.bandwidth(.init(rate: rate)), [(start, bytes)], until: .never)
        #expect(got.flatMap(\.bytes) == bytes)
        var passed: Int64 = 0
        for piece in got {
            passed += Int64(piece.bytes.count)
            let exact = (passed * 1_000_000_000 + rate - 1) / rate
            #expect(piece.time == start + TimeSpan(nanoseconds: exact))
        }
        let part = max(1, rate / 50)
        #expect(got.allSatisfy { Int64($0.bytes.count) <= part })
    }

    @Test("bandwidth grants no credit for idle time") func bandwidthAfterAPause() {
        let got = delivered(.bandwidth(.init(rate: 1000)), [(.at(0), pattern(10)), (.at(500), pattern(10))])
        #expect(got.map(\.time) == [.at(10), .at(510)])
    }

    @Test("bandwidth does not depend on how the stream is split into chunks") func bandwidthDoesNotDependOnTheChunks() {
        let bytes = pattern(3000)
        let whole = delivered(.bandwidth(.init(rate: 7001)), [(.at(0), bytes)])
        let parts = delivered(.bandwidth(.init(rate: 7001)), chunked(bytes, seed: 5).map { (.at(0), $0) })
        #expect(parts.flatMap(\.bytes) == bytes)
        #expect(whole.last?.time == parts.last?.time)
        // The undivided stream arrives in fewer pieces. Each piece must end at the same byte and time as some piece of
        // the divided stream.
        let ends = Dictionary(uniqueKeysWithValues: cumulated(parts))
        #expect(cumulated(whole).allSatisfy { ends[$0.0] == $0.1 })
    }

    private func cumulated(_ pieces: [(time: Instant, bytes: [UInt8])]) -> [(Int, Instant)] {
        var offset = 0
        return pieces.map { piece in
            offset += piece.bytes.count
            return (offset, piece.time)
        }
    }

    @Test("A bandwidth of zero holds all bytes until the fault ends") func aRateOfZeroLetsNothingPassUntilItEnds() {
        var stage = Stage.connected()
        _ = stage.begin(.bandwidth(.init(rate: 0)), at: 0)
        _ = stage.send("abc", from: .client, at: 1)
        #expect(stage.relay.nextDeadline == nil)
        #expect(stage.play(.healAll, at: 50) == ["fault.ended[bandwidth] bandwidth", "write 1 server abc"])
    }

    @Test("A changed bandwidth applies from the moment of the change") func anAdjustedRateHoldsFromThatMomentOn() {
        var stage = Stage.connected()
        _ = stage.begin(.bandwidth(.init(rate: 1000)), as: "slow", at: 0)
        _ = stage.feed(.received(LinkID(.only, 1), from: .client, pattern(100)), at: .zero)
        _ = stage.timed(until: .at(49))
        _ = stage.begin(.bandwidth(.init(rate: 100)), as: "slow", at: 50)
        #expect(stage.written[.server]?.count == 50)
        _ = stage.timed(until: .at(549.999999))
        #expect(stage.written[.server]?.count == 98)
        _ = stage.timed(until: .at(550))
        #expect(stage.written[.server] == pattern(100))
    }

    @Test("A full buffer pauses the sender until half of the buffer has drained")
    func aSlowLineThatIsFullIsReadNoMore() {
        var stage = Stage.connected()
        _ = stage.begin(.bandwidth(.init(rate: 1024 * 1024)), at: 0)
        let block = pattern(64 * 1024)
        for _ in 0..<4 {
            #expect(stage.feed(.received(LinkID(.only, 1), from: .server, block), at: .zero) == [])
        }
        #expect(
            stage.feed(.received(LinkID(.only, 1), from: .server, [1]), at: .zero)
                == [.readMode(LinkID(.only, 1), side: .server, .unread)]
        )
        let readModes = stage.timed(until: .at(1000)).filter { if case .readMode = $0.output { true } else { false } }
        #expect(readModes.map(\.output) == [.readMode(LinkID(.only, 1), side: .server, .none)])
        // Reading resumes once half of the buffer has been sent.
        #expect(readModes.allSatisfy { $0.time > .at(120) && $0.time < .at(150) })
    }

    // MARK: - slicer

    @Test("slicer cuts at the same bytes for any split into chunks") func slicesAtTheSameBytesForAnyChunks() {
        let bytes = pattern(3000)
        let fault = Fault.Kind.slicer(.init(averageSize: 100, sizeVariation: 60, delay: .milliseconds(3)))
        let whole = delivered(fault, [(.at(1), bytes)])
        let parts = delivered(fault, chunked(bytes, seed: 11).map { (.at(1), $0) })
        #expect(whole.flatMap(\.bytes) == bytes)
        #expect(times(whole) == times(parts))
        let sizes = whole.dropLast().map(\.bytes.count)
        #expect(sizes.allSatisfy { 40...160 ~= $0 })
        #expect(Set(sizes).count > 5)
        #expect(zip(whole, whole.dropFirst()).allSatisfy { $1.time - $0.time == .milliseconds(3) })
    }

    @Test("slicer without a delay still writes each part separately") func slicesWithoutADelayAreStillSlices() {
        let got = delivered(.slicer(.init(averageSize: 4)), [(.at(1), pattern(10))])
        #expect(got.map(\.bytes.count) == [4, 4, 2])
        #expect(got.allSatisfy { $0.time == .at(1) })
    }

    @Test("slicer writes an incomplete part without waiting for more bytes") func partOfASliceDoesNotWaitForTheRest() {
        let got = delivered(
            .slicer(.init(averageSize: 4, delay: .milliseconds(10))),
            [(.at(1), pattern(2)), (.at(2), pattern(3, from: 2))]
        )
        #expect(got.map(\.time) == [.at(1), .at(2), .at(12)])
        #expect(got.map(\.bytes.count) == [2, 2, 1])
    }

    // MARK: - slow_close

    @Test("slow_close delays only the FIN") func slowCloseDelaysTheFinAlone() {
        var stage = Stage.connected()
        _ = stage.begin(.slowClose(.init(delay: .milliseconds(700))), at: 0)
        #expect(stage.send("x", from: .server, at: 1) == ["write 1 client x"])
        _ = stage.end(.server, .fin, at: 2)
        #expect(stage.wait(until: 1000) == ["0.702 end 1 client fin"])
    }

    @Test("slow_close does not delay a reset") func slowCloseDoesNotKeepAReset() {
        var stage = Stage.connected()
        _ = stage.begin(.slowClose(.init(delay: .milliseconds(700))), at: 0)
        _ = stage.end(.server, .fin, at: 2)
        #expect(stage.end(.server, .rst, at: 3) == ["end 1 client rst"])
    }

    // MARK: - limit_data

    @Test("limit_data stops at the same byte for any split into chunks") func limitsAtTheSameByteForAnyChunks() {
        let bytes = pattern(2000)
        for seed in 0..<20 as Range<UInt64> {
            var stage = Stage.connected()
            _ = stage.begin(.limitData(.init(bytes: 777, stream: .upstream)), at: 0)
            for chunk in chunked(bytes, seed: seed) {
                _ = stage.feed(.received(LinkID(.only, 1), from: .client, chunk), at: .at(1))
            }
            #expect(stage.written[.server] == Array(bytes[..<777]))
        }
    }

    // MARK: - toxicity

    @Test("toxicity applies a fault to the given share of the connections")
    func toxicityHitsAShareOfTheConnections() throws {
        var stage = Stage()
        let share = try #require(Ratio(30, of: 100))
        let fault = Fault(.latency(.init(delay: .seconds(1))), toxicity: share)
        stage.play(.begin(fault, label: nil, clients: nil), at: 0)
        var hit = 0
        for number in 1...400 {
            stage.connect(number, at: 1)
            if stage.send("x", from: .client, link: number, at: 1).isEmpty { hit += 1 }
        }
        #expect(80...160 ~= hit)
    }

    @Test("A toxicity of zero applies a fault to no connection") func toxicityOfZeroHitsNone() {
        var stage = Stage.connected()
        for kind in [Fault.Kind.resetPeer(.init()), .timeout(.init(.milliseconds(1))), .bandwidth(.init(rate: 0))] {
            stage.play(.begin(Fault(kind, toxicity: .never), label: nil, clients: nil), at: 0)
        }
        #expect(stage.wait(until: 10) == [])
        #expect(stage.send("x", from: .client, at: 11) == ["write 1 server x"])
    }
}

/// Divides the bytes into chunks of random size.
func chunked(_ bytes: [UInt8], seed: UInt64) -> [[UInt8]] {
    var generator = SeededGenerator(state: seed)
    var chunks: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
        let count = min(bytes.count - start, 1 + Int(generator.below(300)))
        chunks.append(Array(bytes[start..<(start + count)]))
        start += count
    }
    return chunks
}
