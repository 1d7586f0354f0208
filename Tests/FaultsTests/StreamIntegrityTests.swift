import Faults
import SquallCore
import Testing

/// Tests that stream-shaping faults deliver all bytes in order, regardless of when the faults begin, change and end.
@Suite struct StreamIntegrityTests {
    private struct Run: Equatable {
        var sent: [LinkSide: [UInt8]] = [.client: [], .server: []]
        var outputs: [RelayOutput] = []
        /// The number of bytes that arrived intact before the first difference, keyed by sender.
        var matched: [LinkSide: Int] = [:]
        var isBroken = false
    }

    private func randomFault(_ generator: inout SeededGenerator) -> Fault.Kind {
        let stream = Fault.Stream.allCases[Int(generator.below(3))]
        func span(_ limit: UInt64) -> TimeSpan { .milliseconds(Int64(generator.below(limit))) }
        switch generator.below(6) {
        case 0: return .latency(.init(delay: span(80), jitter: span(60), stream: stream))
        case 1: return .bandwidth(.init(rate: Int64(generator.below(60_000)), stream: stream))
        case 2:
            return .slicer(
                .init(
                    averageSize: Int64(1 + generator.below(200)),
                    sizeVariation: Int64(generator.below(150)),
                    delay: span(4),
                    stream: stream
                )
            )
        case 3: return .slowClose(.init(delay: span(50), stream: stream))
        case 4: return .stall(.init(stream: stream))
        default: return .limitData(.init(bytes: 100_000_000, stream: stream))
        }
    }

    /// Runs a stage in which both sides send random bytes while faults begin, change, expire and are healed.
    private func run(seed: UInt64) -> Run {
        var generator = SeededGenerator(state: seed)
        var stage = Stage.connected(seed: seed)
        var run = Run()
        var now = Instant.zero
        func check() {
            for side in LinkSide.allCases where !run.isBroken {
                let got = stage.written[side.opposite] ?? []
                let sent = run.sent[side] ?? []
                let matched = run.matched[side] ?? 0
                run.isBroken = got.count > sent.count || !got[matched...].elementsEqual(sent[matched..<got.count])
                run.matched[side] = got.count
            }
        }
        for _ in 0..<300 {
            now = now + .microseconds(Int64(generator.below(5000)))
            run.outputs += stage.timed(until: now).map(\.output)
            let label = "f\(generator.below(5))"
            switch generator.below(10) {
            case 0..<6:
                let side = LinkSide.allCases[Int(generator.below(2))]
                let bytes = (0..<(1 + generator.below(900))).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                run.sent[side, default: []] += bytes
                run.outputs += stage.feed(.received(LinkID(.only, 1), from: side, bytes), at: now)
            case 6, 7:
                let span: TimeSpan? = generator.below(2) == 0 ? .milliseconds(Int64(generator.below(40))) : nil
                let fault = Fault(randomFault(&generator), for: span)
                run.outputs += stage.feed(.begin(fault, label: label, clients: nil), at: now)
            default:
                run.outputs += stage.feed(.heal(label: label), at: now)
            }
            check()
        }
        run.outputs += stage.feed(.ended(LinkID(.only, 1), side: .client, .fin), at: now)
        run.outputs += stage.feed(.healAll, at: now)
        run.outputs += stage.feed(.ended(LinkID(.only, 1), side: .server, .fin), at: now)
        check()
        return run
    }

    @Test(
        "Every byte arrives once and in order under any combination of traffic-shaping faults",
        arguments: 0..<60 as Range<UInt64>
    )
    func everyByteArrivesOnceAndInOrder(_ seed: UInt64) {
        let run = run(seed: seed)
        #expect(!run.isBroken)
        for side in LinkSide.allCases { #expect(run.matched[side] == run.sent[side]?.count) }
        // The stream to each side must end exactly once, after all of its bytes.
        var ends: [LinkSide] = []
        for output in run.outputs {
            switch output {
            case .end(_, let side, let how):
                #expect(how == .fin)
                ends.append(side)
            case .write(_, let side, _): #expect(!ends.contains(side))
            default: break
            }
        }
        #expect(ends.sorted { $0.rawValue < $1.rawValue } == [.client, .server])
        #expect(run.outputs.contains { if case .readMode = $0 { true } else { false } })
    }

    @Test("The same seed gives the same outputs of the relay", arguments: [3, 17] as [UInt64])
    func theSameSeedGivesTheSameOutputs(_ seed: UInt64) {
        #expect(run(seed: seed) == run(seed: seed))
    }

    @Test("Adding a fault does not change the random numbers of an existing fault") func anotherFaultMovesNoDraw() {
        func times(withMore: Bool) -> [Instant] {
            var stage = Stage(seed: 7)
            if withMore {
                _ = stage.begin(.slicer(.init(averageSize: 10, sizeVariation: 9)), as: "s", at: 0)
                _ = stage.play(.heal(label: "s"), at: 0)
                stage.connect(1)
                _ = stage.begin(
                    .latency(.init(delay: .zero, jitter: .milliseconds(9), stream: .downstream)),
                    as: "o",
                    at: 0
                )
            } else {
                stage.connect(1)
            }
            _ = stage.begin(
                .latency(.init(delay: .milliseconds(50), jitter: .milliseconds(40), stream: .upstream)),
                as: "l",
                at: 0
            )
            return (1...10).flatMap { part in
                let input = RelayInput.received(LinkID(.only, 1), from: .client, [UInt8](repeating: 1, count: 256))
                _ = stage.feed(input, at: .at(Double(part) * 100))
                return stage.timed(until: .at(Double(part) * 100 + 99)).map(\.time)
            }
        }
        #expect(times(withMore: false) == times(withMore: true))
        #expect(times(withMore: false).count == 10)
    }

    @Test("Different seeds give different random numbers") func anotherSeedGivesOtherDraws() {
        func times(_ seed: UInt64) -> [Instant] {
            var stage = Stage.connected(seed: seed)
            _ = stage.begin(.latency(.init(delay: .milliseconds(50), jitter: .milliseconds(40))), at: 0)
            _ = stage.send("x", from: .client, at: 1)
            return stage.timed(until: .at(1000)).map(\.time)
        }
        #expect(times(1) != times(2))
    }
}
