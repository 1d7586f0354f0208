import Conformance
import SquallCore
import Testing
import WebSocketWire

/// A client with a single fault that takes effect when the first frame arrives.
private struct WrongClient: SilentPeer {
    enum Fault: CaseIterable {
        /// The client reads no bytes after the handshake.
        case isDeaf
        /// The client closes the TCP connection when it receives any frame.
        case drops
        /// The client fails the connection when it receives any frame.
        case rejects
    }

    let fault: Fault
    private var client = EchoClient(host: "peer", path: "/", seed: Seed(3))
    private var output: [UInt8] = []
    private(set) var shouldEnd = false
    private var isOpen = false

    init(_ fault: Fault) { self.fault = fault }

    mutating func receive(_ bytes: [UInt8]) {
        guard isOpen else {
            // The response head arrives either alone or together with the first frame.
            isOpen = true
            if bytes.suffix(4) != Array("\r\n\r\n".utf8)[...] { react() }
            return
        }
        react()
    }

    private mutating func react() {
        guard !shouldEnd, fault != .isDeaf else { return }
        if fault == .rejects {
            output = WebSocketFrame(.close, maskKey: 7, payload: ClosePayload(.protocolError).encode()).encode()
        }
        shouldEnd = true
    }

    mutating func receiveEnd() {}

    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output + client.takeOutput()
    }
}

/// A client that reads all frames, answers pings and close frames, and sends nothing else.
private struct QuietClient: SilentPeer {
    private var client = EchoClient(host: "peer", path: "/", seed: Seed(3))
    mutating func receive(_ bytes: [UInt8]) { client.receive(bytes, echoes: false) }
    mutating func receiveEnd() { client.receiveEnd() }
    mutating func takeOutput() -> [UInt8] { client.takeOutput() }
    var shouldEnd: Bool { client.shouldEnd }
}

/// Tests clients that do not echo. Their answer to the close frame shows that they have read the frames before it.
@Suite struct UnechoedTests {
    private static let cases = ConformanceCatalogue.cases().filter { $0.testedRoles.contains(.client) }.compactMap {
        testCase in
        if case .fits(let fitted) = NonEchoingCases.adapted(testCase) { fitted } else { nil }
    }

    @Test("A client that reads every frame and sends nothing passes every case that needs no echo")
    func quiet() throws {
        for testCase in Self.cases {
            var client = QuietClient()
            let result = try #require(try testCase.play(againstClient: &client))
            #expect([.ok, .informational].contains(result.behavior), "\(testCase.id): \(result.why)")
        }
    }

    @Test(
        "A client that does not parse incoming frames passes no case with legal frames",
        arguments: WrongClient.Fault.allCases
    )
    private func wrong(fault: WrongClient.Fault) throws {
        let legal = Self.cases.filter { testCase in
            switch testCase.plan {
            case .script(_, let expectation):
                if case .ours(_, isClean: true) = expectation.ending { return !expectation.isInformational }
                return false
            case .opening(let plan): return plan.expected == .opens
            case .echo: return false
            }
        }
        #expect(legal.count > 130)
        // In case 7.7.3 the close frame has code 1002, so a correct client responds with the same code as the faulty
        // one.
        for testCase in legal where fault != .rejects || testCase.id.description != "7.7.3" {
            var client = WrongClient(fault)
            let result = try #require(try testCase.play(againstClient: &client))
            #expect(result.behavior == .failed, "\(testCase.id) \(result.why)")
        }
    }
}
