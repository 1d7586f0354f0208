import SquallCore
import Testing

@testable import ScenarioModel

@Suite("The end of a run") struct RunEndTests {
    private static func seconds(_ number: Int64) -> Instant { .zero + .seconds(number) }

    private static let inclusive = TimeSpan(nanoseconds: 1)

    @Test("A run does not end before its script")
    func scriptGoesOn() {
        var end = RunEnd(playOn: .zero)
        end.advance(to: Self.seconds(1000))
        #expect(!end.isOver && end.deadline == nil)
    }

    @Test("Without open bounds a run ends immediately after its script")
    func endsWithTheScript() {
        var end = RunEnd(playOn: .zero)
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5)))
        end.advance(to: Self.seconds(5))
        #expect(!end.isOver, "what happens at the last instant still counts")
        end.advance(to: Self.seconds(5) + Self.inclusive)
        #expect(end.isOver)
    }

    @Test("A run lasts until the latest of play_on, the open bounds and the awaited faults")
    func theLatestHolds() {
        var end = RunEnd(playOn: .seconds(2))
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5)))
        #expect(end.deadline == Self.seconds(7) + Self.inclusive)
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5), requiredRunEnd: Self.seconds(9)))
        #expect(end.deadline == Self.seconds(9) + Self.inclusive)
        end.update(
            RunEnd.Inputs(scriptEnd: Self.seconds(5), requiredRunEnd: Self.seconds(9), faultEnd: Self.seconds(20))
        )
        #expect(end.deadline == Self.seconds(20) + Self.inclusive)
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5)))
        #expect(end.deadline == Self.seconds(7) + Self.inclusive, "a bound that is met holds nothing")
    }

    @Test("Bounds that keep opening further bounds prolong a run by at most an hour")
    func prolongation() {
        var end = RunEnd(playOn: .zero)
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5), requiredRunEnd: Self.seconds(10)))
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5), requiredRunEnd: Self.seconds(5000)))
        #expect(end.deadline == Self.seconds(3610) + Self.inclusive)
    }

    @Test("A run whose script is stuck is not prolonged")
    func stuck() {
        var end = RunEnd(playOn: .zero)
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5), isStuck: true, requiredRunEnd: Self.seconds(10)))
        end.update(RunEnd.Inputs(scriptEnd: Self.seconds(5), isStuck: true, requiredRunEnd: Self.seconds(12)))
        #expect(end.deadline == Self.seconds(10) + Self.inclusive)
    }

    @Test("An interrupted or abandoned run ends at once")
    func atOnce() {
        var interrupted = RunEnd(playOn: .seconds(60))
        interrupted.interrupt()
        #expect(interrupted.isOver && interrupted.isInterrupted && interrupted.abandonReason == nil)
        var abandoned = RunEnd(playOn: .seconds(60))
        abandoned.abandon("a livelock")
        #expect(abandoned.isOver && !abandoned.isInterrupted && abandoned.abandonReason == "a livelock")
    }
}
