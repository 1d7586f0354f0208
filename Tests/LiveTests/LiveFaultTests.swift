import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import Sockets
import SquallCore
import TestSupport
import Testing

@testable import Live

/// Tests how relay and server outputs affect a client when the clock leaps by minutes between one output and the next.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveFaultTests {
    private let second = ConnectionID(.only, 2)
    private let third = ConnectionID(.only, 3)

    @Test("A listener that refuses connections accepts them once it is open again") func refuseAndOpen() async throws {
        let run = ScriptedRun(
            until: .seconds(100),
            script: [
                (.seconds(10), [.relay(.acceptMode(.only, .refusing)), .client(.connect(first))]),
                (.seconds(20), [.relay(.acceptMode(.only, .open)), .client(.connect(second))]),
            ]
        )
        let (outcome, real) = try await play(run)
        #expect(outcome.texts.contains("client failed client/1 refused"))
        #expect(outcome.texts.contains("client opened client/2"))
        #expect(outcome.texts(about: "accepted") == ["relay accepted client~1", "server accepted client~1"])
        #expect(real < .seconds(120))
    }

    @Test(
        "A connection attempt made during a blackhole stays unanswered after the heal",
        .enabled(if: PacketFilter.isAvailable)
    )
    func aConnectBegunInABlackholeStaysLostAfterTheHeal() async throws {
        let run = ScriptedRun(
            until: .seconds(300),
            script: [
                (.seconds(10), [.relay(.acceptMode(.only, .dropping)), .client(.connect(first))]),
                (.seconds(40), [.client(.connect(second))]),
                (.seconds(50), [.relay(.acceptMode(.only, .open)), .client(.connect(third))]),
                (.seconds(60), [.client(.end(first, .rst)), .client(.end(second, .fin))]),
            ]
        )
        let (outcome, real) = try await play(run)
        #expect(outcome.texts(about: "client ") == ["client opened client/3"])
        #expect(outcome.texts(about: "relay accepted") == ["relay accepted client~1"])
        #expect(real < .seconds(120))
    }

    @Test("A connection that is accepted and reset is reported as opened and then as reset")
    func acceptedAndResetShowsAsOpenedAndReset() async throws {
        var run = ScriptedRun(until: .seconds(10), script: [(.seconds(1), [.client(.connect(first))])]) { input, _ in
            if case .relay(.accepted(let link)) = input { [.relay(.end(link, side: .client, .rst))] } else { [] }
        }
        run.relayForwards = false
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "client/1") == ["client opened client/1", "client ended client/1 reset"])
    }

    @Test("A connection that is accepted and ended is reported as opened and then as ended")
    func acceptedAndEndedShowsAsOpenedAndEndOfStream() async throws {
        var run = ScriptedRun(until: .seconds(10), script: [(.seconds(1), [.client(.connect(first))])]) { input, _ in
            switch input {
            case .relay(.accepted(let link)): [.relay(.end(link, side: .client, .fin))]
            case .client(_, .ended(let id, _)): [.client(.end(id, .fin))]
            default: []
            }
        }
        run.relayForwards = false
        let (outcome, _) = try await play(run)
        #expect(
            outcome.texts(about: "client") == [
                "relay accepted client~1", "client opened client/1", "client ended client/1 end_of_stream",
                "relay ended client~1 client fin",
            ]
        )
    }

    @Test("A server that is not listening refuses the relay's connection attempt")
    func aServerThatDoesNotListenRefusesTheRelay() async throws {
        let run = ScriptedRun(
            until: .seconds(100),
            script: [
                (.seconds(10), [.server(.listen(false)), .client(.connect(first))]),
                (.seconds(20), [.server(.listen(true)), .client(.connect(second))]),
            ]
        )
        let (outcome, _) = try await play(run)
        #expect(outcome.texts.contains("relay upstream failed client~1 refused"))
        #expect(outcome.texts.contains("client ended client/1 reset"))
        #expect(outcome.texts.contains("server accepted client~2"))
    }

    @Test("A stall holds bytes for minutes and delivers them in order")
    func aStallHoldsBytesForMinutesAndGivesThemInOrder() async throws {
        let run = ScriptedRun(
            until: .seconds(1000),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (.seconds(2), [.relay(.readMode(firstLink, side: .client, .unread))]),
                (.seconds(3), [.client(.write(first, bytes("a")))]),
                (.seconds(400), [.client(.write(first, bytes("b")))]),
                (.seconds(900), [.relay(.readMode(firstLink, side: .client, .none))]),
            ]
        )
        let (outcome, real) = try await play(run)
        let relayed = outcome.log.filter { $0.text.hasPrefix("relay received client~1 client") }
        #expect(relayed.map(\.text) == ["relay received client~1 client a", "relay received client~1 client b"])
        #expect(relayed.allSatisfy { $0.time >= .seconds(900) && $0.time < .milliseconds(900_050) })
        #expect(outcome.lateness == .zero)
        #expect(real < .seconds(120))
    }

    @Test("A write of 5 MB into a stall succeeds, and the clock still leaps")
    func aWriteIntoAStallSucceedsWhateverItsSizeAndCountsAsIdle() async throws {
        let size = 5 * 1024 * 1024
        var run = ScriptedRun(
            until: .seconds(1000),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (.seconds(2), [.relay(.readMode(firstLink, side: .client, .unread))]),
                (.seconds(3), [.client(.write(first, [UInt8](repeating: 0x61, count: size)))]),
                (.seconds(900), [.relay(.readMode(firstLink, side: .client, .none))]),
            ]
        )
        run.serverAnswer = { _ in nil }
        let (outcome, real) = try await play(run)
        let received = outcome.log.filter { $0.text.hasPrefix("server received") }
        #expect(received.reduce(0) { $0 + $1.text.utf8.filter { $0 == 0x61 }.count } == size)
        #expect(received.allSatisfy { $0.time >= .seconds(900) })
        #expect(outcome.lateness == .zero)
        #expect(real < .seconds(120))
    }

    @Test(
        "A blackhole swallows bytes and FINs without an answer, and new connections work afterwards",
        .enabled(if: PacketFilter.isAvailable)
    )
    func aBlackholeTakesBytesAndEndsAndGivesNothingBack() async throws {
        let run = ScriptedRun(
            until: .seconds(1000),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (
                    .seconds(2),
                    [
                        .relay(.readMode(firstLink, side: .client, .unacknowledged)),
                        .relay(.readMode(firstLink, side: .server, .unacknowledged)),
                    ]
                ),
                (.seconds(3), [.client(.write(first, bytes("lost")))]),
                (.seconds(400), [.client(.end(first, .fin)), .client(.connect(second))]),
            ],
            reaction: writesOnOpening
        )
        let (outcome, real) = try await play(run)
        #expect(outcome.texts(about: "lost").isEmpty)
        #expect(outcome.texts(about: "ended").isEmpty)
        #expect(outcome.texts.contains("client received client/2 hi"))
        #expect(outcome.lateness == .zero)
        #expect(real < .seconds(120))
    }

    /// The kernel's retransmission timer runs in real time, so clock leaps do not advance it.
    @Test("The clock does not leap before a retransmission has arrived", .enabled(if: PacketFilter.isAvailable))
    func aRetransmissionIsWaitedForBeforeTheClockLeaps() async throws {
        let (outcome, _) = try await play(healed, options: LiveOptions(timeout: .seconds(30)))
        let time = try #require(outcome.time(of: "relay received client~1 client late"))
        #expect(time >= .seconds(100) && time < .seconds(130))
        #expect(outcome.lateness == .zero)
    }

    @Test(
        "The clock leaps although a transfer exceeds the time limit, and the run reports the lateness",
        .enabled(if: PacketFilter.isAvailable)
    )
    func lateness() async throws {
        let (outcome, _) = try await play(healed, options: LiveOptions(timeout: .milliseconds(1)))
        #expect(outcome.lateness >= .milliseconds(1))
        #expect(outcome.end >= .seconds(1000))
    }

    private var healed: ScriptedRun {
        ScriptedRun(
            until: .seconds(1000),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (.seconds(2), [.relay(.readMode(firstLink, side: .client, .unacknowledged))]),
                (.seconds(3), [.client(.write(first, bytes("late")))]),
                (.seconds(100), [.relay(.readMode(firstLink, side: .client, .none))]),
                (.seconds(500), []),
            ]
        )
    }

    private let writesOnOpening: ScriptedRun.Reaction = { input, _ in
        if case .client(_, .opened(let id)) = input, id.number == 2 { [.client(.write(id, bytes("hi")))] } else { [] }
    }

    @Test("A half-open link swallows bytes without an answer")
    func aHalfOpenLinkTakesBytesWithoutAnAnswer() async throws {
        var run = ScriptedRun(
            until: .seconds(1000),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (.seconds(2), [.relay(.end(firstLink, side: .server, .rst))]),
                (.seconds(500), [.client(.write(first, bytes("anyone?")))]),
            ]
        )
        run.serverAnswer = { _ in nil }
        let (outcome, _) = try await play(run)
        #expect(outcome.texts.contains("server ended client~1 rst"))
        #expect(outcome.texts.contains("relay received client~1 client anyone?"))
        #expect(outcome.texts(about: "client ended").isEmpty)
    }

    /// The kernel may merge writes, but the reader still receives one piece per write, as in the simulated world.
    @Test("Several writes in one step arrive as separate reads")
    func writesOfOneStepArriveAsTheyWereWritten() async throws {
        let run = ScriptedRun(
            until: .seconds(20),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (
                    .seconds(2),
                    (1...30).map { .client(.write(first, bytes(String(repeating: "x", count: $0)))) }
                        + [.client(.end(first, .fin))]
                ),
            ]
        )
        let (outcome, _) = try await play(run)
        let expected = (1...30).map { String(repeating: "x", count: $0) }
        #expect(
            outcome.texts(about: "relay received client~1 client").map {
                $0.split(separator: " ").last.map(String.init)
            } == expected
        )
        #expect(
            outcome.texts(about: "server received").map { $0.split(separator: " ").last.map(String.init) } == expected
        )
        #expect(outcome.texts.contains("server ended client~1 fin"))
    }

    /// The writes need more packets than a new connection may send before the first acknowledgement.
    @Test("All writes before a reset arrive") func everyWriteBeforeAResetArrives() async throws {
        var run = ScriptedRun(
            until: .seconds(20),
            script: [
                (.seconds(1), [.client(.connect(first))]),
                (
                    .seconds(2),
                    (1...60).map { .relay(.write(firstLink, to: .client, bytes("\($0)"))) }
                        + [.relay(.end(firstLink, side: .client, .rst))]
                ),
            ]
        )
        run.relayForwards = false
        let (outcome, _) = try await play(run)
        let expected = (1...60).map { "client received client/1 \($0)" } + ["client ended client/1 reset"]
        #expect(outcome.texts.filter { $0.hasPrefix("client ") }.dropFirst() == expected[...])
    }

    @Test("A connection that the client ends immediately after connecting is never accepted")
    func aConnectionGivenUpAtOnceIsNeverALink() async throws {
        let run = ScriptedRun(
            until: .seconds(10),
            script: [
                (.seconds(1), [.client(.connect(first)), .client(.end(first, .fin)), .client(.connect(second))])
            ]
        )
        let (outcome, _) = try await play(run)
        #expect(outcome.texts(about: "relay accepted") == ["relay accepted client~1"])
        #expect(outcome.texts(about: "client opened") == ["client opened client/2"])
    }

    @Test("Each client has its own listener and links") func eachClientHasItsOwnListener() async throws {
        let (anna, ben) = (ClientID("anna"), ClientID("ben"))
        let run = ScriptedRun(
            clients: [anna, ben],
            until: .seconds(10),
            script: [
                (.seconds(1), [.relay(.acceptMode(ben, .refusing))]),
                (
                    .seconds(2),
                    [.client(anna, .connect(ConnectionID(anna, 1))), .client(ben, .connect(ConnectionID(ben, 1)))]
                ),
                (.seconds(3), [.relay(.acceptMode(ben, .open))]),
                (
                    .seconds(4),
                    [.client(anna, .connect(ConnectionID(anna, 2))), .client(ben, .connect(ConnectionID(ben, 2)))]
                ),
            ]
        )
        let (outcome, _) = try await play(run)
        #expect(
            outcome.texts(about: "relay accepted").sorted() == [
                "relay accepted anna~1", "relay accepted anna~2", "relay accepted ben~1",
            ]
        )
        #expect(outcome.texts(about: "failed") == ["client failed ben/1 refused"])
        #expect(outcome.texts(about: "server accepted").count == 3)
    }
}
