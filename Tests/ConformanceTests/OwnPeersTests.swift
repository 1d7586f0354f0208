import Conformance
import SquallCore
import Testing
import WebSocketWire

/// Tests, in virtual time, that Squall's own echo endpoints pass every case.
@Suite struct OwnPeersTests {
    /// All cases except the compression categories and the performance category, which transfers hundreds of megabytes
    /// and is run over sockets instead.
    private static let cases = ConformanceCatalogue.cases().filter { !["9", "12", "13"].contains($0.id.category) }

    private func expected(_ id: CaseID) -> Set<CaseBehavior> {
        [.ok, .informational]
    }

    @Test("Squall's echo server passes every case in virtual time") func server() {
        for testCase in Self.cases where testCase.testedRoles.contains(.server) {
            var server = EchoServer()
            let result = testCase.play(against: &server)
            #expect(
                expected(testCase.id).contains(result?.behavior ?? .failed),
                "\(testCase.id): \(result?.why ?? "no end")"
            )
            let close = result?.closeBehavior ?? .failed
            #expect(close == .ok || close == .informational, "\(testCase.id): \(result?.closeWhy ?? "no end")")
        }
    }

    @Test("Squall's echo client passes every case in virtual time") func client() throws {
        for testCase in Self.cases where testCase.testedRoles.contains(.client) {
            var client = ClientPeer(client: EchoClient(host: "peer", path: "/", seed: Seed(3)))
            let result = try testCase.play(againstClient: &client)
            #expect(
                expected(testCase.id).contains(result?.behavior ?? .failed),
                "\(testCase.id): \(result?.why ?? "no end")"
            )
            let close = result?.closeBehavior ?? .failed
            #expect(close == .ok || close == .informational, "\(testCase.id): \(result?.closeWhy ?? "no end")")
        }
    }
}
