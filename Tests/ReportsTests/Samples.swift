import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Sample runs: one that passes, and one in which the client does not notice a half-open connection.
enum Samples {
    static let file = "Scenarios/silence/half-open-while-sending.yaml"

    static let source = """
        squall: 1
        name: The link goes half-open while a message is sent
        profile: chat-ux
        tags: [silence, smoke]
        # The server's side stays up, so the client is not notified.
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: "hello" }
            as: hello
          - wait: { "message.status[hello]": delivered }
          - network: { half_open: {} }
            as: tunnel
          - user: { send: "are you there?" }
            as: second
          - pause: 45s
          - network: { heal: tunnel }
        expect:
          - leads_to: { when: fault.began, then: { connection.state: reconnecting }, within: 35s, covers: [UX-2.5a] }
          - eventually: { "message.status[hello]": delivered, within: 5s, covers: [UX-2.2h] }
          - eventually: { "message.status[second]": { one_of: [queued, failed] }, within: 50s }
          - delivered: { conversation: stukov, lost: 0, duplicated: 0 }
          - never: { banner.kind: error }

        """

    static var halfOpen: CaseResult {
        var trace = TraceSketch()
        trace.connect()
        trace.wait(2_300)
        trace.send("hello", 42)
        trace.wait(until: 12_351)
        trace.ping()
        trace.wait(until: 12_400)
        let fault = trace.happened("fault.began", "tunnel", ["fault": "half_open"], of: nil)
        let due = trace.now + .seconds(35)
        trace.wait(300)
        trace.happened("user.send", "second")
        trace.happened("client.accepted", "second", ["conversation": "stukov", "label": "second"])
        trace.changes("conversation.messages", "stukov", .inserted(at: 4, "second"))
        let stuck = trace.shows("message.status", "second", "sending")
        trace.up("send", "second", ["conversation": "stukov"], lost: true)
        trace.happened("network.dropped", nil, ["direction": "upstream", "bytes": 118])
        trace.wait(4_700)
        trace.down("typing", nil, ["conversation": "stukov", "user": "stukov", "active": true], lost: true)
        trace.wait(9_000)
        trace.up("ping", nil, ["id": "p2"], lost: true)
        trace.wait(16_000)
        trace.down("message", "m43", ["conversation": "stukov", "sequence": 43, "sender": "stukov"], lost: true)
        trace.wait(14_700)
        trace.up("ping", nil, ["id": "p3"], lost: true)
        trace.wait(300)
        let healed = trace.happened("fault.ended", "tunnel", ["fault": "half_open"], of: nil)
        trace.happened("network.closed", nil, ["side": "network", "how": "rst", "link": 1], because: healed)
        trace.wait(1)
        let lost = trace.happened("client.disconnected", nil, ["failure": "reset"], because: healed)
        trace.shows("connection.state", nil, "reconnecting", because: lost)
        trace.shows("connection.last_error", nil, "reset")
        trace.shows("banner.kind", nil, "reconnecting")
        trace.shows("banner.text", nil, "RECONNECTING... MESSAGES MAY BE DELAYED.")
        trace.shows("message.status", "second", "queued")
        trace.shows("connection.open_sockets", nil, 0)
        trace.happened("client.backoff.began", nil, ["attempt": 1, "delay": 1_000_000_000])
        trace.wait(1_000)
        trace.happened("client.attempt.began", nil, ["number": 1])
        trace.shows("connection.state", nil, "connecting")
        trace.wait(12)
        trace.happened("network.accepted", nil, ["link": 2])
        trace.happened("server.accepted")
        trace.down("hello", nil, ["version": "1.4", "auth_version": 2])
        trace.up("connect", nil, ["session": "secret:session-1"])
        trace.down("connected", nil, ["resumed": true, "last_sequence": 43])
        trace.happened("client.connected", nil, ["resumed": true])
        trace.shows("connection.state", nil, "connected")
        trace.shows("banner.kind", nil, nil)
        trace.down("replay", nil, ["count": 1, "complete": true, "last_sequence": 43])
        trace.up("send", "second", ["conversation": "stukov"])
        trace.happened("server.stored", "second", ["conversation": "stukov", "sequence": 44])
        trace.down("confirm", "second", ["sequence": 44, "duplicate": false])
        trace.shows("message.status", "second", "delivered")
        trace.wait(1_200)
        let late = """
            connection.state was connected from 12.400 to \(due); expected reconnecting within 35s of \
            fault.began[tunnel] at 12.400
            """
        let waiting = """
            message.status[second] was sending from 12.700 to 50.000; expected one of queued, failed within 50s of the \
            start of the run
            """
        let dishonest = "connection.state was connected at 47.400 though no frame had come since 12.391"
        let parts = [
            part(19, "leads_to", .fail, late, covers: ["UX-2.5a"], evidence: [fault], due: due),
            part(20, "eventually", .pass, covers: ["UX-2.2h"]),
            part(21, "eventually", .fail, waiting, evidence: [stuck], due: .zero + .seconds(50)),
            part(22, "delivered", .pass),
            part(23, "never", .pass),
            part(1, "invariant honest_ui", .fail, dishonest, evidence: [stuck], due: due),
        ]
        return result(trace.recording(file: file, defects: ["ignores_missing_pong"]), parts, .fail)
    }

