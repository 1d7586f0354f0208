import Adapter
import SquallCore
import Testing

@testable import ScenarioModel

@Suite struct ClientClockTests {
    private static func at(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

    private static func idle(at seconds: Int64, next: Instant?) throws -> ClientClock {
        var clock = ClientClock()
        clock.asked(at: at(seconds))
        try clock.answered(next: next)
        return clock
    }

    @Test("A client that has answered advance is idle until its next timer, and must be asked again at a later time")
    func answered() throws {
        let clock = try Self.idle(at: 1, next: Self.at(5))
        #expect(clock.idle == .some(Self.at(5)))
        #expect(!clock.needsAdvance(at: Self.at(1)))
        #expect(clock.needsAdvance(at: Self.at(2)))
        #expect(try Self.idle(at: 1, next: nil).idle == .some(nil))
    }

    @Test("Something that reaches a client invalidates its answer, also an answer that has not arrived yet")
    func disturbed() throws {
        var clock = try Self.idle(at: 1, next: nil)
        clock.disturb()
        #expect(clock.idle == nil && clock.needsAdvance(at: Self.at(1)))
        clock.asked(at: Self.at(1))
        clock.disturb()
        #expect(clock.isAsked && !clock.needsAdvance(at: Self.at(1)))
        try clock.answered(next: Self.at(1))
        #expect(clock.idle == nil && clock.needsAdvance(at: Self.at(1)))
    }

    @Test("A timer that is not after the time of advance is the client's failure", arguments: [Int64(2), 3])
    func overdueTimer(next: Int64) {
        #expect(throws: AdapterFailure.Kind.overdueTimer(next: Self.at(next), now: Self.at(3))) {
            try Self.idle(at: 3, next: Self.at(next))
        }
    }

    @Test("A client whose timers are always due at once fails after a bounded number of answers")
    func timersTooClose() throws {
        func answer(_ count: Int, with clock: inout ClientClock, at start: Instant) throws {
            for step in 0..<Int64(count) {
                let now = start + TimeSpan(nanoseconds: step)
                clock.asked(at: now)
                try clock.answered(next: now + TimeSpan(nanoseconds: 1))
            }
        }
        var clock = ClientClock()
        try answer(ClientClock.shortStepLimit, with: &clock, at: Self.at(1))
        clock.asked(at: Self.at(2))
        try clock.answered(next: Self.at(2) + ClientClock.shortStep)
        try answer(ClientClock.shortStepLimit, with: &clock, at: Self.at(3))
        #expect(throws: AdapterFailure.Kind.self) { try answer(1, with: &clock, at: Self.at(4)) }
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
