import Faults
import SquallCore
import Testing

@testable import Squall
@testable import Trace

@Suite("Connections reconstructed from a capture")
struct CapturedConnectionsTests {
    private static let client = PacketCapture.Endpoint(address: 0x7F00_0001, port: 50_000)
    private static let server = PacketCapture.Endpoint(address: 0x7F00_0001, port: 8080)

    /// Returns the packets of a connection on which the client sends `bytes`, split at random positions, and then
    /// closes.
    private static func packets(of bytes: [UInt8], from first: UInt32, _ random: inout SeededGenerator) -> [[UInt8]] {
        func packet(_ sequence: UInt32, _ flags: TCPSegment.Flags, _ payload: ArraySlice<UInt8> = []) -> [UInt8] {
            TCPSegment(
                source: client,
                destination: server,
                sequence: sequence,
                acknowledgement: 1,
                flags: flags,
                window: 1000,
                payload: payload
            ).packet
        }
        let answer = TCPSegment(
            source: server,
            destination: client,
            sequence: 7,
            acknowledgement: first &+ 1,
            flags: [.syn, .ack],
            window: 1000
        ).packet
        var data: [[UInt8]] = []
        var index = 0
        while index < bytes.count {
            let end = min(bytes.count, index + Int.random(in: 1...9, using: &random))
            data.append(packet(first &+ 1 &+ UInt32(index), [.ack, .psh], bytes[index..<end]))
            // Retransmit some bytes in packets of different sizes, as happens after a loss.
            if Bool.random(using: &random) {
                let start = Int.random(in: 0..<end, using: &random)
                data.append(packet(first &+ 1 &+ UInt32(start), [.ack], bytes[start..<end]))
            }
            index = end
        }
        data.append(packet(first &+ 1 &+ UInt32(bytes.count), [.fin, .ack]))
        // Reorder some packets.
        for index in data.indices where Bool.random(using: &random) {
            data.swapAt(index, min(data.count - 1, index + Int.random(in: 0...4, using: &random)))
        }
        return [packet(first, .syn), packet(first, .syn), answer] + data
    }

    @Test("Bytes that were retransmitted, split or reordered are read once and in order", arguments: UInt64(1)...60)
    func order(seed: UInt64) {
        var random = Seed(seed).stream("capture")
        let bytes = (0..<Int.random(in: 1...200, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
        // In half of the connections the sequence numbers wrap around.
        let first = seed % 2 == 0 ? UInt32.max - UInt32.random(in: 0...100, using: &random) : 1
        var capture = CapturedConnections()
        for (index, packet) in Self.packets(of: bytes, from: first, &random).enumerated() {
            capture.add(packet[...], at: 5_000_000_000 + Int64(index) * 1_000_000)
        }
        #expect(capture.connections.count == 1)
        #expect(capture.withoutBeginning == 0)
        #expect(capture.pieces.prefix(2).map(\.kind) == [.asked, .accepted])
        #expect(capture.pieces.map(\.time) == capture.pieces.map(\.time).sorted())
        let read = capture.pieces.flatMap { piece -> [UInt8] in
            if case .bytes(.client, let bytes) = piece.kind { bytes } else { [] }
        }
        #expect(read == bytes)
        #expect(capture.pieces.last?.kind == .ended(.client, .fin))
    }

    @Test("A connection is read up to the first bytes missing from the capture")
    func hole() {
        var random = Seed(1).stream("capture")
        var packets = Self.packets(of: Array(repeating: 1, count: 30), from: 1, &random)
        // The capture lacks the only packet that contains the first byte of the data (sequence number 2).
        packets.removeAll { CapturedSegment(packet: $0[...])?.sequence == 2 }
        var capture = CapturedConnections()
        for packet in packets { capture.add(packet[...], at: 0) }
        #expect(capture.connections.map(\.hasGap) == [true])
        #expect(capture.pieces.map(\.kind) == [.asked, .accepted])
    }

    @Test("A connection that began before the capture is counted and skipped")
    func beginning() {
        var random = Seed(2).stream("capture")
        var capture = CapturedConnections()
        for packet in Self.packets(of: [1, 2, 3], from: 1, &random).dropFirst(3) { capture.add(packet[...], at: 0) }
        #expect(capture.connections.isEmpty)
        #expect(capture.withoutBeginning == 1)
    }

    @Test("Packets with random bytes never trap the capture reader", arguments: UInt64(1)...200)
    func garbage(seed: UInt64) {
        var random = Seed(seed).stream("garbage")
        var capture = CapturedConnections()
        for packet in Self.packets(of: [1, 2, 3], from: 1, &random) {
            var packet = packet
            for _ in 0..<3 {
                packet[Int.random(in: packet.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            capture.add(
                packet.prefix(Int.random(in: 0...packet.count, using: &random)),
                at: .random(in: .min ... .max, using: &random)
            )
        }
        #expect(capture.connections.count <= 3)
    }
}
