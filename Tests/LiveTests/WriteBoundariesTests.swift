import Testing

@testable import Live

@Suite struct WriteLedgerTests {
    private func ledger(_ lengths: Int...) -> WriteBoundaries {
        var ledger = WriteBoundaries()
        for length in lengths { ledger.wrote(length) }
        return ledger
    }

    @Test("A read that spans several writes is split at the ends of the writes")
    func aReadOverSeveralWritesIsCutBetweenThem() {
        var ledger = ledger(2, 1, 3)
        #expect(ledger.pieces(of: [1, 2, 3, 4, 5, 6]) == [[1, 2], [3], [4, 5, 6]])
    }

    @Test("A write that spans several reads is returned as one piece per read")
    func aWriteOverSeveralReadsComesInTheirPieces() {
        var ledger = ledger(5, 2)
        #expect(ledger.pieces(of: [1, 2]) == [[1, 2]])
        #expect(ledger.pieces(of: [3, 4, 5, 6]) == [[3, 4, 5], [6]])
        #expect(ledger.pieces(of: [7]) == [[7]])
    }

    @Test("Bytes beyond the recorded writes are returned as one piece") func bytesBeyondTheWrites() {
        var ledger = ledger()
        #expect(ledger.pieces(of: [1, 2, 3]) == [[1, 2, 3]])
        ledger.wrote(1)
        #expect(ledger.pieces(of: [4, 5, 6]) == [[4], [5, 6]])
    }

    @Test("All bytes are returned in order for any read size", arguments: [1, 3, 7, 64, 1000])
    func nothingIsLostHoweverItIsRead(_ size: Int) {
        var ledger = WriteBoundaries()
        let all = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        var written = 0
        var length = 1
        while written < all.count {
            let count = min(length % 40 + 1, all.count - written)
            ledger.wrote(count)
            written += count
            length += 1
        }
        var seen: [UInt8] = []
        for start in stride(from: 0, to: all.count, by: size) {
            seen += ledger.pieces(of: Array(all[start..<min(start + size, all.count)])).flatMap { $0 }
        }
        #expect(seen == all)
    }
}
