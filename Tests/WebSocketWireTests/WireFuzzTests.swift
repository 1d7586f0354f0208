import SquallCore
import Testing
import WebSocketWire

/// Tests that random bytes and damaged valid bytes never cause a trap, and that the results do not depend on how the
/// bytes are split.
@Suite struct WireFuzzTests {
    private static let runs = 600 * FuzzBudget.factor
    private static let limits = WebSocketConnection.Limits(
        http: HTTPLimits(head: 400, headers: 8, body: 64),
        message: 300,
        refusalBody: 16
    )

    /// The events and output of a connection after it has received some bytes and the end of the stream.
    private struct Outcome: Equatable {
        var events: [WebSocketConnection.Event] = []
        var output: [UInt8] = []
        var state: WebSocketConnection.State
        var refusalBody: [UInt8]

        init(_ connection: WebSocketConnection, _ pieces: [[UInt8]]) {
            var connection = connection
            for piece in pieces {
                events += connection.receive(piece)
                output += connection.takeOutput()
            }
            events += connection.receiveEnd()
            output += connection.takeOutput()
            state = connection.state
            refusalBody = connection.refusalBody
        }
    }

    /// Returns one endpoint of an open connection with compression.
    private static func compressing(_ role: WebSocketRole) throws -> WebSocketConnection {
        let offers = [DeflateOffer()]
        let request = WebSocketHandshake.request(host: "a", path: "/", key: sampleKey, deflate: offers)
        var server = try WebSocketConnection.server(accepting: request, deflate: .init(), limits: limits)
        var client = WebSocketConnection.client(
            host: "a",
            path: "/",
            key: sampleKey,
            masks: Seed(7).stream("masks"),
            deflate: offers,
            limits: limits
        )
        _ = client.takeOutput()
        _ = client.receive(server.takeOutput())
        return role == .client ? client : server
    }

    @Test("Compressed frames give the same events for every split of their bytes", arguments: WebSocketRole.allCases)
    func compressedFrames(role: WebSocketRole) throws {
        var generator = FuzzBudget.stream(14, "compressed")
        let connection = try Self.compressing(role)
        #expect(connection.deflate == DeflateAgreement())
        var (messages, bombs) = (0, 0)
        for run in 0..<Self.runs {
            var peer = try Self.compressing(role == .client ? .server : .client)
            for _ in 0...generator.below(6) {
                let length = Int(generator.below(generator.below(10) == 0 ? 400 : 40))
                let text = String(repeating: generator.below(2) == 0 ? "abc" : "héł", count: length / 5)
                if generator.below(3) == 0 { peer.sendBinary(Array(text.utf8)) } else { peer.sendText(text) }
                if generator.below(4) == 0 { peer.sendPing([1, 2, 3]) }
            }
            var bytes = peer.takeOutput()
            if run % 3 == 0 { Self.spoil(&bytes, using: &generator) }
            let whole = Outcome(connection, [bytes])
            #expect(Outcome(connection, randomCut(of: bytes, using: &generator)) == whole, "\(FuzzBudget.place(run))")
            #expect(Outcome(connection, bytes.map { [$0] }) == whole, "\(FuzzBudget.place(run))")
            messages += whole.events.count - 1
            for case .received(.text(let text)) in whole.events { #expect(text.utf8.count <= Self.limits.message) }
            bombs += whole.events.contains(.failed(.violation(.messageTooBig(limit: 300)))) ? 1 : 0
        }
        #expect(messages > Self.runs)
        #expect(bombs > 0)
    }

    private static func randomFrames(_ role: WebSocketRole, using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        var isInside = false
        for _ in 0...generator.below(8) {
            // Most opcodes are valid after the previous frame, so that complete messages occur.
            let data: Opcode = isInside != (generator.below(20) == 0) ? .continuation : .text
            let opcodes = [data, data, data, data, .binary, .ping, .pong, .ping, .pong, .close]
            let length = generator.below(4) == 0 ? generator.below(200) : generator.below(8)
            // The payload is mostly ASCII, so that most texts are valid.
            let payload = (0..<length).map { _ in UInt8(generator.below(generator.below(40) == 0 ? 256 : 128)) }
            let opcode = opcodes[Int(generator.below(UInt64(opcodes.count)))]
            let fin = opcode.isControl ? generator.below(30) > 0 : generator.below(3) > 0
            if !opcode.isControl { isInside = !fin }
            WebSocketFrame(
                fin: fin,
                opcode,
                maskKey: role == .server ? UInt32(truncatingIfNeeded: generator.next()) : nil,
                payload: payload
            ).append(to: &bytes)
        }
        return bytes
    }

    private static func spoil(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        for _ in 0..<generator.below(3) where !bytes.isEmpty {
            let place = Int(generator.below(UInt64(bytes.count)))
            switch generator.below(4) {
            case 0: bytes[place] = UInt8(generator.below(256))
            case 1: bytes[place] ^= 1 << UInt8(generator.below(8))
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8(generator.below(256)), at: place)
            }
        }
    }

