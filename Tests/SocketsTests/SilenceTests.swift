import Faults
import NIOCore
import TestSupport
import Testing

@testable import Sockets

@Suite(.ownThread, .timeLimit(.minutes(20)))
struct SilenceTests {
    /// During a stall the kernel acknowledges bytes that the program does not read.
    @Test("Bytes for a paused connection are acknowledged and delivered later")
    func unreadBytesAreAcknowledgedAndComeLater() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            peer.send([1, 2, 3])
            #expect(try await peer.becomesAcknowledged())
            #expect(try await bench.events().isEmpty)
            try await bench.on { try $0.accepted[0].readMode(.none) }
            #expect(try await bench.until { $0.events[0] == [.received([1, 2, 3])] })
        }
    }

    /// The kernel reports a FIN even on a socket that is not being read, so the FIN could be reported before another
    /// socket's bytes.
    @Test("Connections resumed together report their events in the order in which they were resumed")
    func connectionsThatResumeTogetherReportInOrder() async throws {
        try await Bench.with { bench in
            let (one, other) = (try PlainPeer(), try PlainPeer())
            #expect(one.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            #expect(other.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 2 })
            try await bench.on { for connection in $0.accepted { try connection.readMode(.unread) } }
            one.send([1])
            #expect(try await one.becomesAcknowledged())
            other.sendFIN()
            try await Task.sleep(for: .milliseconds(50))
            let reported = try await bench.on { parts in
                try parts.accepted[0].readMode(.none)
                let first = bench.parts.value?.events[0]
                try parts.accepted[1].readMode(.none)
                return first
            }
            #expect(reported == [.received([1])])
            #expect(try await bench.until { $0.events[1] == [.ended(.fin)] })
        }
    }

    @Test("A paused connection reports a FIN only after it is resumed")
    func anUnreadConnectionHearsNoFinUntilItReads() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            peer.send([1])
            peer.sendFIN()
            try await Task.sleep(for: .milliseconds(50))
            #expect(try await bench.events().isEmpty)
            try await bench.on { try $0.accepted[0].readMode(.none) }
            #expect(try await bench.until { $0.events[0] == [.received([1]), .ended(.fin)] })
        }
    }

    /// As in any program that polls sockets, a reset is detected without reading, and unread bytes are lost.
    @Test("A paused connection reports a reset immediately")
    func anUnreadConnectionHearsAReset() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            peer.send([1])
            peer.reset()
            #expect(try await bench.until { $0.events[0] == [.ended(.rst)] })
            try await bench.on { try $0.accepted[0].readMode(.none) }
            #expect(try await bench.events() == [.ended(.rst)])
        }
    }

    @Test("A paused connection fills the buffers of its peer")
    func aStallFillsThePeersBuffersInTheEnd() async throws {
        try await Bench.with(SocketSettings(sendBuffer: 8192, receiveBuffer: 8192)) { bench in
            let peer = try PlainPeer()
            peer.socket.configure(SocketSettings(sendBuffer: 8192, receiveBuffer: 8192))
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            var written = 0
            while written < 4 * 1024 * 1024 {
                let count = peer.send([UInt8](repeating: 0, count: 4096))
                if count == 0 { break }
                written += count
            }
            #expect(written >= 8192)
            #expect(written < 256 * 1024)
            let expected = written
            try await bench.on { try $0.accepted[0].readMode(.none) }
            #expect(try await bench.until { $0.events[0].bytes.count == expected })
        }
    }

    @Test(
        "Unacknowledged bytes stay in the peer's buffer until the packet filter is removed",
        .enabled(if: PacketFilter.isAvailable)
    )
    func unacknowledgedBytesStayWithThePeerUntilTheFilterGoes() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unacknowledged) }
            peer.send([UInt8](repeating: 5, count: 1000))
            try await Task.sleep(for: .milliseconds(100))
            #expect(peer.socket.unacknowledged == 1000)
            #expect(try await bench.events().isEmpty)
            try await bench.on { try $0.accepted[0].readMode(.none) }
            // TCP recovers on its own with the next retransmission.
            #expect(try await bench.until { $0.events[0].bytes.count == 1000 })
            #expect(try await peer.becomesAcknowledged())
        }
    }

    @Test("A connection behind a packet filter receives neither FIN nor RST", .enabled(if: PacketFilter.isAvailable))
    func anUnacknowledgedConnectionHearsNoEndOfAnyKind() async throws {
        try await Bench.with { bench in
            let (one, two) = (try PlainPeer(), try PlainPeer())
            #expect(one.connect(to: bench.address, port: bench.port) == 0)
            #expect(two.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 2 })
            try await bench.on { try $0.accepted.forEach { try $0.readMode(.unacknowledged) } }
            one.sendFIN()
            two.reset()
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await bench.events(of: 0).isEmpty)
            #expect(try await bench.events(of: 1).isEmpty)
            #expect(one.socket.unacknowledged == 1)
        }
    }

    @Test("A connection can change from stall to blackhole and back to stall", .enabled(if: PacketFilter.isAvailable))
    func aStallMayBecomeABlackholeAndBack() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            peer.send([1])
            #expect(try await peer.becomesAcknowledged())
            try await bench.on { try $0.accepted[0].readMode(.unacknowledged) }
            peer.send([2])
            try await Task.sleep(for: .milliseconds(50))
            #expect(peer.socket.unacknowledged == 1)
            try await bench.on { try $0.accepted[0].readMode(.unread) }
            #expect(try await peer.becomesAcknowledged())
            #expect(try await bench.events().isEmpty)
            try await bench.on { try $0.accepted[0].readMode(.none) }
            #expect(try await bench.until { $0.events[0].bytes == [1, 2] })
        }
    }

    @Test("Received bytes can be acknowledged immediately, without the kernel's delayed ACK")
    func acknowledgingNowDoesNotWaitForTheKernelsDelay() async throws {
        try await Bench.with { bench in
            let peer = try PlainPeer()
            #expect(peer.connect(to: bench.address, port: bench.port) == 0)
            #expect(try await bench.until { $0.accepted.count == 1 })
            for round in 1...50 {
                peer.send([UInt8](repeating: 1, count: 10))
                #expect(try await bench.until { $0.events[0].bytes.count == round * 10 })
                try await bench.on { $0.accepted[0].acknowledgeNow() }
                #expect(peer.socket.unacknowledged == 0)
            }
        }
    }
}

extension PlainPeer {
    func becomesAcknowledged() async throws -> Bool {
        for _ in 0..<400 {
            if socket.unacknowledged == 0 { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
