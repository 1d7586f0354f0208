import Adapter
import Foundation
import SquallTesting
import Synchronization
import Testing

/// Tests a client that runs in the test's own process.
@Suite(.timeLimit(.minutes(2)))
struct ClientUnderTestTests {
    /// A client that behaves as the test specifies and opens no connections.
    private final class Puppet: ClientUnderTest {
        struct Refused: Error, CustomStringConvertible { var description: String { "I would rather not" } }

        let capabilities: ClientCapabilities
        private let onStart: @Sendable (ServerAddresses, ClientReporter) async throws -> Void
        private let onSend: @Sendable (OutgoingMessage, ClientReporter) async throws -> String?
        private let onCommand: @Sendable (ClientCommand, ClientReporter) async throws -> Void
        private let onStop: @Sendable () async -> Void
        private let reporter = Mutex<ClientReporter?>(nil)

        init(
            shows: [ObservableName] = ["connection.state", "message.status", "conversation.messages"],
            takes: [ClientCommand.Verb] = [],
            states: [String: String] = [:],
            start: @escaping @Sendable (ServerAddresses, ClientReporter) async throws -> Void = { _, _ in },
            send: @escaping @Sendable (OutgoingMessage, ClientReporter) async throws -> String? = { _, _ in nil },
            command: @escaping @Sendable (ClientCommand, ClientReporter) async throws -> Void = { _, _ in },
            stop: @escaping @Sendable () async -> Void = {}
        ) {
            capabilities = ClientCapabilities(name: "puppet", shows: shows, takes: takes, states: states)
            (onStart, onSend, onCommand, onStop) = (start, send, command, stop)
        }

        func start(at server: ServerAddresses, reporting reporter: ClientReporter) async throws {
            self.reporter.withLock { $0 = reporter }
            try await onStart(server, reporter)
        }

        func send(_ message: OutgoingMessage) async throws -> String? {
            guard let reporter = reporter.withLock({ $0 }) else { return nil }
            return try await onSend(message, reporter)
        }

        func perform(_ command: ClientCommand) async throws {
            guard let reporter = reporter.withLock({ $0 }) else { return }
            try await onCommand(command, reporter)
        }

        func stop() async { await onStop() }
    }

    private func scenario(_ script: String, expect: String = "", head: String = "") throws -> ScenarioCase {
        let yaml =
            "squall: 1\nname: puppet\n\(head)\nscript:\n\(script)\n\(expect.isEmpty ? "" : "expect:\n\(expect)\n")"
        return try #require(try Scenarios.cases(yaml: yaml).first)
    }

    @Test("The events that an in-process client reports are judged")
    func reportsAreJudged() async throws {
        let scenario = try scenario(
            "  - wait: { connection.state: reconnecting, within: 60s }\n  - user: { send: hi, to: stukov }\n    as: hi",
            expect: "  - eventually: { \"message.status[hi]\": failed, within: 60s }\n"
                + "  - eventually: { toast.text: gone, within: 1s }"
        )
        let result = try await scenario.play {
            Puppet(takes: [.send], states: ["LOST": "reconnecting"]) { server, reporter in
                #expect(server.webSocketURL.hasPrefix("ws://127.") && server.client == "client" && server.seed == 1)
                #expect(FileManager.default.fileExists(atPath: server.stateFolder))
                let interval = try server.profile.duration("heartbeat.interval")
                #expect(interval > .zero)
                reporter.state("LOST")
            } send: { message, reporter in
                #expect(message.conversation == "stukov" && message.text == "hi" && message.label == "hi")
                // The client reports the status before `send` has returned the message's id. The report is delayed
                // until then.
                reporter.status(of: "m-1", "failed")
                return "m-1"
            }
        }
        #expect(result.client == "puppet")
        let eventually = result.parts.filter { $0.word == "eventually" }
        #expect(eventually.map(\.verdict) == [.pass, .skipped])
        #expect(eventually.last?.why == "the client does not show toast.text")
        let events = result.trace.events
        #expect(events.contains { $0.name == "client.accepted" && $0.key == "hi" })
        #expect(events.contains { $0.name == "connection.state" && $0.value == "reconnecting" })
    }

