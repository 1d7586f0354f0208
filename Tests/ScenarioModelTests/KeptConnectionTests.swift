import ChatWire
import Faults
import SquallCore
import Testing

@testable import ScenarioModel

/// Tests persistent connections that carry several requests, as used by most HTTP clients.
@Suite struct KeptConnectionTests {
    private static func request(_ line: String, body: String = "") -> [UInt8] {
        Array("\(line) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private static func response(_ status: Int, body: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status) x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    private static let asked: [WireTap.Event] = [
        .requested(.health, target: "/health"), .requested(.upload(name: "a"), target: "/uploads/a"),
        .requested(.conversations, target: "/conversations"),
    ]
    private static let answered: [WireTap.Event] = [
        .answered(.health, status: 200), .answered(.upload(name: "a"), status: 201),
        .answered(.conversations, status: 500),
    ]
    private static let requests =
        request("GET /health") + request("POST /uploads/a", body: "GET /agents HTTP/1.1\r\n\r\n")
        + request("GET /conversations")
    private static let responses =
        response(200, body: "{}") + response(201, body: "HTTP/1.1 404 x\r\n\r\n") + response(500)

    @Test("Every pipelined request is observed together with its own response", arguments: [1, 7, 1_000])
    func everyRequestIsSeenWithItsOwnAnswer(pieces: Int) {
        var tap = WireTap(WireProfile())
        var events: [WireTap.Event] = []
        for index in stride(from: 0, to: Self.requests.count, by: pieces) {
            events += tap.upstream(Array(Self.requests[index...].prefix(pieces)))
        }
        #expect(events == Self.asked)
        events = []
        for index in stride(from: 0, to: Self.responses.count, by: pieces) {
            events += tap.downstream(Array(Self.responses[index...].prefix(pieces)))
        }
        #expect(events == Self.answered)
    }

    @Test("Consecutive requests and responses on one connection are observed")
    func oneAfterTheOther() {
        var tap = WireTap(WireProfile())
        for _ in 0..<3 {
            #expect(tap.upstream(Self.request("GET /health")) == [Self.asked[0]])
            #expect(tap.downstream(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)).isEmpty)
            #expect(tap.downstream(Self.response(200, body: "{}")) == [Self.answered[0]])
        }
    }

    /// In a response to a HEAD request, Content-Length does not announce a body.
    @Test("A response to HEAD has no body, whatever its Content-Length")
    func theAnswerToAHeadHasNoBody() {
        var tap = WireTap(WireProfile())
        #expect(tap.upstream(Self.request("HEAD /health")) == [Self.asked[0]])
        #expect(tap.upstream(Self.request("GET /conversations")) == [Self.asked[2]])
        let head = Array("HTTP/1.1 200 x\r\nContent-Length: 500\r\n\r\n".utf8)
        #expect(tap.downstream(head + Self.response(500)) == [Self.answered[0], Self.answered[2]])
    }

    @Test("A request with an absolute URL is recognised by its path")
    func anAbsoluteURLIsReadByItsPath() {
        var tap = WireTap(WireProfile())
        #expect(
            tap.upstream(Self.request("GET http://chat.test/health"))
                == [.requested(.health, target: "http://chat.test/health")]
        )
    }

    @Test("A later request on a connection may be an upgrade")
    func aLaterRequestMayBeAnUpgrade() throws {
        var tap = WireTap(WireProfile())
        _ = tap.upstream(Self.request("GET /health"))
        _ = tap.downstream(Self.response(200))
        #expect(!tap.isSocket)
        #expect(tap.upstream(Self.request("GET /ws")) == [.upgradeRequested])
        #expect(tap.isSocket)
        let hello = ServerFrame.hello(version: "1", authVersion: 1)
        let payload = hello.encode(WireProfile())
        let bytes = Array("HTTP/1.1 101 x\r\nUpgrade: websocket\r\n\r\n".utf8) + [0x81, UInt8(payload.count)] + payload
        #expect(tap.downstream(bytes) == [.upgradeAnswered(status: 101), .received(hello)])
    }

    /// The tap must let through a body larger than any message and still observe the next request.
    @Test("A request after a body of any size is still observed")
    func aBodyOfAnySizePasses() {
        var tap = WireTap(WireProfile())
        let size = 20 << 20
        _ = tap.upstream(Array("POST /uploads/a HTTP/1.1\r\nHost: x\r\nContent-Length: \(size)\r\n\r\n".utf8))
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<20 { _ = tap.upstream(piece) }
        #expect(tap.upstream(Self.request("GET /health")) == [Self.asked[0]])
    }

    /// An upstream may still answer a client that has half-closed the connection.
    @Test("A connection to a server is observed until both directions have ended")
    func aServerIsReadUntilBothDirectionsHaveEnded() {
        let link = LinkID(.only, 1)
        func names(_ told: [Observation]) -> [String] { told.map(\.name) }
        var server = ServerWire(WireProfile())
        _ = server.accepted(link)
        _ = server.received(Self.request("GET /health"), on: link)
        #expect(names(server.ended(link, by: .client, .fin)) == ["server.closed"])
        #expect(names(server.sent(Self.response(200), on: link)) == ["server.answered.health"])
        #expect(server.ended(link, by: .server, .fin).isEmpty)
        #expect(server.sent(Self.response(200), on: link).isEmpty)
        _ = server.accepted(link)
        _ = server.received(Self.request("GET /health"), on: link)
        #expect(names(server.ended(link, by: .client, .rst)) == ["server.closed"])
        #expect(server.sent(Self.response(200), on: link).isEmpty)
    }
}
