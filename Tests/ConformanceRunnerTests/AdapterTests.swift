import Adapter
import ChatWire
import Conformance
import ConformanceRunner
import Foundation
import SquallCore
import TestSupport
import Testing
import WebSocketWire

/// Tests clients that receive the server's address through their adapter. Each case has its own client process.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(20))) struct AdapterTests {
    private static let target = ChatTarget()

    private static func chat(_ ids: String..., means: ChatCatalogue.Facilities) -> [AdapterCase] {
        ChatCatalogue.cases(target).filter {
            ids.contains($0.summary.id.description) && ChatCatalogue.reasonNotRunnable($0, target, means) == nil
        }.map { .chat($0) }
    }

    private static func framing(_ ids: String...) -> [AdapterCase] {
        ConformanceCatalogue.cases().filter { ids.contains($0.id.description) }.compactMap { testCase in
            guard case .fits(let fitted) = NonEchoingCases.adapted(testCase) else { return nil }
            return .webSocket(fitted)
        }
    }

    /// Returns the command that runs the example adapter with the tests' Python interpreter.
    private static func example(_ python: String) -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return "'\(python)' '\(root.path)/Examples/python-websockets/adapter.py'"
    }

    @Test(
        "A chat client that does not echo passes all cases except those listed as its known faults",
        .enabled(if: PythonPeers.python != nil, "needs Python 3 and its package index, for a client to judge")
    )
    func example() async throws {
        let command = Self.example(try #require(PythonPeers.python))
        let offer = try await AdapterTester.probe(command)
        #expect(offer.name == "python-websockets")
        #expect(offer.takes("send"))
        let means = ChatCatalogue.Facilities(hasOwnClients: true, commands: Set(offer.takes))
        let cases =
            Self.framing("1.1.2", "2.2", "3.1", "6.3.1", "7.1.5", "7.7.1", "I.1", "I.7", "M.5")
            + Self.chat("Q.1.1", "Q.2.1", "Q.3.2", "Q.6.1", "Q.7.1", "Q.7.3", means: means)
        let results = try await AdapterTester.play(cases, of: Self.target, command: command, agent: "example", jobs: 4)
        #expect(results.map(\.id) == cases.map(\.id))
        // Both failures are genuine: the library answers a close frame between fragments with code 1002, and the client
        // cannot handle a text message that is not JSON.
        #expect(results.filter(\.isFailure).map(\.id.description) == ["7.1.5", "Q.3.2"])
    }

    @Test("A client that exits on its own fails the case with its exit status")
    func dies() async throws {
        let script =
            #"read x; echo '{"in_reply_to":1,"type":"init_ok","name":"short"}'; read x; echo oh no >&2; exit 3"#
        #expect(try await AdapterTester.probe(script).name == "short")
        let results = try await AdapterTester.play(
            Self.framing("1.1.1"),
            of: Self.target,
            command: script,
            agent: "short",
            jobs: 1
        )
        let why = "the client ended by itself with exit status 3; last lines of standard error: oh no"
        #expect(results.map(\.why) == [why])
        #expect(results.map(\.behavior) == [.failed])
    }

    @Test("A command that does not speak the adapter protocol is refused before any case is played")
    func noAdapter() async {
        let failure = await #expect(throws: AdapterFailure.self) { try await AdapterTester.probe("echo hello") }
        #expect(failure?.description.contains("a line that is not a message") == true)
    }

    @Test("Cases that need an echo are skipped with the reason")
    func fitness() {
        var reasons: [String: Int] = [:]
        for testCase in ConformanceCatalogue.cases() where testCase.testedRoles.contains(.client) {
            switch NonEchoingCases.adapted(testCase) {
            case .fits(let fitted): #expect(fitted.id == testCase.id)
            case .skipped(let why): reasons[why, default: 0] += 1
            }
        }
        #expect(reasons.count == 3)
        #expect(reasons["the case needs an echo of each message"] == 54 + 90 + 126)
    }
}
