import SquallCore
import TemporalLogic
import Testing

@Suite struct CountTests {
    private func judged(
        _ bound: CountBound,
        times: [Instant],
        inAny window: TimeSpan? = nil,
        within limit: TimeSpan? = nil,
        end: Instant = ms(1000),
        finished: Bool = true,
        tolerance: Tolerance = .none
    ) -> Verdict {
        let entries = times.map { event($0, "client.sent.ping") }
        let formula = Formula.count(happens("client.sent.ping"), bound, inAny: window)
        return judge(formula, within: limit, entries, end: end, finished: finished, tolerance: tolerance)
    }

    @Test(
        "'count' supports exactly, at least and at most",
        arguments: [
            (CountBound.exactly(2), 1, Outcome.fail), (.exactly(2), 2, .pass), (.exactly(2), 3, .fail),
            (.atLeast(2), 1, .fail), (.atLeast(2), 2, .pass), (.atLeast(2), 3, .pass),
            (.atMost(2), 0, .pass), (.atMost(2), 2, .pass), (.atMost(2), 3, .fail),
            (.exactly(0), 0, .pass), (.exactly(0), 1, .fail), (.atLeast(0), 0, .pass),
        ]
    )
    func bounds(bound: CountBound, count: Int, outcome: Outcome) {
        let times = (0..<count).map { ms(Int64($0) * 10) }
        #expect(judged(bound, times: times).outcome == outcome)
    }

