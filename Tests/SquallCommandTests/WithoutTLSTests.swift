import Foundation
import SquallCore
import TestSupport
import Testing

private let withoutTLS = ProcessInfo.processInfo.environment["SQUALL_WITHOUT_TLS"].map { URL(fileURLWithPath: $0) }

/// Tests a `squall` built without TLS, whose path is in `SQUALL_WITHOUT_TLS`. The tests themselves are built with TLS.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: withoutTLS != nil, "SQUALL_WITHOUT_TLS names no squall (make test-without-tls does)")
)
struct WithoutTLSTests {
    private func run(_ arguments: [String], in scratch: Scratch) throws -> Command.Ending {
        try Command(arguments, in: scratch.folder, binary: #require(withoutTLS)).ending()
    }

    @Test(
        "In a build without TLS, every use of TLS is refused and the build command is shown",
        arguments: [
            (["serve", "--tls"], 64), (["serve", "--echo", "--tls"], 64),
            (["conformance", "server", "--url", "wss://localhost:1/"], 64),
            (["conformance", "client", "--port", "0", "--tls"], 64),
            (["proxy", "--port", "0", "--config", "proxies.json"], 65),
        ]
    )
    func wayOut(_ arguments: [String], status: Int) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let proxy = #"{"name": "p", "listen": "127.0.0.1:0", "upstream": "127.0.0.1:1", "tls": {"mode": "terminate"}}"#
        try scratch.write("[\(proxy)]", to: "proxies.json")
        let ending = try run(arguments, in: scratch)
        #expect(Int(ending.status) == status)
        #expect(ending.errors.contains("swift build --traits TLS"), "\(ending.errors)")
    }

    @Test("In a build without TLS, a proxy can still pass TLS through unchanged")
    func passedThrough() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let proxy = #"{"name": "p", "listen": "127.0.0.1:0", "upstream": "127.0.0.1:1", "tls": {"mode": "pass"}}"#
        let file = try scratch.write("[\(proxy)]", to: "proxies.json")
        let command = try Command(["proxy", "--port", "0", "--config", file], binary: #require(withoutTLS))
        try await command.listens()
        command.process.interrupt()
        let ending = try command.ending()
        #expect(ending.errors.contains("the API is at"), "\(ending.errors)")
    }

    @Test("In a build without TLS, a scenario with TLS is played in sim and skipped in live with a reason")
    func liveRun() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(SecureRunTests.scenario, to: "tls.yaml")
        let ending = try run(["run", file, "--format", "json"], in: scratch)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let json = try JSON.decode(ending.output)
        let runs = try #require(json["scenarios"]?.arrayValue)
        #expect(runs.compactMap { $0["verdict"]?.stringValue } == ["pass", "skipped"])
        #expect(json["parity"]?["equal"]?.intValue == 0, "\(ending.output)")
        #expect(ending.output.contains("swift build --traits TLS"), "\(ending.output)")
    }
}
