import MQTTWire
import SquallCore
import Testing

/// Tests that truncated, damaged and random bytes never cause a trap, and that the result does not depend on how the
/// bytes are divided.
@Suite struct MQTTFuzzTests {
    /// Returns an encoded CONNECT packet, and one encoded packet of every kind in this version.
    private static func conversation(_ version: Int64) throws -> (connect: [UInt8], packets: [[UInt8]]) {
        var stream = MQTTStream()
        let connect = try stream.write(["packet": "connect", "version": .integer(version), "client_id": "me"])
        return (connect, try MQTTStreamTests.packets(version).map { packet in try stream.write(packet) })
    }

    private static func reader(after connect: [UInt8]) -> MQTTStream {
        var stream = MQTTStream()
        _ = stream.read(connect, from: .client)
        return stream
    }

    @Test("The same packets are decoded however WebSocket messages split their bytes", arguments: [Int64(4), 5])
    func anyDivision(_ version: Int64) throws {
        let (connect, packets) = try Self.conversation(version)
        let bytes = packets.flatMap(\.self)
        var generator = Seed(11).stream("mqtt")
        for size in [1, 2, 3, 7, 64, bytes.count] {
            var stream = Self.reader(after: connect)
            var (found, rest): ([JSON], ArraySlice<UInt8>) = ([], bytes[...])
            while !rest.isEmpty {
                let count = 1 + Int(generator.below(UInt64(size)))
                let read = stream.read(rest.prefix(count), from: .server)
                #expect(read.violation == nil)
                found += read.packets
                rest = rest.dropFirst(count)
            }
            #expect(found == MQTTStreamTests.packets(version))
        }
    }

    @Test(
        "A truncated packet is incomplete; a packet with a length that is too short is malformed or another packet",
        arguments: [Int64(4), 5]
    )
    func cut(_ version: Int64) throws {
        let (connect, packets) = try Self.conversation(version)
        for (packet, whole) in zip(packets, MQTTStreamTests.packets(version)) {
            for count in packet.indices {
                var stream = Self.reader(after: connect)
                let read = stream.read(packet[..<count], from: .server)
                #expect(read.packets.isEmpty && read.violation == nil, "\(whole), cut at byte \(count)")
            }
            guard packet.count < 128 else { continue }
            for length in 0..<UInt8(packet.count - 2) {
                var stream = Self.reader(after: connect)
                let read = stream.read([packet[0], length] + packet[2..<2 + Int(length)], from: .server)
                #expect(read.packets != [whole])
                #expect(read.packets.count == 1 || read.violation?.reason.isEmpty == false, "\(whole), \(length) bytes")
            }
        }
    }

    @Test(
        "Damaged and random bytes are decoded to packets that can be encoded, or refused with a reason",
        arguments: [Int64(4), 5]
    )
    func damage(_ version: Int64) throws {
        let (connect, packets) = try Self.conversation(version)
        var generator = Seed(12).stream("mqtt")
        for run in 0..<4000 {
            var bytes = packets[Int(generator.below(UInt64(packets.count)))]
            if run.isMultiple(of: 4) { bytes = (0..<generator.below(40)).map { _ in UInt8(generator.below(256)) } }
            for _ in 0...generator.below(3) where !bytes.isEmpty {
                bytes[Int(generator.below(UInt64(bytes.count)))] = UInt8(generator.below(256))
            }
            var stream = Self.reader(after: connect)
            let read = stream.read(bytes, from: .server)
            if let violation = read.violation { #expect(!violation.reason.isEmpty) }
            for packet in read.packets {
                let written = try stream.write(packet)
                var other = Self.reader(after: connect)
                #expect(other.read(written, from: .server).packets == [packet], "run \(run)")
            }
        }
    }

    @Test("A damaged CONNECT packet never traps")
    func damagedConnect() throws {
        var generator = Seed(13).stream("mqtt")
        for packet in MQTTStreamTests.connects {
            var client = MQTTStream()
            let connect = try client.write(packet)
            for _ in 0..<2000 {
                var bytes = connect
                for _ in 0...generator.below(3) {
                    bytes[Int(generator.below(UInt64(bytes.count)))] = UInt8(generator.below(256))
                }
                var server = MQTTStream()
                let read = server.read(bytes, from: .client)
                #expect(read.violation?.reason.isEmpty != true)
            }
        }
    }
}
