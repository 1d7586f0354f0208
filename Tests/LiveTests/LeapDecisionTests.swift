import SquallCore
import Testing

@testable import Live

@Suite struct LeapDecisionTests {
    private static let patience = TimeSpan.seconds(3)
    private static let start = Instant.seconds(1000)
    private static let deadline = Instant.seconds(60)

    private var turns = QuietTurns(patience: patience, startingAt: start)

    @discardableResult
    private mutating func endTurn(hadInput: Bool = false, underWay: String? = nil, after span: TimeSpan = .zero)
        -> TimeSpan?
    {
        turns.endTurn(hadInput: hadInput, underWay: underWay, at: Self.start + span)
    }

    @Test("one quiet turn is not enough to leap")
    mutating func oneQuietTurn() {
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
    }

    @Test("after two quiet turns the clock leaps to the next deadline")
    mutating func twoQuietTurns() {
        endTurn()
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .leap(to: Self.deadline))
    }

    @Test("a deadline that is due already is leapt to, too", arguments: [Instant.zero, start])
    mutating func anyDeadline(_ deadline: Instant) {
        endTurn()
        endTurn()
        #expect(turns.decision(nextDeadline: deadline) == .leap(to: deadline))
    }

    @Test("a run without a deadline is abandoned once it is quiet", arguments: [nil, Instant.never])
    mutating func noDeadline(_ deadline: Instant?) {
        endTurn()
        #expect(turns.decision(nextDeadline: deadline) == .wait)
        endTurn()
        #expect(turns.decision(nextDeadline: deadline) == .abandon)
    }

    @Test("an input between two quiet turns starts the count again")
    mutating func inputBetween() {
        endTurn()
        endTurn(hadInput: true)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .leap(to: Self.deadline))
    }

    @Test("something under way starts the count again")
    mutating func underWayBetween() {
        endTurn()
        endTurn(underWay: "3 bytes are under way", after: .milliseconds(1))
        #expect(turns.count == 0)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
    }

    @Test("a turn with an input is not quiet, even when nothing is under way at its end")
    mutating func inputAlone() {
        for _ in 0..<5 { endTurn(hadInput: true) }
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
    }

    @Test("something under way that never moves stops counting when the patience is exhausted")
    mutating func patienceIsExhausted() {
        #expect(endTurn(underWay: "an end is under way", after: .milliseconds(2999)) == nil)
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        #expect(endTurn(underWay: "an end is under way", after: .seconds(3)) == .seconds(3))
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        #expect(endTurn(underWay: "an end is under way", after: .milliseconds(3001)) == .milliseconds(3001))
        #expect(turns.decision(nextDeadline: Self.deadline) == .leap(to: Self.deadline))
    }

    @Test("the patience begins anew with each input")
    mutating func patienceBeginsWithInput() {
        endTurn(hadInput: true, after: .seconds(2))
        #expect(endTurn(underWay: "an end is under way", after: .seconds(4)) == nil)
        #expect(endTurn(underWay: "an end is under way", after: .seconds(5)) == .seconds(3))
    }

    @Test("a quiet turn reports no lateness, however long ago the latest input came")
    mutating func quietTurnsAndPatience() {
        #expect(endTurn(after: .seconds(10)) == nil)
        #expect(turns.count == 1)
    }

    @Test("a leap starts both the count and the patience again")
    mutating func restart() {
        endTurn()
        endTurn()
        turns.restart(at: Self.start + .seconds(8))
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        #expect(endTurn(underWay: "a store is writing", after: .seconds(10)) == nil)
        #expect(endTurn(underWay: "a store is writing", after: .seconds(11)) == .seconds(3))
    }
}
