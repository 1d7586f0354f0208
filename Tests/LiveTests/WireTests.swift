import Faults
import Sockets
import SquallCore
import Testing

@testable import Live

/// Tests which bytes and FINs are considered in flight in each read mode.
@Suite struct WireTests {
    private final class End: WireEnd {
        var isOpen = true
        var readMode = ReadMode.none
        var hasEnded = false
        var hasSeenEnd = false
        var undelivered = 0
        func acknowledgeNow() {}
    }

    /// Returns a description of the bytes or FIN in flight from `sender` to `reader`; nil if nothing is in flight.
    private func pendingWork(_ change: (_ sender: End, _ reader: End) -> Void) -> String? {
        let (sender, reader) = (End(), End())
        change(sender, reader)
        return Wire.pendingWork(from: sender, to: reader)
    }

    @Test("Undelivered bytes count as in flight while the receiving side is reading")
    func bytesAreUnderWayWhileTheirReaderReads() {
        #expect(pendingWork { _, _ in } == nil)
        #expect(pendingWork { sender, _ in sender.undelivered = 7 } == "7 bytes are in transit")
    }

    @Test(
        "Bytes and FINs for a paused reader do not count as in flight",
        arguments: [ReadMode.unread, .unacknowledged]
    )
    func bytesAndEndsForASilencedReaderWaitForADeadline(_ readMode: ReadMode) {
        let what = pendingWork { sender, reader in
            sender.undelivered = 7
            sender.hasEnded = true
            reader.readMode = readMode
        }
        #expect(what == nil)
    }

    @Test("Bytes of a sender that receives no acknowledgements do not count as in flight")
    func unacknowledgedSender() {
        let what = pendingWork { sender, _ in
            sender.undelivered = 7
            sender.readMode = .unacknowledged
        }
        #expect(what == nil)
        let stalled = pendingWork { sender, _ in
            sender.undelivered = 7
            sender.readMode = .unread
        }
        #expect(stalled == "7 bytes are in transit")
    }

    @Test("A FIN counts as in flight until the receiving side has seen it") func anEndIsUnderWayUntilItIsSeen() {
        #expect(pendingWork { sender, _ in sender.hasEnded = true } == "a FIN or RST is in transit")
        let seen = pendingWork { sender, reader in
            sender.hasEnded = true
            reader.hasSeenEnd = true
        }
        #expect(seen == nil)
        let gone = pendingWork { sender, _ in
            sender.isOpen = false
            sender.hasEnded = true
            sender.readMode = .unacknowledged
        }
        #expect(gone == "a FIN or RST is in transit")
    }

    @Test("For a closed reader, bytes count as in flight and a FIN does not")
    func aReaderThatIsGoneAnswersBytesAndSeesNoEnd() {
        let bytes = pendingWork { sender, reader in
            sender.undelivered = 7
            reader.isOpen = false
        }
        #expect(bytes == "7 bytes are in transit")
        let end = pendingWork { sender, reader in
            sender.hasEnded = true
            reader.isOpen = false
        }
        #expect(end == nil)
    }

    @Test("A connection attempt counts as in flight unless it is lost or has ended")
    func aCallIsUnderWayUnlessItIsLost() {
        #expect(Wire(.relay(firstLink), .connecting).pendingWork != nil)
        #expect(Wire(.relay(firstLink), .lost).pendingWork == nil)
        #expect(Wire(.relay(firstLink), .over).pendingWork == nil)
    }
}
