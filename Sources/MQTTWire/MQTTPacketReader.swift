import SquallCore

/// Decodes the body of one control packet into its JSON form.
struct MQTTPacketReader {
    private let kind: MQTTPacketKind
    private let flags: UInt8
    private let version: MQTTVersion
    private var bytes: MQTTBytes
    private var members: [JSONMember]

    static func read(
        _ kind: MQTTPacketKind,
        flags: UInt8,
        _ body: ArraySlice<UInt8>,
        _ version: MQTTVersion
    ) throws(MQTTViolation) -> JSON {
        var reader = MQTTPacketReader(kind: kind, flags: flags, version: version, body: body)
        try reader.read()
        try reader.bytes.end()
        return .object(reader.members)
    }

    private init(kind: MQTTPacketKind, flags: UInt8, version: MQTTVersion, body: ArraySlice<UInt8>) {
        self.kind = kind
        self.flags = flags
        self.version = version
        bytes = MQTTBytes(body, of: kind.name)
        members = [JSONMember("packet", .string(kind.name))]
    }

    private mutating func read() throws(MQTTViolation) {
        guard kind == .publish || flags == kind.flags else {
            throw MQTTViolation("\(kind.name) has the reserved flags \(flags)")
        }
        switch kind {
        case .connect: try readConnect()
        case .connack: try readConnack()
        case .publish: try readPublish()
        case .puback, .pubrec, .pubrel, .pubcomp:
            add("id", .integer(try bytes.identifier()))
            try readOutcome()
        case .subscribe: try readSubscribe()
        case .suback, .unsuback: try readReasons()
        case .unsubscribe: try readUnsubscribe()
        case .pingreq, .pingresp: break
        case .disconnect: try readOutcome()
        case .auth:
            guard version == .v5 else { throw MQTTViolation("MQTT 3.1.1 has no packet auth") }
            try readOutcome()
        }
    }

    private mutating func add(_ name: String, _ value: JSON) {
        members.append(JSONMember(name, value))
    }

    private mutating func addProperties() throws(MQTTViolation) {
        guard version == .v5 else { return }
        let properties = try MQTTProperties.read(&bytes)
        if !properties.isEmpty { add("properties", .object(properties)) }
    }

    /// Reads a reason code and properties. MQTT 3.1.1 has neither, and in MQTT 5.0 a packet may omit them.
    private mutating func readOutcome() throws(MQTTViolation) {
        guard version == .v5, !bytes.isEmpty else { return add("reason", 0) }
        add("reason", .integer(Int64(try bytes.byte())))
        if !bytes.isEmpty { try addProperties() }
    }

    // MARK: - Packets

    /// Reads the body of CONNECT, whose protocol name and version ``MQTTStream`` has already checked.
    private mutating func readConnect() throws(MQTTViolation) {
        _ = try bytes.text()
        add("version", .integer(Int64(try bytes.byte())))
        let flags = try bytes.byte()
        let quality = flags >> 3 & 3
        let (hasWill, retains) = (flags & 0x04 != 0, flags & 0x20 != 0)
        guard flags & 1 == 0, quality < 3, hasWill || (quality == 0 && !retains) else {
            throw MQTTViolation("connect has the reserved flags \(flags)")
        }
        let (hasName, hasPassword) = (flags & 0x80 != 0, flags & 0x40 != 0)
        guard hasName || !hasPassword || version == .v5 else {
            throw MQTTViolation("connect has a password without a user name")
        }
        add("clean", .bool(flags & 0x02 != 0))
        add("keep_alive", .integer(Int64(try bytes.word())))
        try addProperties()
        add("client_id", .string(try bytes.text()))
        if hasWill {
            var will: [JSONMember] = []
            if version == .v5 {
                let properties = try MQTTProperties.read(&bytes)
                if !properties.isEmpty { will.append(JSONMember("properties", .object(properties))) }
            }
            will.append(JSONMember("topic", .string(try topic())))
            will.append(Self.payload(try bytes.binary()))
            will.append(JSONMember("qos", .integer(Int64(quality))))
            will.append(JSONMember("retain", .bool(retains)))
            add("will", .object(will))
        }
        if hasName { add("username", .string(try bytes.text())) }
        if hasPassword {
            // A password may contain any bytes. A password that is not valid UTF-8 matches no API key.
            let password = try bytes.binary()
            let text = String(validating: password, as: UTF8.self)
            add(text == nil ? "password_hex" : "password", .string(text ?? Hex.text(of: password)))
        }
    }

