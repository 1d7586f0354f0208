import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Live

/// A reaction that writes as soon as the client's connection is open.
private let writesHello: ScriptedRun.Reaction = { input, _ in
    if case .client(_, .opened(let id)) = input { [.client(.write(id, bytes("hello")))] } else { [] }
}

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveWorldTests {
    @Test("Bytes pass from the client through the relay to the server and back")
    func bytesGoFromClientThroughRelayToServerAndBack() async throws {
        let run = ScriptedRun(
            until: .seconds(600),
            script: [(.seconds(300), [.client(.connect(first))])],
            reaction: writesHello
        )
        let (outcome, real) = try await play(run)
        #expect(
            outcome.texts.prefix(4) == [
                "ready", "script 300.000", "relay accepted client~1", "client opened client/1",
            ]
        )
        #expect(
            outcome.texts(about: "server") == [
                "server accepted client~1", "server received client~1 hello", "relay received client~1 server hello",
            ]
        )
        #expect(outcome.texts.last == "client received client/1 hello")
        #expect(outcome.end >= .seconds(600) && outcome.end < .milliseconds(600_050))
        #expect(outcome.lateness == .zero)
        #expect(real < .seconds(120))
    }

    @Test("All deadlines in a run of ten minutes are met on time")
    func tenMinutesOfDeadlinesAreAllMetOnTime() async throws {
        let run = ScriptedRun(until: .seconds(601), script: (1...600).map { (.seconds($0), []) })
        let (outcome, real) = try await play(run)
        let fired = outcome.log.filter { $0.text.hasPrefix("script") }
        #expect(fired.map(\.time) == (1...600).map { .seconds($0) })
        #expect(outcome.lateness == .zero)
        // The run takes 0.1 s on an idle machine, but other tests may be using the cores.
        #expect(real < .seconds(120))
    }

    @Test("Every connection in a run of ten minutes is opened, used and ended")
    func everyConnectionOfTenMinutesIsMadeUsedAndEnded() async throws {
        let run = ScriptedRun(
            until: .seconds(601),
            script: (1...200).map { count in
                (.seconds(count * 3), [.client(.connect(ConnectionID(.only, Int(count))))])
            },
            reaction: { input, _ in
                switch input {
                case .client(_, .opened(let id)): [.client(.write(id, bytes("x")))]
                case .client(_, .received(let id, _)): [.client(.end(id, .fin))]
                default: []
                }
            }
        )
        let (outcome, real) = try await play(run)
        #expect(outcome.texts(about: "client received").count == 200)
        #expect(outcome.texts(about: "server ended").count == 200)
        for entry in outcome.log where !entry.text.hasPrefix("script") && entry.text != "ready" {
            // The script acts every three seconds, and every resulting input must arrive within one second of the
            // action.
            #expect(entry.time.nanoseconds % 3_000_000_000 < 1_000_000_000)
        }
        #expect(real < .seconds(120))
    }

    @Test("The clock does not leap while bytes are on the wire")
    func aFrameIsDeliveredBeforeTheClockLeapsOverIt() async throws {
        // Each answer must arrive before the clock leaps to the next second. Only the bytes on the wire keep the clock
        // from leaping sooner.
        let run = ScriptedRun(
            until: .seconds(200),
            script: [(.zero, [.client(.connect(first))])]
                + (1..<200).map { second in
                    (Instant.seconds(second), [.client(.write(first, bytes("\(second);")))])
                }
        )
        let (outcome, _) = try await play(run)
        var expected: [String] = []
        for second in 1..<200 {
            expected += ["script \(Instant.seconds(Int64(second)))", "client received client/1 \(second);"]
        }
        let seen = outcome.texts.filter { $0.hasPrefix("client received") || $0.hasPrefix("script") }
        #expect(Array(seen.dropFirst()) == expected)
    }

    /// A run that performs 200 ms of work at 100 ms, and has a timer at 150 ms.
    private var slow: ScriptedRun {
        ScriptedRun(
            until: .seconds(1),
            script: [(.milliseconds(100), [.client(.connect(first))]), (.milliseconds(150), [])],
            reaction: { input, _ in
                guard case .client(_, .opened) = input else { return [] }
                let until = ContinuousClock.now + .milliseconds(200)
                while ContinuousClock.now < until {}
                return []
            }
        )
    }

    @Test("A timer that fires late in real time is reported as lateness")
    func aTimerThatFiresLateInRealTimeIsReported() async throws {
        for options in [LiveOptions(turnLimit: nil), LiveOptions(pace: .wall)] {
            let (outcome, _) = try await play(slow, options: options)
            #expect(outcome.lateness > .milliseconds(100))
        }
    }

    @Test("A slow step does not make a timer late if the length of a turn is limited")
    func aSlowProcessorMakesNoTimerLate() async throws {
        let (outcome, _) = try await play(slow)
        #expect(outcome.lateness == .zero)
        #expect(outcome.time(of: "script 0.150") == .milliseconds(150))
    }

    @Test("The clock does not leap at wall time") func atWallTimeNothingIsLeaptOver() async throws {
        let run = ScriptedRun(
            until: .milliseconds(400),
            script: [
                (.milliseconds(200), [.client(.connect(first)), .client(.request(ExchangeID(.only, 1), .health))])
            ]
        ) { input, now in
            if case .client(_, .opened(let id)) = input { [.client(.write(id, bytes("hello")))] } else { [] }
        }
        let (outcome, real) = try await play(run, options: LiveOptions(pace: .wall))
        #expect(real >= .milliseconds(400))
        #expect(outcome.texts.contains("client received client/1 hello"))
        #expect(outcome.end >= .milliseconds(400))
    }

    @Test("A run with nothing left to wait for is abandoned, and the reason is reported")
    func aRunThatWaitsForNothingIsAbandoned() async throws {
        var run = ScriptedRun(until: .never)
        run.end = .never
        let (outcome, _) = try await play(run)
        #expect(outcome.abandoned == "nothing is in flight and no deadline is pending, but the run is not over")
    }

    @Test("A run whose deadlines do not advance is reported as a livelock")
    func aRunThatNeverLetsTimePassIsALivelock() async throws {
        await #expect(throws: LiveError.self) {
            try await play(StandingRun())
        }
    }

    @Test("Cancelling the task ends a run") func cancellingEndsARunAtOnce() async throws {
        let task = Task {
            try await play(ScriptedRun(until: .seconds(3600)), options: LiveOptions(pace: .wall))
        }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A run in a cancelled task does not start") func aRunCancelledBeforehandNeverBegins() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await play(ScriptedRun(until: .seconds(3600)))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("The error for a folder that cannot be created names the folder and a remedy")
    func aFolderThatCannotBeHadIsNamedWithTheWayOut() async throws {
        let run = ScriptedRun(until: .seconds(1), script: [(.zero, [.launch(.only)])])
        do {
            _ = try await play(run, options: LiveOptions(folder: "/nowhere/at/all"))
            Issue.record("a store without a folder")
        } catch let error as LiveError {
            #expect(error == .folder(path: "/nowhere/at/all", reason: "No such file or directory"))
            #expect(error.description.contains("/nowhere/at/all"))
            #expect(error.description.contains("TMPDIR"))
        }
    }
}

/// A run whose deadline is always in the past.
private struct StandingRun: DrivenRun {
    var clients: [ClientID] { [.only] }
    var nextDeadline: Instant? { .zero }
    var isOver: Bool { false }
    func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput] { [] }
    func noteLateness(_ late: TimeSpan) {}
    func abandon(_ reason: String, at now: Instant) {}
    func finish(at now: Instant) -> Int { 0 }
}

extension ChatRequest {
    static let health = ChatRequest(method: "GET", target: "/health")
}
