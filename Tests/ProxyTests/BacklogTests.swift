import Testing

@testable import Proxy

struct BacklogTests {

    @Test("Small pending parts are written together and in order") func smallPartsGoOnTogetherAndInOrder() {
        var backlog = Backlog()
        let all = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var written: [UInt8] = []
        for byte in all[..<10] { backlog.append([byte]) }
        // The simulated socket accepts half of the bytes.
        backlog.drain { bytes in
            written += bytes.prefix(5)
            return 5
        }
        for byte in all[10...] { backlog.append([byte]) }
        #expect(backlog.count == all.count - 5)
        var calls = 0
        backlog.drain { bytes in
            calls += 1
            written += bytes
            return bytes.count
        }
        #expect(written == all && backlog.isEmpty)
        #expect(calls == 3)
    }

    @Test("A backlog begins with the unwritten rest of a partial write") func partialWrite() {
        var backlog = Backlog()
        backlog.begin(with: Array("abcdef".utf8), at: 2)
        #expect(backlog.count == 4)
        backlog.append(Array("gh".utf8))
        var taken: [UInt8] = []
        // The socket accepts three bytes at a time.
        while !backlog.isEmpty {
            backlog.drain { bytes in
                let part = bytes.prefix(3)
                taken += part
                return part.count
            }
        }
        #expect(taken == Array("cdefgh".utf8))
        backlog.begin(with: [1], at: 0)
        backlog.removeAll()
        #expect(backlog.isEmpty)
    }
}
