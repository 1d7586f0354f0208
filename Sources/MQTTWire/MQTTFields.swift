import SquallCore

/// The members of a packet's JSON form, with accessors that check each value before it is encoded.
struct MQTTFields {
    let packet: String
    private let members: [JSONMember]

    init(_ packet: String, _ members: [JSONMember]) {
        self.packet = packet
        self.members = members
    }

    /// The value of the member; nil if it is missing or null.
    subscript(name: String) -> JSON? {
        guard let value = members.first(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    func number(_ name: String, from least: Int64 = 0, to most: Int64) throws(MQTTViolation) -> Int64 {
        guard let number = self[name]?.intValue, (least...most).contains(number) else {
            throw MQTTViolation("\(packet) needs '\(name)', a number from \(least) to \(most)")
        }
        return number
    }

    /// Returns the integer member `name`, or `other` if it is missing.
    ///
    /// - Throws: ``MQTTViolation`` if the value is not an integer from 0 to `most`.
    func number(_ name: String, or other: Int64, to most: Int64) throws(MQTTViolation) -> Int64 {
        self[name] == nil ? other : try number(name, to: most)
    }

    func flag(_ name: String, or other: Bool = false) throws(MQTTViolation) -> Bool {
        guard let value = self[name] else { return other }
        guard let flag = value.boolValue else { throw MQTTViolation("'\(name)' of \(packet) must be true or false") }
        return flag
    }

    func text(_ name: String) throws(MQTTViolation) -> String {
        guard let text = self[name]?.stringValue else { throw MQTTViolation("\(packet) needs '\(name)', a text") }
        return text
    }

    func hex(_ name: String) throws(MQTTViolation) -> [UInt8] {
        guard let bytes = self[name]?.stringValue.flatMap(Hex.bytes) else {
            throw MQTTViolation("'\(name)' of \(packet) must be bytes in hexadecimal digits")
        }
        return bytes
    }

    func list(_ name: String) throws(MQTTViolation) -> [JSON] {
        guard let list = self[name]?.arrayValue, !list.isEmpty else {
            throw MQTTViolation("\(packet) needs '\(name)', a list that is not empty")
        }
        return list
    }

    func identifier() throws(MQTTViolation) -> [UInt8] {
        Self.word(UInt16(try number("id", from: 1, to: 0xFFFF)))
    }

    /// Returns the bytes of the payload; empty if the packet has none.
    ///
    /// The payload comes from the member `payload`, which is a string or any other value to be sent as JSON, or from
    /// the member `payload_hex`.
    func payload() throws(MQTTViolation) -> [UInt8] {
        switch self["payload"] {
        case nil: self["payload_hex"] == nil ? [] : try hex("payload_hex")
        case .string(let text)?: Array(text.utf8)
        case let value?: value.encode()
        }
    }

    // MARK: - Encoding

    static func word(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    static func bytes(ofText text: String, in packet: String) throws(MQTTViolation) -> [UInt8] {
        guard !text.utf8.contains(0) else { throw MQTTViolation("a text of \(packet) contains U+0000") }
        return try bytes(ofBinary: Array(text.utf8), in: packet)
    }

    static func bytes(ofBinary bytes: [UInt8], in packet: String) throws(MQTTViolation) -> [UInt8] {
        guard let length = UInt16(exactly: bytes.count) else {
            throw MQTTViolation("a text of \(packet) is longer than 65535 bytes")
        }
        return word(length) + bytes
    }
}
