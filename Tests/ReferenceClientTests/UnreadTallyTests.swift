import SquallCore
import Testing

@testable import ReferenceClient

/// Tests the unread count of one conversation.
@Suite struct UnreadTallyTests {
    /// Returns a tally with `count` messages that are not known individually, and one message for each sequence number.
    private func tally(_ count: Int64 = 0, _ sequences: Int64...) -> UnreadTally {
        var tally = UnreadTally(["count": .integer(count)])
        for sequence in sequences { tally.add("m\(sequence)", sequence: sequence) }
        return tally
    }

    @Test("The total adds messages that are only counted and messages that are known individually")
    func theTotalAddsBothCounts() {
        #expect(tally().total == 0)
        #expect(tally(2, 7, 8).total == 4)
        #expect(tally(2, 7, 8).total(through: 7) == 3)
        #expect(tally(2, 7, 8).total(through: nil) == 4)
    }

    @Test("Reading messages subtracts the oldest unread messages first")
    func aReadingTakesTheOldestFirst() {
        var tally = tally(2, 7, 8, 9)
        #expect(tally.read(leaving: 2, isUpToPushes: false, isRepeated: false) == 3)
        #expect(tally.unseen.map(\.key) == ["m8", "m9"])
        #expect(tally.others == 0)
        #expect(tally.read(leaving: 2, isUpToPushes: false, isRepeated: false) == 0)
        #expect(tally.read(leaving: 5, isUpToPushes: false, isRepeated: false) == 0, "a reading takes nothing back")
        #expect(tally.read(leaving: 0, isUpToPushes: false, isRepeated: false) == 2)
        #expect(tally.total == 0)
    }

    /// The list of conversations arrives over HTTP, so it may arrive before messages that it already counts.
    @Test("A message included in the server's count is not counted again when it arrives")
    func messagesInTheServersCountAreNotCountedAgain() {
        var tally = tally()
        tally.counted(3, through: 9)
        tally.add("m8", sequence: 8)
        tally.add("m9", sequence: 9)
        #expect(tally.total == 3)
        tally.add("m10", sequence: 10)
        #expect(tally.total == 4)
        tally.add("m7", sequence: 7)
        #expect(tally.total == 4)
        #expect(tally.unseen.map(\.key) == ["m7", "m8", "m9", "m10"])
    }

    @Test("The number of read messages known only as a count is returned once")
    func readByNumberIsReturnedOnce() {
        var tally = tally(5, 7)
        _ = tally.read(leaving: 0, isUpToPushes: false, isRepeated: false)
        #expect(tally.takeReadByNumber() == 5)
        #expect(tally.takeReadByNumber() == 0)
    }

    @Test("The server's count replaces the client's count up to the sequence number that it covers")
    func theServersCountReplacesWhatItCanKnow() {
        var tally = tally(9, 7, 8, 9)
        tally.counted(1, through: 8)
        #expect(tally.total == 2)
        #expect(tally.unseen.map(\.key) == ["m8", "m9"])
        tally.counted(0, through: 9)
        #expect(tally.total == 0)
        tally.counted(3, through: nil)
        #expect(tally.total == 3)
    }

    @Test("A deleted message is subtracted from the count once")
    func aDeletedMessageComesOffOnce() {
        var tally = tally(1, 7)
        tally.remove("m7", leaving: 0)
        tally.remove("m7", leaving: 1)
        #expect(tally.total == 1, "a message older than all unread ones was read")
        tally.remove("m6", leaving: 0)
        #expect(tally.total == 0)
    }

    @Test(
        "Unread counts are capped, and adding to them does not overflow",
        arguments: [Int64.max, Int64.max - 1, 1 << 40]
    )
    func noCountIsTooLargeToAddTo(count: Int64) {
        var tally = tally(count)
        tally.add("m1", sequence: 1)
        tally.add(count)
        tally.add(count)
        #expect(tally.total >= UnreadTally.most)
        tally.counted(count, through: nil)
        #expect(tally.total == UnreadTally.most)
        #expect(tally.read(leaving: 0, isUpToPushes: false, isRepeated: false) == UnreadTally.most)
        #expect(tally.total == 0)
    }

    @Test("A negative unread count becomes zero", arguments: [Int64.min, -1])
    func nothingIsUnreadLessThanOnce(count: Int64) {
        var tally = tally(count)
        #expect(tally.total == 0)
        tally.counted(count, through: nil)
        #expect(tally.total == 0)
    }
}
