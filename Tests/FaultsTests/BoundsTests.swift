import Faults
import SquallCore
import Testing

/// Tests how many bytes and chunks a link buffers before it pauses the sender, even if each byte is a separate chunk.
@Suite struct BoundsTests {
    private func link(_ kind: Fault.Kind) -> FaultedLink {
        var link = FaultedLink(LinkID(ClientID("p"), 1))
        let appliedFault = AppliedFault(number: 1, fault: Fault(kind), seed: Seed(1), randomStreamPrefix: "t")
        _ = link.accept([appliedFault], at: .zero)
        _ = link.upstreamOpened(at: .zero)
        return link
    }

    private func readModes(_ outputs: [RelayOutput]) -> [ReadMode] {
        outputs.compactMap { output in
            if case .readMode(_, .client, let readMode) = output { readMode } else { nil }
        }
    }

    @Test("A link with many small parts pauses its sender before its limit of bytes")
    func manyPartsStopTheSenderBeforeManyBytesDo() {
        var link = link(.bandwidth(Fault.Bandwidth(rate: 1)))
        let piece = [UInt8](repeating: 1, count: 1024)
        for _ in 0..<16 {
            #expect(readModes(link.received(piece, from: .client, at: .zero)) == [])
        }
        #expect(readModes(link.received(piece, from: .client, at: .zero)) == [.unread])
        // Reading resumes once half of the chunks have been sent.
        #expect(readModes(link.advance(to: .zero + .seconds(9000))) == [])
        #expect(readModes(link.advance(to: .zero + .seconds(9300))) == [.none])
    }

    /// The arguments are a delay in microseconds and the number of bytes that may be in flight.
    @Test(
        "The number of bytes that a latency may hold grows with its delay, up to a limit",
        arguments: [(5, 256 * 1024), (100, 3200 * 1024), (5000, 32 << 20), (60_000_000, 32 << 20)] as [(Int64, Int)]
    )
    func aDelayHoldsWhatIsOnItsWay(_ microseconds: Int64, _ capacity: Int) {
        var link = link(.latency(Fault.Latency(delay: .microseconds(microseconds))))
        let piece = [UInt8](repeating: 1, count: 64 * 1024)
        var taken = 0
        while taken <= capacity, readModes(link.received(piece, from: .client, at: .zero)) == [] {
            taken += piece.count
        }
        #expect(taken == capacity / piece.count * piece.count)
    }

    @Test("A fault that cuts the stream into small parts limits the size of the chunks read")
    func aFaultThatCutsIsFedInSmallBites() {
        #expect(link(.slicer(Fault.Slicer(averageSize: 1))).chunkLimit(from: .client) == 256)
        #expect(link(.slicer(Fault.Slicer(averageSize: .max))).chunkLimit(from: .client) >= 1 << 20)
        #expect(link(.bandwidth(Fault.Bandwidth(rate: 100))).chunkLimit(from: .client) == 512)
        #expect(link(.slowHTTP(Fault.SlowHTTP(headers: 1))).chunkLimit(from: .client) == 256)
        #expect(link(.latency(Fault.Latency(delay: .seconds(1)))).chunkLimit(from: .client) == .max)
    }
}
