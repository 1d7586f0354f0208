import Faults
import Sockets
import TLSLink
import TestSupport
import Testing

/// Tests peers that break the TLS session after a successful handshake but leave the TCP connection open.
@Suite(.ownThread, .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS"))
struct BrokenTLSTests {
    enum Break: CaseIterable {
        case garbage, recordThatIsNotGenuine, alert
    }

    @Test("A damaged TLS record is reported as a reset after the bytes before it", arguments: Break.allCases)
    func isAResetBehindWhatCameBefore(_ how: Break) async throws {
        try await Bench.with { bench in
            let authority = try TLS.makeAuthority(at: TLS.now)
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { parts in
                let session = try authority.session(as: ["chat.test"], showing: .valid, at: TLS.now)
                let connection = parts.accepted[0]
                let note = connection.onEvent
                connection.onEvent = { [weak connection] event in
                    note(event)
                    if case .received = event { connection?.write(Array("heard".utf8)) }
                }
                connection.secure(session) { if let failure = $0 { Issue.record(failure) } }
            }
            try Self.talk(to: peer, trusting: .authority(authority), breaking: how)
            #expect(try await bench.until { !$0.events[0].ends.isEmpty })
            let events = try await bench.events()
            #expect(String(decoding: events.bytes, as: UTF8.self) == "hello")
            #expect(events.ends == [.rst])
            #expect(try await bench.on { $0.accepted[0].isOpen } == false)
            // The connection has also ended at the peer.
            #expect([.end, .reset].contains(peer.receiveAll().then))
        }
    }

    /// Runs a minimal TLS client on a single thread, as its session requires.
    private static func talk(to peer: PlainPeer, trusting trust: TLSTrust, breaking how: Break) throws {
        let session = try TLS.client(of: "chat.test", trusting: trust)
        send(session.start(), to: peer)
        Array("hello".utf8).withUnsafeBytes { send(session.write($0), to: peer) }
        var heard: [UInt8] = []
        while heard.count < 5 {
            guard case .bytes(let bytes) = peer.receive() else {
                Issue.record("nothing was answered")
                return
            }
            let outputs = bytes.withUnsafeBytes { session.receive($0) }
            send(outputs, to: peer)
            for case .plaintext(let text) in outputs { heard += text }
        }
        switch how {
        case .garbage: peer.send(Array("HTTP/1.1 400 what is this\r\n\r\n".utf8))
        case .recordThatIsNotGenuine: peer.send([23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32))
        case .alert:
            // The session receives a record that it cannot decrypt, to which it responds with an alert.
            let record: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32)
            record.withUnsafeBytes { send(session.receive($0), to: peer) }
        }
    }

    private static func send(_ outputs: [TLSOutput], to peer: PlainPeer) {
        for case .wire(let bytes) in outputs { #expect(peer.send(bytes) == bytes.count) }
    }
}
