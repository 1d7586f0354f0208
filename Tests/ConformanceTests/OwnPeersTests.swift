import Conformance
import SquallCore
import Testing
import WebSocketWire

/// Squall's own echo endpoints pass every case, in virtual time.
@Suite struct OwnPeersTests {
    /// The cases without the performance category, which transfers hundreds of megabytes and is run over sockets, and
    /// without the compression categories.
    private static let cases = ConformanceCatalogue.cases().filter { !["9", "12", "13"].contains($0.id.category) }

    private func expected(_ id: CaseID) -> Set<CaseBehavior> {
        [.ok, .informational]
    }

    @Test("Squall's echo server passes every case in virtual time") func server() {
        for subject in Self.cases where subject.judged.contains(.server) {
            var server = EchoServer()
            let result = subject.play(against: &server)
            #expect(
                expected(subject.id).contains(result?.behavior ?? .failed),
                "\(subject.id): \(result?.why ?? "no end")"
            )
            let close = result?.closeBehavior ?? .failed
            #expect(close == .ok || close == .informational, "\(subject.id): \(result?.closeWhy ?? "no end")")
        }
    }

    @Test("Squall's echo client passes every case in virtual time") func client() throws {
        for subject in Self.cases where subject.judged.contains(.client) {
            var client = ClientPeer(client: EchoClient(host: "peer", path: "/", seed: Seed(3)))
            let result = try subject.play(againstClient: &client)
            #expect(
                expected(subject.id).contains(result?.behavior ?? .failed),
                "\(subject.id): \(result?.why ?? "no end")"
            )
            let close = result?.closeBehavior ?? .failed
            #expect(close == .ok || close == .informational, "\(subject.id): \(result?.closeWhy ?? "no end")")
        }
    }
}
