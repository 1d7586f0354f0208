import Faults
import SquallCore
import Testing

@Suite struct CorruptTests {
    /// Sends the chunks from the client, and returns the bytes that reach the server.
    private func delivered(_ fault: Fault.Corrupt, seed: UInt64 = 1, _ pieces: [[UInt8]]) -> [UInt8] {
        var stage = Stage.connected(seed: seed)
        _ = stage.begin(.corrupt(fault), at: 0)
        for piece in pieces { stage.play(.received(LinkID(.only, 1), from: .client, piece), at: 1) }
        return stage.written[.server] ?? []
    }

    private func places(_ bytes: [UInt8]) -> [Int] {
        bytes.indices.filter { bytes[$0] != 0 }
    }

    @Test("'corrupt' with at_byte changes exactly the given byte") func corruptsTheGivenByte() {
        let zeros = [UInt8](repeating: 0, count: 10)
        #expect(places(delivered(.init(atByte: 13), [zeros, zeros])) == [13])
    }

    @Test("The corrupted bytes depend on the seed and not on the chunks") func placesDependOnTheSeedAndNotOnTheCuts() {
        let zeros = [UInt8](repeating: 0, count: 100_000)
        let whole = delivered(.init(oneIn: 1000), [zeros])
        let cut = stride(from: 0, to: 100_000, by: 700).map { Array(zeros[$0..<min($0 + 700, 100_000)]) }
        #expect(delivered(.init(oneIn: 1000), cut) == whole)
        #expect(whole.count == 100_000)
        #expect(80...125 ~= places(whole).count)
        #expect(delivered(.init(oneIn: 1000), seed: 2, [zeros]) != whole)
        #expect(places(delivered(.init(oneIn: 1), [[UInt8](repeating: 0, count: 50)])).count == 50)
    }
}
