import Faults
import NIOCore
import Sockets
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ConnectionEndTests {
    @Test("The peer receives a FIN after all bytes")
    func finIsSeenAsTheEndAfterAllBytes() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { parts in
                parts.accepted[0].write([1, 2, 3])
                parts.accepted[0].end(.fin)
            }
            let seen = peer.receiveAll()
            #expect(seen.bytes == [1, 2, 3])
            #expect(seen.then == .end)
        }
    }

    @Test("The peer receives an RST after the bytes sent before it")
    func resetIsSeenAsAResetAfterTheBytesBeforeIt() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { parts in
                parts.accepted[0].write([1, 2, 3])
                parts.accepted[0].end(.rst)
            }
            let seen = peer.receiveAll()
            #expect(seen.bytes == [1, 2, 3])
            #expect(seen.then == .reset)
        }
    }

    /// Closing a socket immediately while it has unread bytes would send an RST.
    @Test("Ending a connection with unread bytes by FIN does not send an RST")
    func finWithBytesOnTheWayStaysAFin() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            peer.send([UInt8](repeating: 7, count: 1000))
            try await bench.on { $0.accepted[0].end(.fin) }
            #expect(peer.receive() == .end)
            #expect(peer.receive(waiting: 100) == .end)
            #expect(peer.send([1]) == 1)
            try await bench.on { try $0.accepted[0].readMode(.none) }
            #expect(try await bench.until { $0.events[0].bytes.count == 1001 })
        }
    }

    @Test("A connection still receives bytes after it has sent a FIN")
    func afterItsFinAConnectionStillHearsThePeer() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { $0.accepted[0].end(.fin) }
            #expect(peer.receive() == .end)
            peer.send([9, 9])
            peer.sendFIN()
            #expect(try await bench.until { $0.events[0] == [.received([9, 9]), .ended(.fin)] })
            #expect(try await bench.on { !$0.accepted[0].isOpen })
        }
    }

    @Test("A connection that lingers after its end is closed after a time limit")
    func lingeringIsBounded() async throws {
        try await Bench.with(SocketSettings(lingerTimeout: .milliseconds(50))) { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { $0.accepted[0].end(.fin) }
            #expect(try await bench.until { !$0.accepted[0].isOpen })
        }
    }

    /// The linger timeout starts once all bytes have been written.
    @Test("A slow peer receives all bytes written before the end of the connection")
    func aSlowPeerReceivesEverything() async throws {
        try await Bench.with(SocketSettings(sendBuffer: 8192, receiveBuffer: 8192, lingerTimeout: .milliseconds(50))) {
            bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            let count = 4 * 1024 * 1024
            try await bench.on {
                $0.accepted[0].write([UInt8](repeating: 3, count: count))
                $0.accepted[0].end(.fin)
            }
            try await Task.sleep(for: .milliseconds(300))
            let seen = peer.receiveAll()
            #expect(seen.bytes.count == count)
            #expect(seen.then == .end)
            #expect(try await bench.until { !$0.accepted[0].isOpen }, "and then the lingering is over")
        }
    }

    @Test("A half-close is reported, and the other direction still works")
    func halfCloseIsReported() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            peer.send([1])
            peer.sendFIN()
            #expect(try await bench.until { $0.events.first == [.received([1]), .ended(.fin)] })
            try await bench.on { $0.accepted[0].write([5, 6]) }
            #expect(peer.receive() == .bytes([5, 6]))
            try await bench.on { $0.accepted[0].end(.fin) }
            #expect(peer.receive() == .end)
            #expect(try await bench.on { !$0.accepted[0].isOpen })
        }
    }

    @Test("Large writes are delivered even after the peer has sent a FIN")
    func bigWritesSurviveAFinAfterThePeersFin() async throws {
        try await Bench.with(SocketSettings(sendBuffer: 8192, receiveBuffer: 8192)) { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            peer.sendFIN()
            #expect(try await bench.until { $0.events.first == [.ended(.fin)] })
            let count = 1024 * 1024
            let waiting = try await bench.on { parts in
                parts.accepted[0].write([UInt8](repeating: 3, count: count))
                parts.accepted[0].end(.fin)
                return parts.accepted[0].undelivered
            }
            #expect(waiting > count / 2)
            let seen = peer.receiveAll()
            #expect(seen.bytes.count == count)
            #expect(seen.then == .end)
        }
    }

    @Test("A peer's reset is reported after its bytes")
    func aPeersResetIsReportedAfterItsBytes() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            peer.send([4, 2])
            peer.reset()
            #expect(try await bench.until { $0.events[0].ends == [.rst] })
            #expect(try await bench.events().bytes == [4, 2])
        }
    }

    /// A write that fails because of an RST must neither lose received bytes nor report a FIN.
    @Test("A failed write to a reset connection does not lose bytes received before the reset")
    func aWriteIntoAResetConnectionLosesNothingThatCameBefore() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            let descriptor = peer.socket
            try await bench.on { parts in
                // Both calls run in one event-loop task, so that nothing is read in between.
                #expect([UInt8]([8, 8]).withUnsafeBytes { descriptor.sendPlainly($0) } == 2)
                descriptor.resetAtOnce()
                parts.accepted[0].write([1])
                parts.accepted[0].write([2])
            }
            #expect(try await bench.until { $0.events[0].ends == [.rst] })
            #expect(try await bench.events() == [.received([8, 8]), .ended(.rst)])
        }
    }

    @Test("A reset after a FIN is also reported")
    func aResetAfterAFinIsReported() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            peer.gone()
            #expect(try await bench.until { $0.events[0].ends == [.fin] })
            try await bench.on { $0.accepted[0].write([1]) }
            #expect(try await bench.until { $0.events[0].ends == [.fin, .rst] })
        }
    }
}
