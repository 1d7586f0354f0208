import Packets
import SquallCore
import Testing

@testable import Trace

private func seconds(_ seconds: Int64) -> Instant { ms(seconds * 1000) }

/// Tests that link traffic is captured as packets, by reading the packets back with the parser for captured packets.
@Suite struct LinkCaptureTests {
    private static let anna = ClientID("anna")
    private static let timing = LinkCapture.Timing(hop: .milliseconds(1), capacity: 4096)

    private static func capture(limit: Int = PacketCapture.limit) -> LinkCapture {
        LinkCapture(of: [anna], tool: "squall 1.0", note: "By hand.", timing: timing, limit: limit)
    }

    /// Returns an open connection: SYN at 0, SYN-ACK at 1 ms, received at 2 ms.
    private static func connected(limit: Int = PacketCapture.limit) -> LinkCapture {
        var capture = capture(limit: limit)
        capture.connect(by: anna, at: .zero)
        capture.accept(0, leaves: ms(1), arrives: ms(2))
        return capture
    }

    private static func carry(
        _ cargo: LinkCapture.Payload,
        from end: LinkCapture.Side,
        at time: Int64,
        _ reception: LinkCapture.Reception?,
        over connection: Int = 0,
        in capture: inout LinkCapture
    ) {
        capture.carry(connection, cargo, from: end, leaves: ms(time), arrives: ms(time + 1))
        guard let reception else { return }
        capture.arrive(connection, at: end == .caller ? .callee : .caller, reception, at: ms(time + 1))
    }

    /// Returns a line for each packet: time, capture point, sender, flags, relative sequence numbers, payload size,
    /// comment.
    private static func words(_ capture: PacketCapture) throws -> [String] {
        var first: [String: UInt32] = [:]
        return try capture.packets.map { packet in
            let summary = try #require(PacketSummary(packet.bytes))
            let tcp = try #require(summary.tcp)
            if tcp.flags.hasPrefix("SYN") { first[summary.source] = tcp.sequence }
            let sequence = tcp.sequence &- (first[summary.source] ?? 0)
            let acknowledgement = tcp.acknowledgement &- (first[summary.destination] ?? 0)
            let numbers = tcp.flags.contains("ACK") ? "\(sequence)/\(acknowledgement)" : "\(sequence)"
            let comment = packet.comment.map { " (\($0))" } ?? ""
            return
                "\(packet.time) \(packet.place) \(summary.source) \(tcp.flags) \(numbers) +\(tcp.payload)\(comment)"
        }
    }

    private static let handshake = [
        "0.000 client 10.1.0.1:49152 SYN 0 +0",
        "0.002 client 10.2.0.1:80 SYN,ACK 0/1 +0",
        "0.002 client 10.1.0.1:49152 ACK 1/1 +0",
    ]

