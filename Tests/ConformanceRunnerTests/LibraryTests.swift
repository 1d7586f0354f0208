import Conformance
import ConformanceRunner
import SquallCore
import TestSupport
import Testing
import WebSocketWire

/// Compares Squall's verdicts on widely used libraries with those of the Autobahn test suite, case by case.
@Suite(
    .ownThread,
    .serialized,
    .enabled(if: PythonPeers.python != nil, "needs Python 3 and its package index, for libraries to judge"),
    .timeLimit(.minutes(20))
)
struct LibraryTests {
    /// Returns the Autobahn test suite's recorded cases: the fast ones, and one compression case of each kind.
    private static func recorded(_ outcomes: Recorded, judging role: WebSocketRole) -> [ConformanceCase] {
        ConformanceCatalogue.published().filter {
            outcomes.outcomes[$0.id.description] != nil && $0.testedRoles.contains(role)
        }
    }

    private func judge(server name: String, _ cases: [ConformanceCase]) async throws -> [ConformanceResult] {
        let server = try PythonServer("\(name)_server", python: try #require(PythonPeers.python))
        defer { server.end() }
        let target = try ServerTarget("ws://127.0.0.1:\(server.port)")
        return try await ServerTester.play(cases, against: target, agent: name, jobs: 8)
    }

    private func judge(client name: String, _ script: String, _ cases: [ConformanceCase]) async throws
        -> [ConformanceResult]
    {
        let python = try #require(PythonPeers.python)
        return try await ClientSession.play(
            cases,
            port: 0,
            command: "exec '\(python)' '\(PythonPeers.script(script))' \"$SQUALL_URL\" \(name) 2>/dev/null",
            onReady: { _ in }
        ).results
    }

    @Test("The verdicts on the server of the websockets library agree with the recorded verdicts")
    func quick() async throws {
        let recorded = try Recorded("servers", "websockets")
        let cases = Self.recorded(recorded, judging: .server).filter { !["12", "13"].contains($0.id.category) }
        #expect(cases.count == 247)
        let results = try await judge(server: "websockets", cases)
        #expect(results.count == cases.count)
        #expect(recorded.disagreements(with: results) == [])
        // The library's only known defect: it mishandles a close frame between fragments.
        #expect(results.filter(\.isFailure).map(\.id.description) == ["7.1.5"])
    }

    @Test(
        "The verdicts on each library's server agree with the recorded verdicts",
        .enabled(if: PythonPeers.isSoak, "long: 'make soak' runs it"),
        arguments: ["websockets", "aiohttp", "wsproto"]
    )
    func servers(name: String) async throws {
        let recorded = try Recorded("servers", name)
        let results = try await judge(server: name, Self.recorded(recorded, judging: .server))
        #expect(results.count == recorded.outcomes.count)
        #expect(recorded.disagreements(with: results) == [])
    }

    @Test(
        "The verdicts on each library's client agree with the recorded verdicts",
        .enabled(if: PythonPeers.isSoak, "long: 'make soak' runs it"),
        arguments: [
            ("websockets", "websockets_client"), ("aiohttp", "aiohttp_client"),
            ("websocket-client", "websocket_client"),
        ]
    )
    func clients(name: String, script: String) async throws {
        let recorded = try Recorded("clients", name)
        let results = try await judge(client: name, script, Self.recorded(recorded, judging: .client))
        #expect(results.count == recorded.outcomes.count)
        #expect(recorded.disagreements(with: results) == [])
    }
}
