import ScenarioModel
import SquallCore
import Testing

@testable import Live

@Suite struct LeapDecisionTests {
    private static let timeout = TimeSpan.seconds(3)
    private static let start = Instant.seconds(1000)
    private static let deadline = Instant.seconds(60)

    private var turns = QuietTurns(timeout: timeout, startingAt: start)

    @discardableResult
    private mutating func endTurn(hadInput: Bool = false, pendingWork: String? = nil, after span: TimeSpan = .zero)
        -> TimeSpan?
    {
        turns.endTurn(hadInput: hadInput, pendingWork: pendingWork, at: Self.start + span)
    }

    @Test("The clock does not leap after a single quiet turn")
    mutating func oneQuietTurn() {
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
    }

    @Test("After two quiet turns the clock leaps to the next deadline")
    mutating func twoQuietTurns() {
        endTurn()
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .leap(to: Self.deadline))
    }

    @Test("The clock also leaps if the next deadline is already due", arguments: [Instant.zero, start])
    mutating func anyDeadline(_ deadline: Instant) {
        endTurn()
        endTurn()
        #expect(turns.decision(nextDeadline: deadline) == .leap(to: deadline))
    }

    @Test("A run without a deadline is abandoned once it is quiet", arguments: [nil, Instant.never])
    mutating func noDeadline(_ deadline: Instant?) {
        endTurn()
        #expect(turns.decision(nextDeadline: deadline) == .wait)
        endTurn()
        #expect(turns.decision(nextDeadline: deadline) == .abandon)
    }

    @Test(
        "A held run does not leap, even if it is quiet and has a deadline",
        arguments: [nil, deadline, Instant.zero]
    )
    mutating func held(_ deadline: Instant?) {
        #expect(turns.decision(nextDeadline: deadline, isHeld: true) == .pause)
        endTurn()
        endTurn()
        #expect(turns.decision(nextDeadline: deadline, isHeld: true) == .pause)
    }

    @Test("The clock leaps only to the next timer of a client, and not before all clients are known to wait")
    mutating func clients() {
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline, clients: .unknown) == .wait)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline, clients: .unknown) == .askClients)
        #expect(turns.decision(nextDeadline: nil, clients: .unknown) == .askClients)
        let timer = Instant.seconds(5)
        #expect(turns.decision(nextDeadline: Self.deadline, clients: .idle(next: timer)) == .leap(to: timer))
        #expect(turns.decision(nextDeadline: nil, clients: .idle(next: timer)) == .leap(to: timer))
        #expect(turns.decision(nextDeadline: Self.deadline, clients: .idle(next: nil)) == .leap(to: Self.deadline))
        #expect(turns.decision(nextDeadline: nil, clients: .idle(next: nil)) == .abandon)
    }

    @Test("An input between two quiet turns resets the count of quiet turns")
    mutating func inputBetween() {
        endTurn()
        endTurn(hadInput: true)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .leap(to: Self.deadline))
    }

    @Test("A transfer in progress resets the count of quiet turns")
    mutating func underWayBetween() {
        endTurn()
        endTurn(pendingWork: "3 bytes are in transit", after: .milliseconds(1))
        #expect(turns.count == 0)
        endTurn()
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
    }

    @Test("A turn with an input is not quiet, even if nothing is in progress at its end")
    mutating func inputAlone() {
        for _ in 0..<5 { endTurn(hadInput: true) }
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
    }

    @Test("A transfer without progress no longer delays a leap after the time limit")
    mutating func patienceIsExhausted() {
        #expect(endTurn(pendingWork: "a FIN or RST is in transit", after: .milliseconds(2999)) == nil)
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        #expect(endTurn(pendingWork: "a FIN or RST is in transit", after: .seconds(3)) == .seconds(3))
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        #expect(endTurn(pendingWork: "a FIN or RST is in transit", after: .milliseconds(3001)) == .milliseconds(3001))
        #expect(turns.decision(nextDeadline: Self.deadline) == .leap(to: Self.deadline))
    }

    @Test("Each input restarts the time limit for transfers in progress")
    mutating func patienceBeginsWithInput() {
        endTurn(hadInput: true, after: .seconds(2))
        #expect(endTurn(pendingWork: "a FIN or RST is in transit", after: .seconds(4)) == nil)
        #expect(endTurn(pendingWork: "a FIN or RST is in transit", after: .seconds(5)) == .seconds(3))
    }

    @Test("A quiet turn reports no lateness, however long ago the latest input arrived")
    mutating func quietTurnsAndPatience() {
        #expect(endTurn(after: .seconds(10)) == nil)
        #expect(turns.count == 1)
    }

    @Test("A leap resets the count of quiet turns and the time limit for transfers in progress")
    mutating func restart() {
        endTurn()
        endTurn()
        turns.restart(at: Self.start + .seconds(8))
        #expect(turns.decision(nextDeadline: Self.deadline) == .wait)
        #expect(endTurn(pendingWork: "a store is writing", after: .seconds(10)) == nil)
        #expect(endTurn(pendingWork: "a store is writing", after: .seconds(11)) == .seconds(3))
    }
}
