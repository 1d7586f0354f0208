import SquallCore

extension Connection {
    static let registry: [RegistryEntry] = [
        .observable("network.reachable", .flag, "Whether the phone has a network, as it says itself."),
        .observable("network.captive", .flag, "Whether a captive portal answers in the server's place."),
        .observable("connection.state", .words(ConnectionState.self), "What the connection is doing."),
        .observable(
            "connection.transport",
            .word(["websocket", "http", "none"]),
            "What messages travel on at this moment."
        ),
        .observable("connection.host", .text, "The server of the last attempt; null before the first."),
        .observable("connection.label", .text, "The badge's text, from the profile's table."),
        .observable("connection.tone", .words(Tone.self), "The badge's colour."),
        .observable("connection.attempt", .integer, "Failed attempts since the last reset."),
        .observable("connection.last_error", .text, "Why the last attempt or connection ended; null while connected."),
        .observable("connection.open_sockets", .integer, "Byte streams to the server that are open."),
        .observable(
            "connection.next_attempt_in",
            .duration,
            parity: .measured,
            "The delay that has begun; null for none."
        ),
        .observable("connection.rtt", .duration, parity: .measured, "The round trip of the last ping; null for none."),
        .observable("connection.quality", .words(LinkQuality.self), "How the connection answers pings."),
        .observable("auth.authenticated", .flag, "Whether the server has accepted the key on this connection."),
        .observable("auth.requires_reauth", .flag, "Whether the user has to bring another key."),
        .observable("auth.version_warning", .text, "What the user is told about a newer server; null for nothing."),
        .event("client.attempt.began", [.integer("number")], "An attempt to connect; counted since the last reset."),
        .event("client.attempt.failed", ["failure"], "The attempt has come to nothing, or was given up."),
        .event("client.connected", [.flag("resumed")], "The handshake is complete."),
        .event("client.disconnected", ["failure"], "A connection that was complete is gone."),
        .event(
            "client.backoff.began",
            [.integer("attempt")],
            measured: [.duration("delay")],
            "The wait before an attempt; counted from 1 since the last reset."
        ),
        .event("client.backoff.cancelled", [], "The wait ends early."),
        .event("client.gave_up", [.integer("attempts")], "The attempts are spent."),
        .event("client.unknown_frame", ["type"], "A frame of a type that the client does not know; ignored."),
        .event("client.malformed_frame", ["reason"], "A message that is no frame; ignored."),
    ]
}
