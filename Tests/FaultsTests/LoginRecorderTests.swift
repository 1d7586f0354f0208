import Faults
import SquallCore
import Testing
import WebSocketWire

/// Tests a fault in which a third party records a client's login and replays it later.
@Suite struct LoginRecorderTests {
    private let link = LinkID(.only, 1)

    private func stage() -> Stage {
        var stage = Stage()
        stage.relay = Relay(seed: Seed(1), clients: [.only], recordsLogins: true)
        stage.connect(1)
        return stage
    }

    private static let request = "GET /ws HTTP/1.1\r\nHost: chat.test\r\nUpgrade: websocket\r\n\r\n"

    private func frame(_ text: String, _ opcode: Opcode = .text, fin: Bool = true) -> [UInt8] {
        var frame = WebSocketFrame(opcode, maskKey: 0x0102_0304, payload: Array(text.utf8))
        frame.header.fin = fin
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        return bytes
    }

    /// Returns the bytes that the third party sends, or nil if it has recorded no login.
    private func replayed(_ stage: inout Stage, as number: Int = -1) -> [UInt8]? {
        let told = stage.play(.replayLogin(.only), at: 10)
        guard told.last == "connect \(number)" else {
            #expect(told == ["network.login_replayed false"])
            return nil
        }
        #expect(told == ["network.login_replayed true", "connect \(number)"])
        var written: [UInt8] = []
        for output in stage.feed(.upstreamOpened(LinkID(.only, number)), at: .at(11)) {
            if case .write(LinkID(.only, number), .server, let bytes) = output { written += bytes }
        }
        return written
    }

    @Test("A login is replayed byte for byte up to the end of its first message", arguments: [1, 7, 1000])
    func loginIsReplayed(_ size: Int) {
        var stage = stage()
        let login =
            Array(Self.request.utf8) + frame("ping", .ping) + frame("my ", fin: false) + frame("key", .continuation)
        let all = login + frame("what follows")
        for start in stride(from: 0, to: all.count, by: size) {
            _ = stage.feed(.received(link, from: .client, Array(all[start..<min(start + size, all.count)])), at: .at(1))
        }
        #expect(replayed(&stage) == login)
        #expect(replayed(&stage, as: -2) == login, "the login can be replayed again")
    }

    @Test("The recorder ignores a connection without an upgrade and records a later login") func plainRequest() {
        var stage = stage()
        _ = stage.send("GET /health HTTP/1.1\r\nHost: chat.test\r\n\r\n", from: .client, at: 1)
        #expect(replayed(&stage) == nil)
        stage.connect(2, at: 12)
        let login = Array(Self.request.utf8) + frame("key")
        _ = stage.feed(.received(LinkID(.only, 2), from: .client, login), at: .at(13))
        #expect(replayed(&stage) == login)
    }

    @Test("A login is recorded only once its first message is complete") func incompleteLogin() {
        var stage = stage()
        let login = Array(Self.request.utf8) + frame("key")
        _ = stage.feed(.received(link, from: .client, Array(login.dropLast())), at: .at(1))
        #expect(replayed(&stage) == nil)
        _ = stage.feed(.received(link, from: .client, Array(login.suffix(1))), at: .at(12))
        #expect(replayed(&stage) == login)
    }

    @Test("The server's answers to a replayed login reach no client") func answersToAReplayedLogin() {
        var stage = stage()
        _ = stage.feed(.received(link, from: .client, Array(Self.request.utf8) + frame("key")), at: .at(1))
        #expect(replayed(&stage) != nil)
        let own = LinkID(.only, -1)
        #expect(stage.play(.received(own, from: .server, [1, 2, 3]), at: 12) == [])
        #expect(stage.play(.ended(own, side: .server, .fin), at: 13) == ["end -1 server fin"])
        #expect(stage.play(.received(link, from: .server, Array("hi".utf8)), at: 14) == ["write 1 client hi"])
    }
}
