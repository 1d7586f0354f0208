import Faults
import NIOCore
import TestSupport
import Testing

@testable import Sockets

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ListenerTests {
    @Test("An open listener accepts connections and reports the peer's port")
    func anOpenListenerReportsThePeersPort() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            let port = try await bench.on { $0.accepted[0].peerPort }
            #expect(port == peer.socket.localPort)
        }
    }

    @Test("A refusing listener keeps its port reserved")
    func aRefusingListenerKeepsItsPort() async throws {
        try await Bench.with(acceptMode: .refusing) { bench in
            let code = try PlainPeer.outcome(of: bench.address, port: bench.port)
            #expect(code == ECONNREFUSED)
            #expect(throws: SocketError.self) {
                let taken = try SystemSocket.bound(to: bench.address, port: bench.port)
                defer { taken.close() }
                // Linux allows two sockets with address reuse to bind the same port, but only one of them to listen.
                if listen(taken.descriptor, 1) != 0 { throw SocketError("listen") }
            }
        }
    }

    @Test("A listener can alternate repeatedly between accepting and refusing")
    func aListenerOpensAndRefusesRepeatedly() async throws {
        try await Bench.with { bench in
            let old = try PlainPeer()
            #expect(old.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            for round in 2...4 {
                try await bench.set(.refusing)
                #expect(try PlainPeer.outcome(of: bench.address, port: bench.port) == ECONNREFUSED)
                try await bench.set(.open)
                let peer = try PlainPeer()
                #expect(peer.connect(to: bench.address, port: bench.port) == 0)
                #expect(try await bench.until { $0.accepted.count == round })
            }
            // Older connections continue.
            old.send([1])
            #expect(try await bench.until { $0.events[0] == [.received([1])] })
        }
    }

    @Test("A dropping listener does not answer SYN packets", .enabled(if: PacketFilter.isAvailable))
    func aDroppingListenerAnswersNothing() async throws {
        try await Bench.with { bench in
            let old = try PlainPeer()
            #expect(old.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.set(.dropping)
            let lost = try PlainPeer()
            #expect(lost.connect(to: bench.address, port: bench.port, waiting: 150) == ETIMEDOUT)
            old.send([1])
            #expect(try await bench.until { $0.events[0] == [.received([1])] })
            try await bench.set(.open)
            let fresh = try PlainPeer()
            #expect(fresh.connect(to: bench.address, port: bench.port) == 0)
            // The kernel itself retransmits the lost SYN, one second after the attempt began.
            #expect(lost.finishConnecting(waiting: 3000) == 0)
        }
    }

    @Test(
        "A listener can change from every accept mode to every other",
        .enabled(if: PacketFilter.isAvailable),
        arguments: [AcceptMode.refusing, .dropping]
    )
    func everyAcceptModeCanFollowEveryOther(_ first: AcceptMode) async throws {
        try await Bench.with(acceptMode: first) { bench in
            for acceptMode in [AcceptMode.open, .refusing, .dropping, .open, .dropping, .refusing, .open] {
                try await bench.set(acceptMode)
                let code = try PlainPeer.outcome(of: bench.address, port: bench.port, waiting: 50)
                switch acceptMode {
                case .open: #expect(code == 0)
                case .refusing: #expect(code == ECONNREFUSED)
                case .dropping: #expect(code == ETIMEDOUT)
                }
            }
        }
    }

    /// SwiftNIO begins to accept connections one event-loop task after the socket begins to listen.
    @Test("The accept mode of a listener may change several times within one event-loop task")
    func theAcceptModeMayChangeRepeatedly() async throws {
        try await Bench.with(acceptMode: .refusing) { bench in
            try await bench.on { parts in
                for acceptMode in [AcceptMode.open, .refusing, .open, .dropping, .refusing, .dropping, .open] {
                    try parts.listener.set(acceptMode)
                }
            }
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { parts in
                for acceptMode in [AcceptMode.refusing, .open, .dropping, .open, .refusing] {
                    try parts.listener.set(acceptMode)
                }
            }
            let code = try PlainPeer.outcome(of: bench.address, port: bench.port)
            #expect(code == ECONNREFUSED)
        }
    }

    @Test("The error for a port in use names the address")
    func aPortThatIsTakenIsNamed() async throws {
        try await Bench.with { bench in
            let error = try await bench.on { [loop = bench.loop] parts -> SocketError? in
                do throws(SocketError) {
                    let second = try Listener(
                        at: parts.claim.address,
                        port: parts.listener.port,
                        settings: SocketSettings(),
                        on: loop,
                        onFailure: { _ in },
                        onAccept: { _ in }
                    )
                    second.close()
                    return nil
                } catch {
                    return error
                }
            }
            #expect(error?.code == EADDRINUSE)
            #expect(error?.operation == "bind \(bench.address):\(bench.port)")
        }
    }
}
