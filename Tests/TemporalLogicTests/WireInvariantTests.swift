import SquallCore
import TemporalLogic
import Testing

/// Tests the invariants for a client that reports nothing and is judged by its traffic alone.
@Suite struct WireInvariantTests {
    private static let tolerance = Tolerance(fixed: .milliseconds(50), share: .never)

    private static func attempt(_ time: Instant, _ number: Int64, after: TimeSpan? = nil) -> Entry {
        var fields: JSON = ["number": .integer(number)]
        if let after { fields.set("after", to: .integer(after.nanoseconds)) }
        return observed(time, "client.attempt.began", fields)
    }

    private static func observed(_ time: Instant, _ name: String, _ fields: JSON = [:]) -> Entry {
        var entry = event(time, name, fields)
        entry.observation.provenance = .observed
        return entry
    }

    private static func link(_ time: Instant, _ word: JSON) -> Entry { set(time, "link.state", word) }

    private static func broken(at time: Instant) -> [Entry] {
        [
            event(ms(0), "client.started"), attempt(ms(1), 1), link(ms(100), "connected"),
            observed(time, "client.disconnected"), link(time, "none"),
        ]
    }

    @Test(
        "backoff_envelope: the delay between observed attempts must be within the limits plus the tolerance",
        arguments: [
            (TimeSpan.milliseconds(1_000), Outcome.pass), (.milliseconds(1_250), .pass), (.milliseconds(951), .pass),
            (.milliseconds(949), .fail), (.milliseconds(1_301), .fail), (.milliseconds(2), .fail),
        ]
    )
    func distance(after: TimeSpan, outcome: Outcome) {
        let entries = Self.broken(at: ms(5_000)) + [Self.attempt(ms(5_000) + after, 1, after: after)]
        let verdict = judge(.backoffEnvelope, entries, end: ms(9_000), tolerance: Self.tolerance)
        #expect(verdict.outcome == outcome, "\(verdict.reason.text)")
    }

    @Test("backoff_envelope: the reason for a violation states when the delay began and ended")
    func told() {
        let entries = Self.broken(at: ms(5_000)) + [Self.attempt(ms(5_002), 1, after: .milliseconds(2))]
        #expect(
            judge(.backoffEnvelope, entries, end: ms(9_000)).reason.text
                == "attempt 1 began at 5.002, 2 ms after the previous connection or attempt ended; expected 1s to 1.25s"
        )
    }

    @Test("backoff_envelope: the second attempt must wait longer than the first")
    func second() {
        let entries =
            Self.broken(at: ms(5_000)) + [
                Self.attempt(ms(6_000), 1, after: .seconds(1)), Self.observed(ms(6_001), "client.attempt.failed"),
                Self.attempt(ms(7_001), 2, after: .seconds(1)),
            ]
        #expect(judge(.backoffEnvelope, entries, end: ms(9_000)).outcome == .fail)
    }

    @Test("backoff_envelope: an attempt that the user asked for need not wait, and obstacles excuse a late attempt")
    func excused() {
        let asked =
            Self.broken(at: ms(5_000)) + [
                event(ms(5_100), "user.reconnect"), Self.attempt(ms(5_101), 1, after: .milliseconds(101)),
            ]
        #expect(judge(.backoffEnvelope, asked, end: ms(9_000)).outcome != .fail)
        let hindered =
            Self.broken(at: ms(5_000)) + [
                event(ms(5_000), "fault.began", ["fault": "refuse"], key: "wall"),
                event(ms(8_000), "fault.ended", ["fault": "refuse"], key: "wall"),
                Self.attempt(ms(8_500), 1, after: .milliseconds(3_500)),
            ]
        #expect(judge(.backoffEnvelope, hindered, end: ms(9_000)).outcome == .pass)
    }

    /// Returns the connection attempts of a client that declares no delays. The first attempt is at 0 ms.
    private static func crowded(_ count: Int64, every step: TimeSpan) -> [Entry] {
        [event(ms(0), "client.started")] + (0..<count).map { Self.attempt(ms(0) + step * $0, $0 + 1, after: step) }
    }

    private static var claimless: InvariantSettings { InvariantSettings(liveness: .seconds(30)) }

    @Test(
        "backoff_envelope: a client that claims no delays may make at most ten attempts in ten seconds",
        arguments: [
            (Int64(11), TimeSpan.milliseconds(900), Outcome.fail), (10, .milliseconds(1), .pass),
            (40, .milliseconds(1_000), .pass), (40, .milliseconds(990), .fail),
        ]
    )
    func crowd(count: Int64, step: TimeSpan, outcome: Outcome) {
        let verdict = judge(
            .backoffEnvelope,
            Self.crowded(count, every: step),
            end: ms(60_000),
            settings: Self.claimless,
            tolerance: Self.tolerance
        )
        #expect(verdict.outcome == outcome, "\(verdict.reason.text)")
    }

    @Test("backoff_envelope: the attempt count restarts when the user asks for an attempt")
    func crowdInTwoParts() {
        let entries = Self.crowded(11, every: .milliseconds(500))
        let verdict = judge(.backoffEnvelope, entries, end: ms(9_000), settings: Self.claimless)
        #expect(verdict.reason.text == "11 attempts between 0.000 and 5.000; expected at most 10 in 10s")
        let asked = entries + [event(ms(2_100), "user.reconnect")]
        #expect(judge(.backoffEnvelope, asked, end: ms(9_000), settings: Self.claimless).outcome == .pass)
    }

    @Test("backoff_envelope: an attempt whose delay is unknown is not judged")
    func unknown() {
        let entries = Self.broken(at: ms(5_000)) + [Self.attempt(ms(5_002), 1)]
        #expect(judge(.backoffEnvelope, entries, end: ms(9_000)).outcome == .skipped)
    }

    @Test(
        "liveness: a client that does not reconnect within the time limit is a violation",
        arguments: [(ms(34_999), Outcome.pass), (ms(35_002), .fail)]
    )
    func liveness(end: Instant, outcome: Outcome) {
        let verdict = judge(.liveness, Self.broken(at: ms(5_000)), end: end)
        #expect(verdict.outcome == outcome)
        if outcome == .fail {
            #expect(
                verdict.reason.text.hasPrefix(
                    "link.state was none at 35.000, undisturbed since 5.000"
                )
            )
        }
    }

    @Test("liveness: the client's own reports take precedence over what is observed on the wire")
    func ownWord() {
        let entries = Self.broken(at: ms(5_000)) + [connection(ms(5_000), "connected")]
        #expect(judge(.liveness, entries, end: ms(60_000)).outcome == .pass)
    }

    @Test("The largest and smallest possible attempt numbers do not overflow", arguments: [Int64.max, .min, 0])
    func numbers(number: Int64) {
        let late = Self.broken(at: ms(5_000)) + [Self.attempt(ms(5_002), number, after: .milliseconds(2))]
        #expect(judge(.backoffEnvelope, late, end: ms(9_000), tolerance: Self.tolerance).outcome == .fail)
        let settings = InvariantSettings(
            backoff: BackoffBounds(base: .seconds(1), cap: .seconds(8), floor: .seconds(1), firstAttempt: 3)
        )
        let verdict = judge(
            .backoffEnvelope,
            late,
            end: ms(9_000),
            settings: settings,
            tolerance: Self.tolerance
        )
        #expect(verdict.outcome == .fail)
    }
}
