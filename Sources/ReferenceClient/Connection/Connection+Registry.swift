import SquallCore

extension Connection {
    static let registry: [RegistryEntry] = [
        .observable("network.reachable", .flag, "Whether the phone reports a network."),
        .observable("network.captive", .flag, "Whether a captive portal responds instead of the server."),
        .observable("connection.state", .words(ConnectionState.self), "The state of the connection."),
        .observable(
            "connection.transport",
            .word(["websocket", "http", "none"]),
            "The transport that currently carries messages."
        ),
        .observable("connection.host", .text, "The server of the last attempt; null before the first."),
        .observable("connection.label", .text, "The badge's text, from the profile's table."),
        .observable("connection.tone", .words(Tone.self), "The badge's colour."),
        .observable("connection.attempt", .integer, "The number of failed attempts since the last reset."),
        .observable(
            "connection.last_error",
            .text,
            "The reason why the last attempt or connection ended; null while connected."
        ),
        .observable("connection.open_sockets", .integer, "The number of open byte streams to the server."),
        .observable(
            "connection.next_attempt_in",
            .duration,
            parity: .measured,
            "The full delay before the next attempt, not the time remaining; null if none is scheduled."
        ),
        .observable(
            "connection.rtt",
            .duration,
            parity: .measured,
            "The round-trip time of the last answered ping; null if there is none."
        ),
        .observable(
            "connection.quality",
            .words(LinkQuality.self),
            "The quality of the connection, judged by its pings."
        ),
        .observable("auth.authenticated", .flag, "Whether the server has accepted the key on this connection."),
        .observable("auth.requires_reauth", .flag, "Whether the user has to enter another key."),
        .observable("auth.version_warning", .text, "The warning about a newer server; null if there is none."),
        .event(
            "client.attempt.began",
            [.integer("number")],
            "An attempt to connect has begun; attempts are numbered since the last reset."
        ),
        .event(
            "client.attempt.failed",
            ["failure", .duration("retry_after")],
            "An attempt to connect has failed or was abandoned; `retry_after` is the delay requested by the server."
        ),
        .event("client.connected", [.flag("resumed")], "The handshake is complete."),
        .event("client.disconnected", ["failure"], "A connection whose handshake was complete has ended."),
        .event(
            "client.backoff.began",
            [.integer("attempt")],
            measured: [.duration("delay")],
            "The delay before an attempt has begun; numbered from 1 since the last reset."
        ),
        .event("client.backoff.cancelled", [], "The delay before an attempt was cancelled."),
        .event("client.gave_up", [.integer("attempts")], "The client has used up its attempts."),
        .event("client.unknown_frame", ["type"], "The client has ignored a frame of an unknown type."),
        .event("client.malformed_frame", ["reason"], "The client has ignored a message that is not a valid frame."),
    ]
}
