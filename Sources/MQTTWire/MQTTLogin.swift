package import SquallCore

/// The session settings in a CONNECT packet.
package struct MQTTLogin: Hashable, Sendable {
    package let version: MQTTVersion
    /// The client identifier; empty if the server is to assign one.
    package internal(set) var client: String
    /// Whether to discard an existing session: the `clean session` flag in MQTT 3.1.1, or `clean start` in MQTT 5.0.
    package let isClean: Bool
    /// How long the session outlives the connection, in seconds. A later DISCONNECT can change it.
    package internal(set) var expiry: Int64

    /// The value of ``expiry`` for a session that never expires (MQTT 5.0, section 3.1.2.11.2).
    package static let never: Int64 = 0xFFFF_FFFF

    /// Reads a CONNECT packet; fails for any other packet.
    package init?(_ packet: JSON) {
        guard packet["packet"]?.stringValue == MQTTPacketKind.connect.name else { return nil }
        version = packet["version"] == 5 ? .v5 : .v3
        client = packet["client_id"]?.stringValue ?? ""
        isClean = packet["clean"]?.boolValue ?? true
        // In MQTT 3.1.1, a clean session ends with its connection, and any other session never expires (section
        // 3.1.2.4).
        expiry =
            switch version {
            case .v5: packet["properties"]?["session_expiry"]?.intValue ?? 0
            case .v3: isClean ? 0 : Self.never
            }
    }

    /// Whether the session outlives its connection.
    package var isKept: Bool { expiry > 0 }

    /// Whether the login is invalid because it requests a persistent session without a client identifier (MQTT 3.1.1,
    /// section 3.1.3.1).
    package var lacksIdentifier: Bool { client.isEmpty && version == .v3 && !isClean }
}
