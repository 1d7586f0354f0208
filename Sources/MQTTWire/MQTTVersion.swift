/// A version of MQTT; the raw value is the protocol level in CONNECT.
package enum MQTTVersion: UInt8, Hashable, Sendable {
    /// MQTT 3.1.1.
    case v3 = 4
    /// MQTT 5.0.
    case v5 = 5
}

/// The reason why bytes are not a control packet, or why a value cannot be encoded as one.
package struct MQTTViolation: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension MQTTViolation: CustomStringConvertible {
    package var description: String { reason }
}

/// A type of control packet; the raw value is its number in the fixed header (MQTT 3.1.1, section 2.2.1).
enum MQTTPacketKind: UInt8, CaseIterable {
    case connect = 1
    case connack, publish, puback, pubrec, pubrel, pubcomp, subscribe, suback, unsubscribe, unsuback, pingreq, pingresp
    case disconnect
    /// An AUTH packet, which exists only in MQTT 5.0.
    case auth

    init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// The value of the member `packet` in the JSON form.
    var name: String { "\(self)" }

    /// The flags in the fixed header; 0 for PUBLISH, whose flags depend on the packet (section 2.2.2).
    var flags: UInt8 {
        switch self {
        case .pubrel, .subscribe, .unsubscribe: 0b0010
        case .connect, .connack, .publish, .puback, .pubrec, .pubcomp, .suback, .unsuback, .pingreq, .pingresp,
            .disconnect, .auth:
            0
        }
    }
}

/// Maps MQTT 3.1.1 CONNACK return codes (section 3.2.2.3) to the equivalent MQTT 5.0 reason codes.
enum MQTTReturnCode {
    private static let reasons: [UInt8] = [0x00, 0x84, 0x85, 0x88, 0x86, 0x87]

    static func reason(of code: UInt8) -> UInt8? {
        Int(code) < reasons.count ? reasons[Int(code)] : nil
    }

    static func code(of reason: UInt8) -> UInt8? {
        reasons.firstIndex(of: reason).map { UInt8($0) }
    }
}

/// Topics and topic filters (MQTT 3.1.1, section 4.7).
enum MQTTTopic {
    /// Returns whether messages can be published on this topic: it must not be empty or contain a wildcard.
    static func isName(_ topic: String) -> Bool {
        !topic.isEmpty && !topic.utf8.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "+") }
    }

    /// Returns whether the filter matches the topic (sections 4.7.1 and 4.7.2).
    static func matches(_ topic: String, _ filter: String) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
        // A wildcard does not match the first level of the server's own topics, such as $SYS.
        if topic.hasPrefix("$"), wanted[0] == "#" || wanted[0] == "+" { return false }
        for (index, level) in wanted.enumerated() {
            // `a/#` also matches `a`.
            if level == "#" { return index <= levels.count }
            guard index < levels.count, level == "+" || level == levels[index] else { return false }
        }
        return wanted.count == levels.count
    }

    /// Returns whether the filter is valid: a wildcard must be a whole level, and `#` must be the last level.
    static func isFilter(_ filter: String) -> Bool {
        guard !filter.isEmpty else { return false }
        let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        for (index, level) in levels.enumerated() where level.contains("#") || level.contains("+") {
            guard level == "+" || (level == "#" && index == levels.count - 1) else { return false }
        }
        return true
    }
}
