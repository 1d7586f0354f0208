import SquallCore

/// An MQTT 5.0 property (section 2.2.2.2). The raw value is its identifier in packets.
enum MQTTProperty: UInt8, CaseIterable {
    case payloadFormat = 0x01
    case messageExpiry = 0x02
    case contentType = 0x03
    case responseTopic = 0x08
    case correlationData = 0x09
    case subscriptionIdentifier = 0x0B
    case sessionExpiry = 0x11
    case assignedClientIdentifier = 0x12
    case serverKeepAlive = 0x13
    case authenticationMethod = 0x15
    case authenticationData = 0x16
    case requestProblemInformation = 0x17
    case willDelay = 0x18
    case requestResponseInformation = 0x19
    case responseInformation = 0x1A
    case serverReference = 0x1C
    case reasonString = 0x1F
    case receiveMaximum = 0x21
    case topicAliasMaximum = 0x22
    case topicAlias = 0x23
    case maximumQoS = 0x24
    case retainAvailable = 0x25
    /// A user property, which is a pair of strings. Apart from the subscription identifier, this is the only property
    /// that may occur several times in a packet.
    case user = 0x26
    case maximumPacketSize = 0x27
    case wildcardsAvailable = 0x28
    case subscriptionIdentifiersAvailable = 0x29
    case sharedSubscriptionsAvailable = 0x2A

    /// The property's member name in the JSON form: the name of the case, in snake case.
    var name: String {
        switch self {
        case .maximumQoS: "maximum_qos"
        default:
            "\(self)".reduce(into: "") { name, letter in
                name += letter.isUppercase ? "_\(letter.lowercased())" : String(letter)
            }
        }
    }

    init?(name: String) {
        guard let property = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = property
    }

    enum Form {
        case byte, word, long, variable, text, binary, pair
    }

    var form: Form {
        switch self {
        case .payloadFormat, .requestProblemInformation, .requestResponseInformation, .maximumQoS, .retainAvailable,
            .wildcardsAvailable, .subscriptionIdentifiersAvailable, .sharedSubscriptionsAvailable:
            .byte
        case .serverKeepAlive, .receiveMaximum, .topicAliasMaximum, .topicAlias: .word
        case .messageExpiry, .sessionExpiry, .willDelay, .maximumPacketSize: .long
        case .subscriptionIdentifier: .variable
        case .contentType, .responseTopic, .assignedClientIdentifier, .authenticationMethod, .responseInformation,
            .serverReference, .reasonString:
            .text
        case .correlationData, .authenticationData: .binary
        case .user: .pair
        }
    }
}

/// Converts a packet's properties to and from JSON. There is one member for each property; `user` contains the first
/// value of each name.
enum MQTTProperties {
    static func read(_ bytes: inout MQTTBytes) throws(MQTTViolation) -> [JSONMember] {
        let length = try bytes.variable()
        var part = MQTTBytes(try bytes.take(length), of: bytes.packet)
        var found: [JSONMember] = []
        var pairs: [JSONMember] = []
        while !part.isEmpty {
            let number = try part.byte()
            guard let property = MQTTProperty(rawValue: number) else {
                throw MQTTViolation("\(part.packet) has the unknown property \(number)")
            }
            let value: JSON
            switch property.form {
            case .byte: value = .integer(Int64(try part.byte()))
            case .word: value = .integer(Int64(try part.word()))
            case .long: value = .integer(Int64(try part.long()))
            case .variable: value = .integer(Int64(try part.variable()))
            case .text: value = .string(try part.text())
            case .binary: value = .string(Hex.text(of: try part.binary()))
            case .pair:
                let pair = JSONMember(try part.text(), .string(try part.text()))
                if !pairs.contains(where: { $0.name == pair.name }) { pairs.append(pair) }
                continue
            }
            if found.contains(where: { $0.name == property.name }) {
                guard property == .subscriptionIdentifier else {
                    throw MQTTViolation("\(part.packet) has the property \(property.name) twice")
                }
                continue
            }
            found.append(JSONMember(property.name, value))
        }
        if !pairs.isEmpty { found.append(JSONMember(MQTTProperty.user.name, .object(pairs))) }
        return found
    }

    static func bytes(of value: JSON?, in packet: String) throws(MQTTViolation) -> [UInt8] {
        var bytes: [UInt8] = []
        for member in value?.members ?? [] {
            guard let property = MQTTProperty(name: member.name) else {
                throw MQTTViolation("\(packet) has the unknown property '\(member.name)'")
            }
            if member.value.isNull { continue }
            let values = MQTTFields(packet, [member])
            if property.form == .pair {
                for pair in member.value.members ?? [] where !pair.value.isNull {
                    let text = try MQTTFields(packet, [pair]).text(pair.name)
                    bytes += [property.rawValue]
                    bytes += try MQTTFields.bytes(ofText: pair.name, in: packet)
                    bytes += try MQTTFields.bytes(ofText: text, in: packet)
                }
                continue
            }
            bytes.append(property.rawValue)
            switch property.form {
            case .byte: bytes.append(UInt8(try values.number(member.name, to: 0xFF)))
            case .word: bytes += MQTTFields.word(UInt16(try values.number(member.name, to: 0xFFFF)))
            case .long:
                let number = UInt32(try values.number(member.name, to: 0xFFFF_FFFF))
                bytes += MQTTFields.word(UInt16(number >> 16)) + MQTTFields.word(UInt16(number & 0xFFFF))
            case .variable:
                let number = try values.number(member.name, to: Int64(MQTTVariableInteger.largest))
                bytes += MQTTVariableInteger.bytes(of: Int(number))
            case .text: bytes += try MQTTFields.bytes(ofText: try values.text(member.name), in: packet)
            case .binary: bytes += try MQTTFields.bytes(ofBinary: try values.hex(member.name), in: packet)
            case .pair: break
            }
        }
        return MQTTVariableInteger.bytes(of: bytes.count) + bytes
    }
}

/// Converts bytes to and from hexadecimal text, with two digits for each byte.
enum Hex {
    static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Decodes pairs of hexadecimal digits; returns nil for any other text.
    static func bytes(of text: String) -> [UInt8]? {
        let digits = text.map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?([])) { bytes, place in
            guard let high = digits[place], let low = digits[place + 1] else { return bytes = nil }
            bytes?.append(UInt8(high << 4 | low))
        }
    }
}
