/// A cursor over the bytes of one control packet. Every read throws an error if the bytes end too early.
struct MQTTBytes {
    private var rest: ArraySlice<UInt8>
    /// The name of the packet, for error messages.
    let packet: String

    init(_ bytes: ArraySlice<UInt8>, of packet: String) {
        rest = bytes
        self.packet = packet
    }

    var isEmpty: Bool { rest.isEmpty }
    var count: Int { rest.count }

    mutating func byte() throws(MQTTViolation) -> UInt8 {
        guard let byte = rest.popFirst() else { throw MQTTViolation("\(packet) is too short") }
        return byte
    }

    mutating func word() throws(MQTTViolation) -> UInt16 {
        let high = try byte()
        return UInt16(high) << 8 | UInt16(try byte())
    }

    mutating func long() throws(MQTTViolation) -> UInt32 {
        let high = try word()
        return UInt32(high) << 16 | UInt32(try word())
    }

    mutating func take(_ count: Int) throws(MQTTViolation) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw MQTTViolation("\(packet) is too short") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func takeRest() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }

    mutating func binary() throws(MQTTViolation) -> ArraySlice<UInt8> {
        try take(Int(try word()))
    }

    /// Reads a string, which is UTF-8 without U+0000 (MQTT 3.1.1, section 1.5.3).
    mutating func text() throws(MQTTViolation) -> String {
        let bytes = try binary()
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw MQTTViolation("\(packet) has a text that is not UTF-8 or contains U+0000")
        }
        return text
    }

    /// Reads a packet identifier, which is never 0 (MQTT 3.1.1, section 2.3.1).
    mutating func identifier() throws(MQTTViolation) -> Int64 {
        let identifier = try word()
        guard identifier != 0 else { throw MQTTViolation("\(packet) has the packet identifier 0") }
        return Int64(identifier)
    }

    /// Reads an integer of one to four bytes, each with seven bits, least significant byte first (section 2.2.3).
    mutating func variable() throws(MQTTViolation) -> Int {
        switch MQTTVariableInteger.read(rest) {
        case .value(let value, let length):
            rest = rest.dropFirst(length)
            return value
        case .incomplete: throw MQTTViolation("\(packet) is too short")
        case .tooLong: throw MQTTViolation("\(packet) has a length of more than four bytes")
        }
    }

    func end() throws(MQTTViolation) {
        guard rest.isEmpty else { throw MQTTViolation("\(packet) is \(rest.count) bytes too long") }
    }
}

enum MQTTVariableInteger {
    static let largest = 268_435_455

    enum Reading {
        case value(Int, length: Int)
        case incomplete
        case tooLong
    }

    static func read(_ bytes: ArraySlice<UInt8>) -> Reading {
        var value = 0
        for (index, byte) in bytes.prefix(4).enumerated() {
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return .value(value, length: index + 1) }
        }
        return bytes.count < 4 ? .incomplete : .tooLong
    }

    static func bytes(of value: Int) -> [UInt8] {
        var (bytes, rest): ([UInt8], Int) = ([], value)
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }
}
