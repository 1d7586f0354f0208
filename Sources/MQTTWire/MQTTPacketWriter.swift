import SquallCore

/// Encodes a control packet from its JSON form.
///
/// MQTT 3.1.1 has fewer reason codes and no properties, which are therefore omitted. An ``MQTTViolation`` is thrown if
/// the connection's version cannot represent the packet.
struct MQTTPacketWriter {
    private let kind: MQTTPacketKind
    private let version: MQTTVersion
    private let fields: MQTTFields

    static func write(_ packet: JSON, _ version: MQTTVersion) throws(MQTTViolation) -> [UInt8] {
        guard let name = packet["packet"]?.stringValue, let kind = MQTTPacketKind(name: name) else {
            let names = MQTTPacketKind.allCases.map(\.name).joined(separator: ", ")
            throw MQTTViolation("'packet' must be one of: \(names)")
        }
        let writer = MQTTPacketWriter(kind, version, MQTTFields(name, packet.members ?? []))
        let body = try writer.body()
        guard body.count <= MQTTVariableInteger.largest else { throw MQTTViolation("\(name) is too long") }
        return [kind.rawValue << 4 | (try writer.flags())] + MQTTVariableInteger.bytes(of: body.count) + body
    }

    private init(_ kind: MQTTPacketKind, _ version: MQTTVersion, _ fields: MQTTFields) {
        self.kind = kind
        self.version = version
        self.fields = fields
    }

    private func flags() throws(MQTTViolation) -> UInt8 {
        guard kind == .publish else { return kind.flags }
        let quality = try quality(fields)
        let isRepeat = try fields.flag("dup")
        guard quality > 0 || !isRepeat else { throw MQTTViolation("publish with quality of service 0 is a repeat") }
        return (isRepeat ? 8 : 0) | quality << 1 | (try fields.flag("retain") ? 1 : 0)
    }

    private func body() throws(MQTTViolation) -> [UInt8] {
        switch kind {
        case .connect: return try connect()
        case .connack:
            return [try fields.flag("session_present") ? 1 : 0, try connackReason()] + (try properties(fields))
        case .publish:
            let identifier = try quality(fields) > 0 ? try fields.identifier() : []
            return try topic(fields) + identifier + (try properties(fields)) + (try fields.payload())
        case .puback, .pubrec, .pubrel, .pubcomp: return try fields.identifier() + (try outcome())
        case .subscribe: return try fields.identifier() + (try properties(fields)) + (try subscriptions())
        case .suback: return try fields.identifier() + (try properties(fields)) + (try reasons())
        case .unsubscribe:
            var bytes = try fields.identifier() + (try properties(fields))
            for filter in try fields.list("filters") { bytes += try self.filter(filter) }
            return bytes
        case .unsuback:
            let identifier = try fields.identifier()
            return version == .v3 ? identifier : identifier + (try properties(fields)) + (try reasons())
        case .pingreq, .pingresp: return []
        case .disconnect: return try outcome()
        case .auth:
            guard version == .v5 else { throw MQTTViolation("MQTT 3.1.1 has no packet auth") }
            return try outcome()
        }
    }

    // MARK: - Packets

    private func connect() throws(MQTTViolation) -> [UInt8] {
        let will = fields["will"].map { MQTTFields("will", $0.members ?? []) }
        let name = fields["username"] == nil ? nil : try fields.text("username")
        let password = fields["password"] == nil ? nil : try fields.text("password")
        guard name != nil || password == nil || version == .v5 else {
            throw MQTTViolation("connect has a password without a user name")
        }
        var flags: UInt8 = try fields.flag("clean", or: true) ? 0x02 : 0
        if let will { flags |= 0x04 | (try quality(will)) << 3 | (try will.flag("retain") ? 0x20 : 0) }
        flags |= (name == nil ? 0 : 0x80) | (password == nil ? 0 : 0x40)
        var bytes = try text("MQTT") + [version.rawValue, flags]
        bytes += MQTTFields.word(UInt16(try fields.number("keep_alive", or: 0, to: 0xFFFF)))
        bytes += try properties(fields)
        bytes += try text(fields["client_id"] == nil ? "" : try fields.text("client_id"))
        if let will {
            bytes += try properties(will) + (try topic(will))
            bytes += try MQTTFields.bytes(ofBinary: try will.payload(), in: "will")
        }
        if let name { bytes += try text(name) }
        if let password { bytes += try text(password) }
        return bytes
    }

    private func connackReason() throws(MQTTViolation) -> UInt8 {
        let reason = UInt8(try fields.number("reason", or: 0, to: 0xFF))
        guard version == .v3 else { return reason }
        guard let code = MQTTReturnCode.code(of: reason) else {
            throw MQTTViolation("connack of MQTT 3.1.1 has no return code for the reason \(reason)")
        }
        return code
    }

    /// Encodes a reason code and properties. Empty properties are omitted, and if there are none, the reason code 0 is
    /// omitted as well.
    private func outcome() throws(MQTTViolation) -> [UInt8] {
        let reason = UInt8(try fields.number("reason", or: 0, to: 0xFF))
        guard version == .v5 else {
            guard reason == 0 else { throw MQTTViolation("\(kind.name) of MQTT 3.1.1 has no reason") }
            return []
        }
        let properties = try properties(fields)
        if properties.count > 1 { return [reason] + properties }
        return reason == 0 ? [] : [reason]
    }

    private func subscriptions() throws(MQTTViolation) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in try fields.list("filters") {
            let one = MQTTFields("a filter of subscribe", value.members ?? [])
            var options = try quality(one)
            if version == .v5 {
                options |= (try one.flag("no_local") ? 4 : 0) | (try one.flag("retain_as_published") ? 8 : 0)
                options |= UInt8(try one.number("retain_handling", or: 0, to: 2)) << 4
            }
            bytes += try filter(.string(try one.text("filter"))) + [options]
        }
        return bytes
    }

    private func reasons() throws(MQTTViolation) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in try fields.list("reasons") {
            guard let number = value.intValue, let reason = UInt8(exactly: number) else {
                throw MQTTViolation("'reasons' of \(kind.name) must be numbers from 0 to 255")
            }
            // MQTT 3.1.1 has a single return code for all failures (section 3.9.3).
            bytes.append(version == .v3 && reason > 2 ? 0x80 : reason)
        }
        return bytes
    }

    // MARK: - Parts

    private func text(_ text: String) throws(MQTTViolation) -> [UInt8] {
        try MQTTFields.bytes(ofText: text, in: kind.name)
    }

    private func quality(_ fields: MQTTFields) throws(MQTTViolation) -> UInt8 {
        UInt8(try fields.number("qos", or: 0, to: 2))
    }

    private func properties(_ fields: MQTTFields) throws(MQTTViolation) -> [UInt8] {
        version == .v3 ? [] : try MQTTProperties.bytes(of: fields["properties"], in: fields.packet)
    }

    private func topic(_ fields: MQTTFields) throws(MQTTViolation) -> [UInt8] {
        let topic = try fields.text("topic")
        guard MQTTTopic.isName(topic) else { throw MQTTViolation("\(fields.packet) has the wrong topic '\(topic)'") }
        return try text(topic)
    }

    private func filter(_ value: JSON) throws(MQTTViolation) -> [UInt8] {
        guard let filter = value.stringValue, MQTTTopic.isFilter(filter) else {
            throw MQTTViolation("\(kind.name) has a wrong filter")
        }
        return try text(filter)
    }
}