    @Test("A client that never connects fails at the wait for its connection")
    func oneThatNeverConnectsFailsAtTheWait() async throws {
        let scenario = try scenario("  - wait: { connection.state: connected, within: 300ms }")
        let result = try await scenario.play { Puppet() }
        #expect(result.verdict != .pass)
        let wait = try #require(result.parts.first { $0.word == "wait" })
        #expect(wait.line == 5 && wait.why?.hasSuffix("expected connected within 300ms") == true)
        #expect(result.message.contains("replay: the same test, with the seed 1"))
    }

    @Test("A client that throws when it starts fails the run with its error")
    func oneThatCannotStartFailsWithItsError() async throws {
        let scenario = try scenario("  - wait: 5s")
        let result = try await scenario.play { Puppet(start: { _, _ in throw Puppet.Refused() }) }
        #expect(result.verdict != .pass)
        #expect(result.parts.contains { $0.word == "run" && $0.why == "the client threw an error: I would rather not" })
    }

    @Test("A client that reports a failure after its start ends the run")
    func oneThatFailsOnItsWayEndsTheRun() async throws {
        let scenario = try scenario("  - wait: 1h")
        let result = try await scenario.play { Puppet(start: { $1.failed(Puppet.Refused()) }) }
        #expect(result.parts.contains { $0.word == "run" && $0.why == "the client threw an error: I would rather not" })
    }

    @Test("A refused command is reported and the run continues")
    func aCommandThatItRefusesIsShownAndTheRunGoesOn() async throws {
        let scenario = try scenario(
            "  - user: { open: stukov }\n  - user: reconnect",
            expect: "  - eventually: { client.refused: { command: reconnect, text: I would rather not }, within: 60s }"
        )
        let result = try await scenario.play {
            Puppet(takes: [.open, .reconnect]) { _, _ in
            } command: { command, _ in
                if command == .reconnect { throw Puppet.Refused() }
            }
        }
        #expect(result.parts.first { $0.word == "eventually" }?.verdict == .pass)
    }

    @Test("A command that is never answered fails the run")
    func aCommandThatIsNeverDoneFailsTheRun() async throws {
        let scenario = try scenario("  - user: reconnect\n  - wait: 1h")
        let result = try await scenario.play {
            Puppet(takes: [.reconnect]) { _, _ in
            } command: { _, _ in
                try await Task.sleep(for: .seconds(3600))
            }
        }
        #expect(result.parts.contains { $0.why == "the client did not answer reconnect within 5s" })
    }

    @Test("After a kill a new client instance starts with the same state folder")
    func killGivesItAnotherLifeInTheSameFolder() async throws {
        let folders = Mutex<[String]>([])
        let late = Mutex<ClientReporter?>(nil)
        let scenario = try scenario(
            "  - wait: { connection.state: connecting, within: 60s }\n  - device: { kill: { down: 50ms } }\n"
                + "  - wait: { next: { connection.state: connecting }, within: 60s }",
            expect: "  - count: { of: client.started, exactly: 2 }"
        )
        let result = try await scenario.play {
            Puppet(takes: [.kill]) { server, reporter in
                folders.withLock { $0.append(server.stateFolder) }
                // Reports from the killed client are ignored.
                late.withLock { $0 }?.log("from the grave")
                late.withLock { $0 = reporter }
                reporter.state("connecting")
            }
        }
        #expect(result.parts.first { $0.word == "count" }?.verdict == .pass)
        let seen = folders.withLock { $0 }
        #expect(seen.count == 2 && Set(seen).count == 1)
        #expect(!result.trace.events.contains { $0.name == "client.log" })
        #expect(!FileManager.default.fileExists(atPath: seen.first ?? ""))
    }

    @Test("A scenario with a kill is skipped for a client that does not declare kill")
    func oneThatTakesNoKillIsNotKilled() async throws {
        let scenario = try scenario(
            "  - device: { kill: { down: 1s } }",
            expect: "  - never: { toast.text: x, for: 1s }"
        )
        let result = try await scenario.play { Puppet() }
        #expect(result.verdict == .skipped)
        #expect(result.message.contains("the client runs within the test's process and does not take 'kill'"))
    }

    @Test("A client inside the test process cannot be suspended")
    func oneCannotBeSuspendedWithinTheTest() async throws {
        let scenario = try scenario(
            "  - device: { suspend: 1s }",
            expect: "  - never: { connection.state: offline, for: 1s }"
        )
        let result = try await scenario.play { Puppet(takes: [.kill]) }
        #expect(result.parts.contains { $0.why?.isEmpty == false })
    }

