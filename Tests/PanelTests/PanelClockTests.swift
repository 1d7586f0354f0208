import SquallCore
import Testing
import Trace

@testable import Panel

@Suite("The clock of a panel")
struct PanelClockTests {
    private static func event(_ name: String, _ time: TimeSpan) -> TraceEvent {
        TraceEvent(index: 0, time: .zero + time, client: nil, observation: .happened(name, by: .observed))
    }

    @Test("The clock runs between events and is never set back by an event that arrives late")
    func goesOn() {
        let begin = ContinuousClock.now
        var clock = PanelClock()
        #expect(clock.time(at: begin) == .zero)
        clock.observe(Self.event("server.started", .seconds(2)), at: begin)
        #expect(clock.time(at: begin + .seconds(3)) == .zero + .seconds(5))
        clock.observe(Self.event("server.stopped", .seconds(4)), at: begin + .seconds(6))
        #expect(clock.time(at: begin + .seconds(6)) == .zero + .seconds(8))
    }

    @Test("The clock stops while the run is held, and continues from the same time")
    func stands() {
        let begin = ContinuousClock.now
        var clock = PanelClock()
        clock.observe(Self.event("server.started", .zero), at: begin)
        clock.observe(Self.event("run.hold_began", .seconds(1)), at: begin + .seconds(1))
        #expect(clock.time(at: begin + .seconds(500)) == .zero + .seconds(1))
        clock.observe(Self.event("run.hold_ended", .seconds(1)), at: begin + .seconds(600))
        #expect(clock.time(at: begin + .seconds(602)) == .zero + .seconds(3))
    }
}