    private mutating func readConnack() throws(MQTTViolation) {
        let flags = try bytes.byte()
        guard flags < 2 else { throw MQTTViolation("connack has the reserved flags \(flags)") }
        let code = try bytes.byte()
        guard let reason = version == .v5 ? code : MQTTReturnCode.reason(of: code) else {
            throw MQTTViolation("connack has the unknown return code \(code)")
        }
        add("session_present", .bool(flags == 1))
        add("reason", .integer(Int64(reason)))
        try addProperties()
    }

    private mutating func readPublish() throws(MQTTViolation) {
        let quality = flags >> 1 & 3
        guard quality < 3 else { throw MQTTViolation("publish has the quality of service 3") }
        guard quality > 0 || flags & 8 == 0 else {
            throw MQTTViolation("publish with quality of service 0 is a repeat")
        }
        add("topic", .string(try topic()))
        add("qos", .integer(Int64(quality)))
        add("retain", .bool(flags & 1 != 0))
        add("dup", .bool(flags & 8 != 0))
        if quality > 0 { add("id", .integer(try bytes.identifier())) }
        try addProperties()
        members.append(Self.payload(bytes.takeRest()))
    }

    private mutating func readSubscribe() throws(MQTTViolation) {
        add("id", .integer(try bytes.identifier()))
        try addProperties()
        var filters: [JSON] = []
        repeat {
            let filter = try filter()
            let options = try bytes.byte()
            let (quality, handling) = (options & 3, options >> 4 & 3)
            guard quality < 3, version == .v5 ? options & 0xC0 == 0 && handling < 3 : options & 0xFC == 0 else {
                throw MQTTViolation("subscribe has the reserved options \(options)")
            }
            var members = [JSONMember("filter", .string(filter)), JSONMember("qos", .integer(Int64(quality)))]
            if version == .v5 {
                members.append(JSONMember("no_local", .bool(options & 4 != 0)))
                members.append(JSONMember("retain_as_published", .bool(options & 8 != 0)))
                members.append(JSONMember("retain_handling", .integer(Int64(handling))))
            }
            filters.append(.object(members))
        } while !bytes.isEmpty
        add("filters", .array(filters))
    }

    private mutating func readUnsubscribe() throws(MQTTViolation) {
        add("id", .integer(try bytes.identifier()))
        try addProperties()
        var filters: [JSON] = []
        repeat { filters.append(.string(try filter())) } while !bytes.isEmpty
        add("filters", .array(filters))
    }

    private mutating func readReasons() throws(MQTTViolation) {
        add("id", .integer(try bytes.identifier()))
        // In MQTT 3.1.1, UNSUBACK has no payload.
        guard version == .v5 || kind == .suback else { return }
        try addProperties()
        var reasons: [JSON] = []
        repeat {
            let reason = try bytes.byte()
            guard version == .v5 || reason < 3 || reason == 0x80 else {
                throw MQTTViolation("suback has the unknown return code \(reason)")
            }
            reasons.append(.integer(Int64(reason)))
        } while !bytes.isEmpty
        add("reasons", .array(reasons))
    }

    private mutating func topic() throws(MQTTViolation) -> String {
        let topic = try bytes.text()
        // In MQTT 5.0 the topic may be empty if there is a topic alias. Aliases are not supported; they are sent only
        // to a peer that has permitted them.
        guard MQTTTopic.isName(topic) else { throw MQTTViolation("\(kind.name) has the wrong topic '\(topic)'") }
        return topic
    }

    private mutating func filter() throws(MQTTViolation) -> String {
        let filter = try bytes.text()
        guard MQTTTopic.isFilter(filter) else { throw MQTTViolation("\(kind.name) has the wrong filter '\(filter)'") }
        return filter
    }

    /// The limits for a payload in JSON. The depth is reduced, because the payload is nested in the packet's JSON form,
    /// whose depth is limited as well.
    private static let limits = JSONLimits(depth: JSONLimits.default.depth - 4)

    /// Returns the payload as JSON if it is an object or an array, otherwise as a string, or in hexadecimal if it is
    /// not valid UTF-8.
    private static func payload(_ bytes: ArraySlice<UInt8>) -> JSONMember {
        if let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let value = try? JSON.decode(bytes, limits: limits)
        {
            return JSONMember("payload", value)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return JSONMember("payload_hex", .string(Hex.text(of: bytes)))
        }
        return JSONMember("payload", .string(text))
    }
}