    @Test("An unknown observable in a client's capabilities is refused with a suggestion")
    func aNameThatThereIsNotIsRefused() async throws {
        let result = try await scenario("  - wait: 1s").play { Puppet(shows: ["connection.stat"]) }
        #expect(result.verdict != .pass)
        #expect(
            result.says(
                "lists unknown 'connection.stat' in 'shows'; did you mean 'connection.state'?"
            )
        )
    }

    @Test("A state that does not exist, reported by the client, fails the run")
    func aValueThatAnObservableCannotHaveFailsTheRun() async throws {
        let result = try await scenario("  - wait: 1h").play { Puppet(start: { $1.state("asleep") }) }
        #expect(result.verdict != .pass)
        #expect(result.says("the client reported connection.state"))
    }

    @Test("A client that does not stop within the time limit throws an error")
    func oneThatDoesNotLeaveIsAnError() async throws {
        let scenario = try scenario("  - wait: { connection.state: connecting, within: 60s }")
        let release = AsyncStream.makeStream(of: Void.self)
        let error = await #expect(throws: SquallTestingError.self) {
            try await scenario.play {
                Puppet(start: { $1.state("connecting") }, stop: { for await _ in release.stream {} })
            }
        }
        release.continuation.finish()
        #expect(error?.message.contains("'puppet' was still running five seconds after its run had ended") == true)
    }

    @Test("Cancelling a play stops the client")
    func aCancelledPlayStopsTheClient() async throws {
        let (events, event) = AsyncStream.makeStream(of: String.self)
        let scenario = try scenario("  - wait: 1h")
        let playing = Task {
            try await scenario.play {
                Puppet(start: { _, _ in event.yield("started") }, stop: { event.yield("stopped") })
            }
        }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "started")
        playing.cancel()
        await #expect(throws: CancellationError.self) { try await playing.value }
        #expect(await iterator.next() == "stopped")
    }

    // MARK: - Clients observed only on the wire

    @Test("A client judged on the wire that returns before the end of the run fails")
    func codeThatReturnsBeforeTheEndFails() async throws {
        let result = try await scenario("  - wait: 1h").play(overWire: "quick") { #expect($0.key.isEmpty == false) }
        #expect(result.verdict != .pass && result.client == "quick")
        #expect(result.says("the client returned before the run was over"))
    }

    @Test("A client judged on the wire that throws fails the run with its error")
    func codeThatThrowsFailsWithItsError() async throws {
        let result = try await scenario("  - wait: 1h").play(overWire: "quick") { _ in throw Puppet.Refused() }
        #expect(result.says("the client threw an error: I would rather not"))
    }

    @Test("A client judged on the wire is judged by its connections, and other expectations are skipped")
    func codeThatConnectsIsSeenOnTheWire() async throws {
        let scenario = try scenario(
            "  - wait: { link.state: open, within: 60s }",
            expect: "  - eventually: { client.attempt.began: {}, within: 60s }\n  - never: { toast.text: x, for: 10ms }"
        )
        let result = try await scenario.play(overWire: "tcp") { server in
            try await Caller.stay(at: server.webSocketURL)
        }
        #expect(result.parts.map(\.verdict).contains(.pass))
        #expect(result.parts.first { $0.word == "never" }?.why?.contains("judged only from the wire") == true)
    }

    @Test("Every command of the adapter protocol has a verb in SquallTesting")
    func everyCommandOfTheProtocolHasAVerb() {
        let commands = AdapterCatalogue.entries.filter { $0.direction == .command }.map(\.name)
        let verbs = ClientCommand.Verb.allCases.map(\.rawValue)
        // These commands control sessions and processes. A client in the test's process does not receive them, because
        // each case creates a new client.
        let session = ["init", "start", "advance", "reset", "restart", "sync"]
        #expect(Set(commands).subtracting(session) == Set(verbs))
    }
}

extension ScenarioResult {
    /// Returns whether the reason given by any of the run's expectations or invariants contains the text.
    fileprivate func says(_ text: String) -> Bool { parts.contains { $0.why?.contains(text) == true } }
}
