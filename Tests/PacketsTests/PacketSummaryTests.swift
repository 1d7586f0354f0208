import Packets
import SquallCore
import Testing

struct PacketSummaryTests {
    /// Returns an IPv4 packet with a header of 20 bytes, a correct length and no checksum.
    private func ipv4(_ transport: UInt8, _ payload: [UInt8], fragment: UInt16 = 0) -> [UInt8] {
        let length = UInt16(20 + payload.count)
        let head: [UInt8] = [
            0x45, 0, UInt8(length >> 8), UInt8(length & 0xFF), 0, 1, UInt8(fragment >> 8), UInt8(fragment & 0xFF), 64,
            transport,
            0, 0, 10, 77, 0, 1, 10, 77, 0, 2,
        ]
        return head + payload
    }

    private let tcp: [UInt8] = [0x9C, 0x40, 0x1F, 0x90, 0, 0, 0, 5, 0xFF, 0, 0, 1, 0x50, 0x12, 0, 0, 0, 0, 0, 0]

    @Test("The summary of a TCP segment over IPv4 has addresses, ports and TCP fields") func readsTCPOverIPv4() throws {
        let summary = try #require(PacketSummary(ipv4(6, tcp + [1, 2, 3])))
        #expect(
            (summary.transport, summary.source, summary.destination) == ("tcp", "10.77.0.1:40000", "10.77.0.2:8080")
        )
        let head = try #require(summary.tcp)
        #expect((head.sequence, head.acknowledgement, head.flags, head.payload) == (5, 0xFF00_0001, "SYN,ACK", 3))
    }

    @Test("The summary of a UDP datagram over IPv6 has addresses and ports") func readsUDPOverIPv6() throws {
        let address: [UInt8] = [0xFD, 0x77] + [UInt8](repeating: 0, count: 13)
        let head: [UInt8] = [0x60, 0, 0, 0, 0, 8, 17, 64] + address + [1] + address + [2]
        let summary = try #require(PacketSummary(head + [0, 53, 0x14, 0xE9, 0, 8, 0, 0]))
        #expect((summary.transport, summary.source, summary.destination) == ("udp", "[fd77::1]:53", "[fd77::2]:5353"))
        #expect(summary.tcp == nil)
    }

    @Test("A fragment other than the first has no ports") func aLaterFragmentHasNoPorts() throws {
        let summary = try #require(PacketSummary(ipv4(6, tcp, fragment: 0x2001)))
        #expect((summary.source, summary.tcp) == ("10.77.0.1", nil))
    }

    @Test("The summary of a truncated packet contains its complete headers") func truncation() {
        let whole = ipv4(6, tcp + [1, 2, 3])
        for length in 0...whole.count {
            let summary = PacketSummary(Array(whole.prefix(length)))
            #expect((summary != nil) == (length >= 20), "\(length) bytes")
            guard let summary else { continue }
            #expect(summary.source == (length < 28 ? "10.77.0.1" : "10.77.0.1:40000"), "\(length) bytes")
            #expect(summary.tcp?.payload == (length < 40 ? nil : length - 40), "\(length) bytes")
        }
    }

    @Test("Random bytes have a packet summary if and only if they contain a complete IP header") func randomBytes() {
        var generator = SeededGenerator(state: 9)
        var counts = (summaries: 0, segments: 0)
        for _ in 0..<20_000 {
            var bytes = (0..<Int(generator.below(80))).map { _ in UInt8(generator.below(256)) }
            if !bytes.isEmpty { bytes[0] = generator.below(2) == 0 ? 0x40 | bytes[0] & 0xF : 0x60 }
            // Mark as TCP about a third of the packets that are long enough to contain a protocol number.
            if bytes.count > 9, generator.below(3) == 0 { bytes[bytes[0] == 0x60 ? 6 : 9] = 6 }
            let first = bytes.first ?? 0
            let header = first == 0x60 ? 40 : Int(first & 0xF) * 4
            let summary = PacketSummary(bytes)
            #expect((summary != nil) == (header >= 20 && bytes.count >= header), "\(bytes)")
            if let payload = summary?.tcp?.payload { #expect(0...bytes.count - header ~= payload, "\(bytes)") }
            counts.summaries += summary == nil ? 0 : 1
            counts.segments += summary?.tcp == nil ? 0 : 1
        }
        #expect(counts.segments > 0 && counts.summaries > counts.segments)
    }

    @Test("A packet capture is a pcap file with nanosecond timestamps") func aCaptureIsAPcapFileWithNanoseconds() {
        #expect(
            CaptureFile.header == [
                0x4D, 0x3C, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 101, 0, 0, 0,
            ]
        )
        #expect(
            CaptureFile.record([0x45, 9], at: Instant(nanoseconds: 2_000_000_258))
                == [2, 0, 0, 0, 2, 1, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0x45, 9]
        )
    }

    @Test("A link-local IPv6 source is recognised") func linkLocal() {
        func packet(_ source: [UInt8]) -> [UInt8] {
            [0x60, 0, 0, 0, 0, 0, 58, 255] + source + [UInt8](repeating: 0, count: 32 - source.count)
        }
        func isLinkLocal(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { PacketSummary.isLinkLocal($0) } }
        #expect(isLinkLocal(packet([0xFE, 0x80, 0, 1])) && isLinkLocal(packet([0xFE, 0xBF])))
        #expect(!isLinkLocal(packet([0xFE, 0xC0])) && !isLinkLocal(packet([0xFD, 0x77])))
        #expect(!isLinkLocal(Array(packet([0xFE, 0x80]).prefix(39))) && !isLinkLocal([]))
        #expect(!isLinkLocal(ipv4(6, tcp + [UInt8](repeating: 0, count: 20))))
    }

    @Test("An event about a packet has the packet's number, direction and fate") func anEventHasTheFate() throws {
        let fate = PacketFate(
            number: 12,
            copies: [
                .init(due: Instant(nanoseconds: 9)),
                .init(due: Instant(nanoseconds: 4), isReordered: true, corruptedBit: 3),
            ]
        )
        let event = PacketEvent(
            number: 3,
            at: Instant(nanoseconds: 4),
            direction: .down,
            fate: fate,
            packet: ipv4(6, tcp)
        )
        #expect(
            String(decoding: event.line, as: UTF8.self) == """
                {"n":3,"t_ns":4,"event":"packet","way":"down","packet":12,"length":40,\
                "did":["duplicated","reordered","corrupted","delayed"],"leaves_ns":[9,4],"protocol":"tcp",\
                "from":"10.77.0.1:40000","to":"10.77.0.2:8080","flags":"SYN,ACK","seq":5,"ack":4278190081,"payload":0}

                """
        )
        let lost = PacketEvent(
            number: 1,
            at: .zero,
            direction: .up,
            fate: PacketFate(number: 1, loss: .limit),
            packet: [0]
        )
        #expect(
            String(decoding: lost.line, as: UTF8.self)
                == #"{"n":1,"t_ns":0,"event":"packet","way":"up","packet":1,"length":1,"did":["over_limit"],"leaves_ns":[]}"#
                + "\n"
        )
    }
}
