import SquallCore
import Testing

@testable import ScenarioModel

@Suite struct ClientClockTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private static func idle(at seconds: Int64, next: Instant?) -> ClientClock {
        var clock = ClientClock()
        clock.asked(at: at(seconds))
        clock.answered(next: next)
        return clock
    }

    @Test("A client that has answered advance is idle until its next timer, and must be asked again at a later time")
    func answered() {
        let clock = Self.idle(at: 1, next: Self.at(5))
        #expect(clock.idle == .some(Self.at(5)))
        #expect(!clock.needsAdvance(at: Self.at(1)))
        #expect(clock.needsAdvance(at: Self.at(2)))
        #expect(Self.idle(at: 1, next: nil).idle == .some(nil))
    }

    @Test("Something that reaches a client invalidates its answer, also an answer that has not arrived yet")
    func disturbed() {
        var clock = Self.idle(at: 1, next: nil)
        clock.disturb()
        #expect(clock.idle == nil && clock.needsAdvance(at: Self.at(1)))
        clock.asked(at: Self.at(1))
        clock.disturb()
        #expect(clock.isAsked && !clock.needsAdvance(at: Self.at(1)))
        clock.answered(next: Self.at(9))
        #expect(clock.idle == nil && clock.needsAdvance(at: Self.at(1)))
    }

    @Test("A timer that was already due is due now, so that the run's clock never goes back")
    func overdueTimer() {
        #expect(Self.idle(at: 3, next: Self.at(2)).idle == .some(Self.at(3)))
    }

    @Test("Several clients are idle until the earliest timer, and one that is behind keeps all back")
    func several() {
        let early = ClientClocks.idle(next: Self.at(2))
        let late = ClientClocks.idle(next: Self.at(7))
        #expect(late.and(early) == early)
        #expect(early.and(.idle(next: nil)) == early)
        #expect(ClientClocks.real.and(early) == early && early.and(.real) == early)
        #expect(early.and(.unknown) == .unknown && ClientClocks.unknown.and(late) == .unknown)
        let starting = ClientClocks.behind("starting", holdsDeadlines: true)
        let slow = ClientClocks.behind("slow", holdsDeadlines: false)
        for other in [early, .unknown, slow] {
            #expect(starting.and(other) == starting && other.and(starting) == starting)
        }
        #expect(slow.and(.unknown).pendingWork == "slow" && !slow.and(.unknown).holdsDeadlines)
    }
}
