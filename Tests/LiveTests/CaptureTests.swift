import CLibpcap
import Faults
import Foundation
import ReferenceClient
import ScenarioModel
import SquallCore
import Synchronization
import TestSupport
import Testing
import Trace

@testable import Live

/// Tests the parts of a capture that need no I/O: extracting the segment from a frame, and mapping the frame's time to
/// run time.
@Suite struct RunTimesTests {
    @Test("A packet's time is interpolated from the preceding clock reading")
    func aPacketIsAsOldAsTheClockBetweenTwoReadings() {
        var times = RunTimes()
        times.note(.zero, at: 1000)
        times.note(ms(1), at: 1_001_000)
        #expect(times.time(of: 501_000) == .zero + .microseconds(500))
        #expect(times.time(of: 1_001_000) == ms(1))
        #expect(times.time(of: 2_001_000) == ms(2))
    }

    @Test("A packet's time follows a clock leap and does not pass a paused clock") func leaps() {
        var times = RunTimes()
        times.note(ms(5), at: 1_000_000)
        times.note(.seconds(60), at: 1_000_000)
        times.note(.seconds(60), at: 9_000_000)
        times.note(.seconds(61), at: 9_000_000)
        #expect(times.time(of: 999_999) == ms(5))
        #expect(times.time(of: 5_000_000) == .seconds(60))
        #expect(times.time(of: 9_000_001) == Instant(nanoseconds: 61_000_000_001))
    }

    @Test("Packet times never go back, even if the system clock is set back") func systemClockSetBack() {
        var times = RunTimes()
        times.note(ms(5), at: 10_000_000)
        #expect(times.time(of: 11_000_000) == ms(6))
        times.note(ms(7), at: 2_000_000)
        #expect(times.time(of: 1_000_000) == ms(7))
        #expect(times.time(of: 3_000_000) == ms(8))
        #expect(times.time(of: 2_500_000) == ms(8))
    }

    @Test("Beyond the limit, the oldest clock readings are discarded") func earliestReadingsAreRemoved() {
        var times = RunTimes(limit: 4)
        for step in 0..<10 { times.note(ms(Int64(step)), at: Int64(step) * 1_000_000) }
        #expect(times.time(of: 9_000_000) == ms(9))
    }

    private func ms(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    @Test("An IPv4 segment with ports is extracted from a captured frame, and other packets are not")
    func onlyIPv4WithPortsIsTakenOutOfAFrame() throws {
        let packet: [UInt8] =
            [0x45, 0, 0, 44, 0, 0, 0x40, 0, 64, 6, 0, 0, 127, 1, 2, 3, 127, 1, 2, 3] + [0x1F, 0x90, 0, 80]
            + [UInt8](repeating: 0, count: 20)
        let ethernet = [UInt8](repeating: 0, count: 12) + [8, 0]
        let segment = try #require(LinkLayer.segment(in: ethernet + packet + [0, 0], of: 1))
        #expect(segment.bytes == packet, "without the padding of the frame")
        #expect(segment.source == 8080 && segment.destination == 80 && segment.isTCP)
        #expect(LinkLayer.segment(in: [2, 0, 0, 0] + packet, of: 0)?.source == 8080)
        #expect(LinkLayer.segment(in: ethernet + [0x60] + packet.dropFirst(), of: 1) == nil)
        #expect(LinkLayer.segment(in: ethernet, of: 1) == nil)
        #expect(LinkLayer.segment(in: packet, of: 113) == nil)
    }

    @Test(
        "The IP packet is found behind every supported link-layer header",
        arguments: [
            (0, 4), (1, 14), (12, 0), (14, 0), (108, 4), (113, 16), (228, 0), (229, 0), (276, 20),
        ]
    )
    func linkLayers(kind: Int32, length: Int) {
        let packet: [UInt8] = [0x60, 1, 2, 3]
        #expect(LinkLayer.packet(in: [UInt8](repeating: 0, count: length) + packet, of: kind).map(Array.init) == packet)
    }

    @Test("VLAN tags before an Ethernet frame's EtherType are skipped")
    func tagged() {
        let addresses = [UInt8](repeating: 0, count: 12)
        let frame = addresses + [0x88, 0xA8, 0, 5, 0x81, 0x00, 0, 7, 0x08, 0x00, 0x45]
        #expect(LinkLayer.packet(in: frame, of: 1).map(Array.init) == [0x45])
        #expect(LinkLayer.packet(in: addresses + [0x81], of: 1) == nil)
        #expect(LinkLayer.packet(in: frame, of: 9999) == nil)
    }
}

/// Tests the packets captured in live runs, by having libpcap read the capture file written for a report.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct LiveCaptureTests {
    /// A run that keeps its captured packets.
    private struct CapturedRun: DrivenRun {
        var run: ScriptedRun
        var capture: PacketCapture?