    @Test("Damaged frames give the same events for every split of their bytes", arguments: WebSocketRole.allCases)
    func frames(role: WebSocketRole) throws {
        var generator = FuzzBudget.stream(11, "frames")
        let connection = role == .client ? makeOpenClient(limits: Self.limits) : try makeOpenServer(limits: Self.limits)
        var messages = 0
        for run in 0..<Self.runs {
            var bytes = Self.randomFrames(role, using: &generator)
            if run % 10 == 0 { bytes = bytes.map { _ in UInt8(generator.below(256)) } }
            Self.spoil(&bytes, using: &generator)
            let whole = Outcome(connection, [bytes])
            #expect(Outcome(connection, randomCut(of: bytes, using: &generator)) == whole, "\(FuzzBudget.place(run))")
            #expect(Outcome(connection, bytes.map { [$0] }) == whole, "\(FuzzBudget.place(run))")
            #expect(whole.state == .closed || whole.state == .closing)
            // The output must not exceed one pong per ping and one close frame, each of which may be masked.
            #expect(whole.output.count <= bytes.count + 4 * whole.events.count + 131)
            messages += whole.events.count - 1
        }
        // Enough messages must be valid; otherwise, the test proves nothing.
        #expect(messages > Self.runs)
    }

    @Test("Damaged handshakes give the same events for every split of their bytes")
    func handshakes() {
        var generator = FuzzBudget.stream(12, "handshakes")
        let heads: [[UInt8]] = [
            goodResponse.encode(),
            "HTTP/1.1 100 Continue\n\n".wire + goodResponse.encode(),
            "HTTP/1.1 503 Busy\nContent-Length: 20\n\n01234567890123456789".wire,
            "HTTP/1.1 401 No\nTransfer-Encoding: chunked\n\n5\nhello\n3;x=y\nyou\n0\nA: b\n\n".wire,
            "HTTP/1.0 200 OK\n\nThis is the portal.".wire,
        ]
        var kinds: [String: Int] = [:]
        for run in 0..<Self.runs {
            var bytes = heads[run % heads.count] + Self.randomFrames(.client, using: &generator)
            Self.spoil(&bytes, using: &generator)
            let client = makeClient(limits: Self.limits)
            let whole = Outcome(client, [bytes])
            #expect(Outcome(client, randomCut(of: bytes, using: &generator)) == whole, "\(FuzzBudget.place(run))")
            #expect(Outcome(client, bytes.map { [$0] }) == whole, "\(FuzzBudget.place(run))")
            switch whole.events.first {
            case .opened: kinds["opened", default: 0] += 1
            case .failed(.handshake): kinds["refused", default: 0] += 1
            case .failed(.http): kinds["not HTTP", default: 0] += 1
            default: Issue.record("\(FuzzBudget.place(run)): \(whole.events)")
            }
        }
        #expect(kinds.values.allSatisfy { $0 > Self.runs / 20 })
        #expect(kinds.count == 3)
    }

    @Test("Damaged requests give the same result for every split of their bytes")
    func requests() {
        var generator = FuzzBudget.stream(13, "requests")
        let requests: [[UInt8]] = [
            WebSocketHandshake.request(host: "a", path: "/", key: sampleKey).encode() + [0x81, 0x80, 1, 2, 3, 4],
            "POST /a HTTP/1.1\nHost: a\nContent-Length: 12\n\nhello, world".wire,
            "\nPUT /a HTTP/1.1\nTransfer-Encoding: chunked\n\nC\nhello, world\n0\nA: b\n\n".wire,
        ]
        var whole = 0
        for run in 0..<Self.runs {
            var bytes = requests[run % requests.count]
            Self.spoil(&bytes, using: &generator)
            let parsed = parseRequest([bytes], limits: Self.limits.http, finishing: true)
            let cut = randomCut(of: bytes, using: &generator)
            #expect(parseRequest(cut, limits: Self.limits.http, finishing: true) == parsed, "\(FuzzBudget.place(run))")
            #expect(parsed.hasEnded != (parsed.error != nil), "\(FuzzBudget.place(run))")
            whole += parsed.hasEnded ? 1 : 0
        }
        #expect(whole > Self.runs / 4)
        #expect(whole < Self.runs)
    }
}
