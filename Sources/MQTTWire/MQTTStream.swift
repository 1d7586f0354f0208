package import SquallCore

/// Decodes and encodes the control packets on one connection, in both directions.
///
/// Packets have a JSON form: `{"packet":"publish","topic":"news","qos":1,"id":7,"payload":{…}}`. The CONNECT packet,
/// whether decoded or encoded, determines the protocol version. A WebSocket message may end within a packet (MQTT
/// 3.1.1, section 6), so an incomplete packet is kept for each direction.
package struct MQTTStream: Sendable {
    /// The protocol version that the CONNECT packet specifies; nil before CONNECT.
    package private(set) var version: MQTTVersion?
    private var rests: [[UInt8]] = [[], []]
    private var violations: [MQTTViolation?] = [nil, nil]

    /// The maximum length, in bytes, of a packet to decode.
    static let largest = 16 << 20

    package init() {}

    /// The sender of a packet.
    package enum Sender: Int, Hashable, Sendable {
        case client, server
    }

    /// Decodes the packets completed by `bytes`. Also returns the protocol violation that follows them, if any.
    ///
    /// After a violation, further bytes from the same sender are ignored, because the beginning of the next packet is
    /// unknown.
    package mutating func read(
        _ bytes: some Sequence<UInt8>,
        from sender: Sender
    ) -> (packets: [JSON], violation: MQTTViolation?) {
        guard violations[sender.rawValue] == nil else { return ([], nil) }
        var rest = (rests[sender.rawValue] + bytes)[...]
        var packets: [JSON] = []
        do throws(MQTTViolation) {
            while let packet = try next(&rest, from: sender) { packets.append(packet) }
        } catch {
            violations[sender.rawValue] = error
            rests[sender.rawValue] = []
            return (packets, error)
        }
        rests[sender.rawValue] = Array(rest)
        return (packets, nil)
    }

    /// Encodes a packet.
    ///
    /// - Throws: ``MQTTViolation`` if the value is not a packet that the connection's version can represent, or if it
    ///   precedes CONNECT.
    package mutating func write(_ packet: JSON) throws(MQTTViolation) -> [UInt8] {
        if packet["packet"]?.stringValue == MQTTPacketKind.connect.name {
            let number = packet["version"] == nil ? Int64(MQTTVersion.v3.rawValue) : packet["version"]?.intValue
            guard let version = number.flatMap({ UInt8(exactly: $0) }).flatMap(MQTTVersion.init) else {
                throw MQTTViolation("'version' of connect must be 4, for MQTT 3.1.1, or 5")
            }
            let bytes = try MQTTPacketWriter.write(packet, version)
            self.version = version
            return bytes
        }
        guard let version else { throw MQTTViolation("no packet precedes connect") }
        return try MQTTPacketWriter.write(packet, version)
    }

    /// Decodes the next packet; returns nil until the packet is complete.
    private mutating func next(_ rest: inout ArraySlice<UInt8>, from sender: Sender) throws(MQTTViolation) -> JSON? {
        guard let first = rest.first else { return nil }
        guard let kind = MQTTPacketKind(rawValue: first >> 4) else {
            throw MQTTViolation("there is no packet of type \(first >> 4)")
        }
        if kind == .connect {
            guard sender == .client else { throw MQTTViolation("the server has sent connect") }
            guard version == nil else { throw MQTTViolation("a second connect on the same connection") }
        } else if version == nil {
            throw MQTTViolation("the first packet is \(kind.name), not connect")
        }
        let (length, header): (Int, Int)
        switch MQTTVariableInteger.read(rest.dropFirst()) {
        case .value(let value, let count): (length, header) = (value, 1 + count)
        case .incomplete: return nil
        case .tooLong: throw MQTTViolation("\(kind.name) has a length of more than four bytes")
        }
        guard length <= Self.largest else { throw MQTTViolation("\(kind.name) has \(length) bytes, which is too much") }
        guard rest.count >= header + length else { return nil }
        let body = rest.dropFirst(header).prefix(length)
        rest = rest.dropFirst(header + length)
        if kind == .connect { version = try Self.version(of: body) }
        guard let version else { return nil }
        return try MQTTPacketReader.read(kind, flags: first & 0x0F, body, version)
    }

    private static func version(of connect: ArraySlice<UInt8>) throws(MQTTViolation) -> MQTTVersion {
        var bytes = MQTTBytes(connect, of: MQTTPacketKind.connect.name)
        let name = try bytes.text()
        let number = try bytes.byte()
        guard name == "MQTT", let version = MQTTVersion(rawValue: number) else {
            throw MQTTViolation("connect names the protocol '\(name)' \(number), which is neither MQTT 3.1.1 nor 5.0")
        }
        return version
    }
}