        var clients: [ClientID] { run.clients }
        var nextDeadline: Instant? { run.nextDeadline }
        var isOver: Bool { run.isOver }
        mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput] {
            run.handle(input, at: now)
        }
        mutating func noteLateness(_ late: TimeSpan) {}
        mutating func abandon(_ reason: String, at now: Instant) {}
        mutating func keep(_ capture: PacketCapture) { self.capture = capture }
        mutating func finish(at now: Instant) -> PacketCapture? { capture }
    }

    /// A connection opens, sends hello, receives an answer and ends. Ten virtual minutes later a second connection does
    /// the same.
    private static let run = CapturedRun(
        run: ScriptedRun(
            until: .seconds(700),
            script: [0, 600].map { (.seconds($0), [.client(.connect(ConnectionID(.only, Int($0))))]) },
            reaction: { input, _ in
                switch input {
                case .client(_, .opened(let id)): [.client(.write(id, bytes("hello \(id.number)")))]
                case .client(_, .received(let id, _)): [.client(.end(id, .fin))]
                default: []
                }
            }
        )
    )

    private static func play() async throws -> (capture: PacketCapture?, obstacles: [String]) {
        let obstacles = Mutex<[String]>([])
        // Collects every obstacle that this run reports. A suite, in contrast, reports each obstacle to capturing only
        // once.
        let emit: @Sendable (String) -> Void = { why in obstacles.withLock { $0.append(why) } }
        let capture = try await playing(run, LiveOptions(captures: emit))
        return (capture, obstacles.withLock { $0 })
    }

    private static func playing(_ run: CapturedRun, _ options: LiveOptions) async throws -> PacketCapture? {
        try await LiveTests.play(run, options: options).outcome
    }

    @Test("The capture file contains the packets of a run with the run's times")
    func captureFile() async throws {
        let (capture, obstacles) = try await Self.play()
        guard obstacles.isEmpty else {
            // A process that lacks the privilege to capture packets reports this, and runs the scenario without a
            // capture.
            #expect(capture == nil && obstacles.allSatisfy { $0.contains("packets on lo") })
            return
        }
        let whole = try #require(capture)
        #expect(whole.dropped == 0 && whole.leftOut == 0)
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID()).pcapng")
        defer { try? FileManager.default.removeItem(at: scratch) }
        try Data(RunCapture(whole, of: []).bytes).write(to: scratch)
        let packets = try OfflinePackets.read(scratch.path)
        #expect(packets.count == whole.packets.count)
        #expect(zip(packets, packets.dropFirst()).allSatisfy { $0.time <= $1.time })
        // The client opens two connections, and the relay opens another two. Each begins with one SYN and one SYN-ACK.
        let opening = packets.filter { $0.flags & 0x12 == 0x02 }
        #expect(opening.map { $0.time / 1_000_000_000 } == [0, 0, 600, 600])
        #expect(packets.count { $0.flags & 0x12 == 0x12 } == 4)
        #expect(packets.count { $0.flags & 0x01 != 0 } == 8, "each connection has a FIN from both ends")
        for number in [0, 600] {
            let said = packets.filter { $0.payload == Array("hello \(number)".utf8) }
            #expect(said.count == 4, "in both directions, on both sides of the relay")
            #expect(said.allSatisfy { $0.time / 1_000_000_000 == number })
        }
    }
}

/// Reads the packets in a capture file with libpcap.
private enum OfflinePackets {
    struct Packet {
        var time: Int64
        var flags: UInt8
        var payload: [UInt8]
    }

    struct Unreadable: Error {
        var reason: String
    }

    static func read(_ path: String) throws -> [Packet] {
        var reason = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let file = pcap_open_offline_with_tstamp_precision(path, UInt32(PCAP_TSTAMP_PRECISION_NANO), &reason)
        else {
            throw Unreadable(reason: String(decoding: reason.map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        defer { pcap_close(file) }
        var packets: [Packet] = []
        var bytes: UnsafePointer<UInt8>?
        var (count, time) = (UInt32(0), Int64(0))
        var result = squall_next_packet(file, &bytes, &count, &time)
        while result == 1 {
            let packet = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
            let header = 20 + Int(packet[32] >> 4) * 4
            packets.append(Packet(time: time, flags: packet[33], payload: Array(packet[header...])))
            result = squall_next_packet(file, &bytes, &count, &time)
        }
        // The result -2 means the end of the file, not an error.
        guard result == PCAP_ERROR_BREAK else { throw Unreadable(reason: String(cString: pcap_geterr(file))) }
        return packets
    }
}