    @Test("The reason for a failed 'count' states how often the event occurred")
    func text() {
        let verdict = judged(.exactly(1), times: [ms(100), ms(200)])
        #expect(
            verdict.reason.text
                == "client.sent.ping happened 2 times by 0.200; expected exactly 1, from the start of the run"
        )
        #expect(verdict.reason.events == [0, 1])
        let none = judged(.exactly(1), times: [])
        #expect(
            none.reason.text
                == "client.sent.ping did not happen by 1.000; expected exactly 1, from the start of the run"
        )
    }

    @Test("A count that can still increase is inconclusive until the script has finished")
    func unfinished() {
        #expect(judged(.exactly(0), times: [], finished: false).outcome == .inconclusive)
        #expect(judged(.exactly(1), times: [ms(1)], finished: false).outcome == .inconclusive)
        #expect(judged(.atMost(1), times: [], finished: false).outcome == .inconclusive)
        #expect(judged(.atLeast(1), times: [ms(1)], finished: false).outcome == .pass)
        #expect(judged(.atLeast(1), times: [], finished: false).outcome == .inconclusive)
        #expect(judged(.exactly(1), times: [ms(1), ms(2)], finished: false).outcome == .fail)
    }

    @Test(
        "With a bound, 'count' includes an event at the bound and excludes later events",
        arguments: [
            (ms(500), Outcome.fail), (ms(500, 1), .pass),
        ]
    )
    func within(second: Instant, outcome: Outcome) {
        #expect(judged(.exactly(1), times: [ms(100), second], within: .milliseconds(500)).outcome == outcome)
    }

    @Test(
        "With in_any, a window includes both of its ends",
        arguments: [
            (ms(200), Outcome.fail), (ms(200, 1), .pass),
        ]
    )
    func windowMost(third: Instant, outcome: Outcome) {
        let verdict = judged(.atMost(2), times: [ms(100), ms(150), third], inAny: .milliseconds(100))
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text
                    == "client.sent.ping happened 3 times from 0.100 to 0.200; expected at most 2 in any 100ms, from the start "
                    + "of the run"
            )
        }
    }

    @Test("With in_any, a window can start at any event, not only at multiples of its length")
    func sliding() {
        let times = [ms(0), ms(90), ms(110), ms(300)]
        #expect(judged(.atMost(1), times: [ms(90), ms(110)], inAny: .milliseconds(100)).outcome == .fail)
        #expect(judged(.atMost(2), times: times, inAny: .milliseconds(100)).outcome == .pass)
        #expect(judged(.atMost(2), times: times, inAny: .milliseconds(110)).outcome == .fail)
    }

    @Test(
        "'at_least' with one event in any window is judged from the start of the run and between events",
        arguments: [
            ([ms(300), ms(600), ms(900)], Outcome.pass), ([ms(300, 1), ms(600), ms(900)], .fail),
            ([ms(300), ms(600, 1), ms(900)], .fail), ([ms(300), ms(600)], .fail), ([ms(300), ms(600), ms(700)], .pass),
        ]
    )
    func windowLeast(times: [Instant], outcome: Outcome) {
        #expect(judged(.atLeast(1), times: times, inAny: .milliseconds(300)).outcome == outcome)
    }

    @Test("'at_least' with two events in any window fails if one window has only one event")
    func windowLeastOfTwo() {
        let even = (1...10).map { ms(Int64($0) * 100) }
        #expect(judged(.atLeast(2), times: even, inAny: .milliseconds(200)).outcome == .pass)
        let missing = even.filter { $0 != ms(500) }
        let verdict = judged(.atLeast(2), times: missing, inAny: .milliseconds(200))
        #expect(verdict.outcome == .fail)
        #expect(
            verdict.reason.text
                == "client.sent.ping happened once from 0.300 to 0.500; expected at least 2 in any 200ms, from the start of the "
                + "run"
        )
    }

    @Test("'exactly' with one event in any window means at least one and at most one")
    func windowExactly() {
        let even = (1...4).map { ms(Int64($0) * 250) }
        #expect(judged(.exactly(1), times: even, inAny: .milliseconds(250)).outcome == .fail)
        #expect(judged(.exactly(1), times: even, inAny: .milliseconds(249, 999_999)).outcome == .fail)
        let once = [ms(250)]
        #expect(judged(.exactly(1), times: once, inAny: .milliseconds(400), end: ms(600)).outcome == .pass)
        #expect(judged(.exactly(1), times: once + [ms(600)], inAny: .milliseconds(400), end: ms(600)).outcome == .fail)
    }

    @Test("Counting a state counts each time the state begins to hold")
    func states() {
        let words: [JSON] = ["connected", "offline", "connected", "connected", "offline"]
        let entries = words.enumerated().map { set(ms(Int64($0.offset) * 10), "connection.state", $0.element) }
        #expect(judge(.count(connected, .exactly(2), inAny: nil), entries, end: ms(500)).outcome == .pass)
    }

    @Test("A tolerance neither shortens the windows of 'at_most' nor extends the bound in which 'at_most' counts")
    func tolerance() {
        let tolerance = Tolerance(fixed: .milliseconds(10))
        #expect(
            judged(.atMost(1), times: [ms(100), ms(195)], inAny: .milliseconds(100), tolerance: tolerance).outcome
                == .fail
        )
        // The second event is 5 ms after the bound. The tolerance does not extend the bound, so the event is not
        // counted.
        let late = judged(.atMost(1), times: [ms(100), ms(505)], within: .milliseconds(500), tolerance: tolerance)
        #expect(late.outcome == .pass)
    }

    @Test(
        "A lower limit for any window is judged only if the run contains a whole window",
        arguments: [
            (CountBound.atLeast(5), TimeSpan.seconds(36_000), Outcome.inconclusive),
            (.exactly(3), .seconds(36_000), .inconclusive), (.exactly(0), .seconds(36_000), .pass),
            (.atMost(2), .seconds(36_000), .pass), (.atLeast(1), .milliseconds(1001), .inconclusive),
            (.atLeast(1), .milliseconds(1000), .fail),
        ]
    )
    func longStretch(bound: CountBound, window: TimeSpan, outcome: Outcome) {
        #expect(judged(bound, times: [], inAny: window).outcome == outcome)
    }

    @Test("If no whole window has passed, the verdict says so, but an exceeded upper limit still fails")
    func longStretchText() {
        #expect(
            judged(.exactly(3), times: [ms(1)], inAny: .seconds(36_000)).reason.text
                == "no window of 10h ended by 1.000, from the start of the run"
        )
        let most = judged(.exactly(1), times: [ms(1), ms(2)], inAny: .seconds(36_000))
        #expect(most.outcome == .fail)
        #expect(judged(.exactly(.max), times: [ms(1)], inAny: .seconds(1)).outcome == .fail)
    }
}

extension TimeSpan {
    fileprivate static func milliseconds(_ count: Int64, _ nanoseconds: Int64) -> TimeSpan {
        .milliseconds(count) + TimeSpan(nanoseconds: nanoseconds)
    }
}