    @Test("The packets of a connection follow TCP from the handshake to the FINs")
    func aConnectionOpensCarriesAndEndsAsTCPHasIt() throws {
        var capture = Self.connected()
        Self.carry(.bytes(Array("hello".utf8)), from: .caller, at: 10, .read, in: &capture)
        Self.carry(.bytes(Array("hi".utf8)), from: .callee, at: 11, .read, in: &capture)
        Self.carry(.fin, from: .callee, at: 20, .read, in: &capture)
        Self.carry(.fin, from: .caller, at: 21, .read, in: &capture)
        #expect(
            try Self.words(capture.finish(at: seconds(1))) == Self.handshake + [
                "0.010 client 10.1.0.1:49152 PSH,ACK 1/1 +5",
                "0.012 client 10.2.0.1:80 ACK 1/6 +0",
                "0.012 client 10.2.0.1:80 PSH,ACK 1/6 +2",
                "0.012 client 10.1.0.1:49152 ACK 6/3 +0",
                "0.021 client 10.2.0.1:80 FIN,ACK 3/6 +0",
                "0.021 client 10.1.0.1:49152 ACK 6/4 +0",
                "0.021 client 10.1.0.1:49152 FIN,ACK 6/4 +0",
                "0.023 client 10.2.0.1:80 ACK 4/7 +0",
            ]
        )
    }

    @Test("Packets on the server's side are captured when they reach the server, with the client's port")
    func theServersSideIsSeenWhereTheServerStandsAndHasTheClientsPort() throws {
        var capture = Self.connected()
        capture.name(0, link: 1)
        capture.connect(by: Self.anna, for: 1, at: ms(3))
        capture.accept(1, leaves: ms(4), arrives: ms(5))
        Self.carry(.bytes([1]), from: .caller, at: 10, .read, over: 1, in: &capture)
        Self.carry(.rst, from: .callee, at: 20, .read, over: 1, in: &capture)
        let seen = try Self.words(capture.finish(at: seconds(1))).filter { $0.contains(" server ") }
        #expect(
            seen == [
                "0.004 server 10.2.0.1:49152 SYN 0 +0 (Link 1 of anna, to the server.)",
                "0.004 server 10.3.0.1:80 SYN,ACK 0/1 +0",
                "0.006 server 10.2.0.1:49152 ACK 1/1 +0",
                "0.011 server 10.2.0.1:49152 PSH,ACK 1/1 +1",
                "0.011 server 10.3.0.1:80 ACK 1/2 +0",
                "0.020 server 10.3.0.1:80 RST,ACK 1/2 +0",
            ]
        )
    }

    @Test("A refused connection attempt is answered by an RST")
    func aRefusedCallIsAnsweredByAnRST() throws {
        var capture = Self.capture()
        capture.connect(by: Self.anna, at: .zero)
        capture.refuse(0, leaves: ms(1), arrives: ms(2))
        #expect(
            try Self.words(capture.finish(at: seconds(60))) == [
                "0.000 client 10.1.0.1:49152 SYN 0 +0",
                "0.002 client 10.2.0.1:80 RST,ACK 0/1 +0",
            ]
        )
    }

    /// Linux retransmits a SYN 1, 3 and 7 seconds after the first one, for as long as the program waits.
    @Test("A SYN sent into a blackhole is retransmitted until the attempt is abandoned")
    func aCallIntoABlackholeIsMadeAgainUntilItIsGivenUp() throws {
        var capture = Self.capture()
        capture.connect(by: Self.anna, at: .zero)
        capture.comment("Dropped.", onSYNOf: 0)
        capture.abandon(0, at: seconds(5))
        capture.connect(by: Self.anna, at: seconds(6))
        #expect(
            try Self.words(capture.finish(at: seconds(8))) == [
                "0.000 client 10.1.0.1:49152 SYN 0 +0 (Dropped.)",
                "1.000 client 10.1.0.1:49152 SYN 0 +0",
                "3.000 client 10.1.0.1:49152 SYN 0 +0",
                "6.000 client 10.1.0.1:49153 SYN 0 +0",
                "7.000 client 10.1.0.1:49153 SYN 0 +0",
            ]
        )
    }

    @Test("Bytes sent into a blackhole are captured and never acknowledged")
    func bytesIntoABlackholeAreNeverAcknowledged() throws {
        var capture = Self.connected()
        Self.carry(.bytes([1, 2, 3]), from: .caller, at: 10, .lost, in: &capture)
        Self.carry(.bytes([4]), from: .caller, at: 30, .lost, in: &capture)
        Self.carry(.bytes([5]), from: .callee, at: 40, .read, in: &capture)
        let eaten = "(Never acknowledged: the network no longer forwards packets on this connection.)"
        #expect(
            try Self.words(capture.finish(at: seconds(1))).dropFirst(3) == [
                "0.010 client 10.1.0.1:49152 PSH,ACK 1/1 +3 \(eaten)",
                "0.030 client 10.1.0.1:49152 PSH,ACK 4/1 +1 \(eaten)",
                "0.041 client 10.2.0.1:80 PSH,ACK 1/1 +1",
                "0.041 client 10.1.0.1:49152 ACK 5/2 +0",
            ]
        )
    }

    @Test("Bytes sent into a stall are acknowledged while the receive window shrinks")
    func stalledBytesAreAcknowledged() throws {
        var capture = Self.connected()
        Self.carry(.bytes([UInt8](repeating: 1, count: 4096)), from: .caller, at: 10, .unread, in: &capture)
        capture.release(0, at: .callee, at: ms(50))
        let packets = capture.finish(at: seconds(1)).packets.dropFirst(3)
        let window = packets.map { Int($0.bytes[34]) << 8 | Int($0.bytes[35]) }
        #expect(packets.map(\.time) == [ms(10), ms(10), ms(10), ms(12), ms(51)])
        // The window field counts units of 128 bytes, the scale that both endpoints negotiated in the handshake.
        #expect(window == [32, 32, 32, 0, 32])
    }

    @Test("Bytes sent to a closed socket are answered by an RST")
    func bytesForAClosedSocketAreAnsweredByAnRST() throws {
        var capture = Self.connected()
        Self.carry(.bytes([1]), from: .caller, at: 10, .refused, in: &capture)
        Self.carry(.rst, from: .callee, at: 11, .read, in: &capture)
        #expect(
            try Self.words(capture.finish(at: seconds(1))).dropFirst(3) == [
                "0.010 client 10.1.0.1:49152 PSH,ACK 1/1 +1",
                "0.012 client 10.2.0.1:80 RST,ACK 1/1 +0",
            ]
        )
    }

    @Test("Bytes still in flight at the end of the run are not captured")
    func bytesUnderWayAtTheEndAreNotCaptured() throws {
        var capture = Self.connected()
        Self.carry(.bytes([1]), from: .callee, at: 10, nil, in: &capture)
        #expect(try Self.words(capture.finish(at: ms(10))) == Self.handshake)
    }

    @Test("A capture that has reached its size limit only counts packets")
    func beyondItsLimitPacketsAreCountedOnly() throws {
        var capture = Self.connected(limit: 300)
        for time in 10..<20 { Self.carry(.bytes([1, 2]), from: .caller, at: Int64(time), .read, in: &capture) }
        let whole = capture.finish(at: seconds(1))
        #expect(whole.packets.reduce(0) { $0 + $1.bytes.count } <= 300)
        #expect(whole.packets.count + whole.leftOut == 3 + 20)
        // Once a packet has been left out, all later ones are left out as well.
        #expect(try Self.words(whole).prefix(4) == Self.handshake + ["0.010 client 10.1.0.1:49152 PSH,ACK 1/1 +2"])
        let kept = RunCapture(whole, of: [])
        #expect(kept.leftOut == whole.leftOut)
        #expect(kept.gap?.contains("\(whole.leftOut) packets are left out") == true)
    }

    /// The ones' complement sum over a header, including its checksum, is zero (RFC 1071).
    @Test(
        "The IP and TCP checksums of captured packets are correct",
        arguments: [[], [7], Array("an odd number".utf8), [UInt8](repeating: 0xFF, count: 1460)]
    )
    func checksumsAreRight(_ payload: [UInt8]) throws {
        var capture = Self.connected()
        if !payload.isEmpty { Self.carry(.bytes(payload), from: .caller, at: 10, .read, in: &capture) }
        for packet in capture.finish(at: seconds(1)).packets {
            let bytes = packet.bytes
            #expect(Self.sum(bytes.prefix(20)) == 0xFFFF)
            #expect(Self.sum(bytes.dropFirst(12), plus: 6 + bytes.count - 20) == 0xFFFF)
            #expect(Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count)
        }
    }

    private static func sum(_ bytes: ArraySlice<UInt8>, plus start: Int = 0) -> Int {
        let bytes = Array(bytes) + [0]
        var sum = start
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            sum += Int(bytes[place]) << 8 + Int(bytes[place + 1])
        }
        while sum > 0xFFFF { sum = (sum & 0xFFFF) + (sum >> 16) }
        return sum
    }

    @Test("The packets nearest to the start and end of a fault have a comment about the fault")
    func faultsAreMarkedWhereTheyBeganAndEnded() throws {
        var capture = Self.connected()
        Self.carry(.bytes([1]), from: .caller, at: 10, .lost, in: &capture)
        var whole = capture.finish(at: seconds(1))
        let recording = recording(
            [
                happened("fault.began", key: "hole", ["fault": "blackhole"]), happened("network.accepted"),
                happened("fault.ended", key: "hole"),
            ],
            client: nil
        )
        whole.mark(recording.events)
        let comments = whole.packets.map { $0.comment ?? "" }
        #expect(comments[0] == "Before this, at 0.000000: fault.began[hole] {\"fault\":\"blackhole\"}")
        #expect(
            comments[3] == "After this, at 0.020000: fault.ended[hole]\n"
                + "Never acknowledged: the network no longer forwards packets on this connection."
        )
    }
}