    static var passing: CaseResult {
        var trace = TraceSketch()
        trace.connect()
        trace.wait(1_500)
        trace.send("hello", 42)
        trace.wait(25_000)
        trace.ping()
        trace.wait(900)
        let parts = [
            part(19, "leads_to", .pass, covers: ["UX-2.5a"]),
            part(20, "eventually", .pass, covers: ["UX-2.2h"]),
        ]
        return result(trace.recording(file: "Scenarios/sending/plain.yaml"), parts, .pass)
    }

    static func part(
        _ line: Int,
        _ word: String,
        _ verdict: CaseVerdict,
        _ why: String? = nil,
        covers: [String] = [],
        evidence: [Int] = [],
        due: Instant? = nil
    ) -> ExpectationResult {
        ExpectationResult(
            location: SourceLocation(file: file, line: line, column: 5),
            word: word,
            covers: covers,
            verdict: verdict,
            why: why,
            evidence: evidence,
            expectedBy: due
        )
    }

    static func result(
        _ recording: Recording,
        _ expectations: [ExpectationResult] = [],
        _ verdict: CaseVerdict = .pass,
        name: String = "The link goes half-open while a message is sent",
        world: World = .sim
    ) -> CaseResult {
        let run = RunResult(
            recording: recording,
            digest: recording.digest,
            judgements: expectations,
            lateness: .zero
        )
        let scenario = Scenario(
            file: recording.header.scenario,
            name: name,
            variant: recording.header.variant,
            profile: Profile(name: recording.header.profile)
        )
        let plan = RunPlan(scenario, seed: recording.header.seed, clock: world == .sim ? .sim : .leaping)
        var result = CaseResult(run, of: plan, world: world, wall: .microseconds(3_140))
        result.verdict = verdict
        for index in result.expectations.indices where result.expectations[index].location.file == file {
            result.expectations[index].location.file = result.file
        }
        return result
    }

    /// A suite with a failing folder, a passing one, and runs with every other verdict.
    static var suite: SuiteResult {
        var live = halfOpen
        live.world = .live
        live.simulated = live.simulated + .milliseconds(13)
        var passingLive = passing
        passingLive.world = .live
        var skipped = passing
        skipped.file = "Scenarios/portal/hotel.yaml"
        skipped.name = "A hotel asks for a login first"
        skipped.verdict = .skipped
        var unsure = passing
        unsure.file = "Scenarios/portal/login.yaml"
        unsure.name = "The login at the portal lets the client through"
        unsure.verdict = .inconclusive
        unsure.expectations[0].verdict = .inconclusive
        unsure.expectations[0].why = "client.connected#2 never happened"
        var plain = passing
        plain.name = "A message is sent and confirmed"
        passingLive.name = plain.name
        return SuiteResult(
            cases: [
                CaseReport(runs: [plain, passingLive], parity: .equal),
                CaseReport(runs: [skipped]),
                CaseReport(runs: [unsure]),
                CaseReport(runs: [halfOpen, live], parity: .scheduleDependent("two timers at one instant")),
            ],
            wall: .milliseconds(412)
        )
    }

    static let sources = [file: source, "Scenarios/sending/plain.yaml": source]
}
