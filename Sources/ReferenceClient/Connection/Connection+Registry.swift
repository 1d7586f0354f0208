import SquallCore

extension Connection {
    static let registry: [RegistryEntry] = [
        .observable("network.reachable", .flag, "Whether the phone reports a network."),
        .observable("network.captive", .flag, "Whether a captive portal responds instead of the server."),
        .observable(
            "connection.state",
            .words(ConnectionState.self),
            "The state of the client's connection to the server."
        ),
        .observable(
            "connection.transport",
            .word(["websocket", "http", "none"]),
            "The transport that currently carries messages."
        ),
        .observable(
            "connection.host",
            .text,
            "The host to which the client last tried to connect; null before the first attempt."
        ),
        .observable("connection.label", .text, "The text of the connection badge, from the profile's table of labels."),
        .observable("connection.tone", .words(Tone.self), "The colour of the connection badge."),
        .observable(
            "connection.attempt",
            .integer,
            "The number of failed connection attempts since the counter was last reset."
        ),
        .observable(
            "connection.last_error",
            .text,
            "The reason why the last connection attempt failed or the last connection ended; null while connected."
        ),
        .observable("connection.open_sockets", .integer, "The number of open byte streams to the server."),
        .observable(
            "connection.next_attempt_in",
            .duration,
            parity: .measured,
            "The full delay before the next connection attempt, not the time remaining; null if no attempt is "
                + "scheduled."
        ),
        .observable(
            "connection.rtt",
            .duration,
            parity: .measured,
            "The round-trip time of the last ping that was answered; null if no ping was answered."
        ),
        .observable(
            "connection.quality",
            .words(LinkQuality.self),
            "The quality of the connection, estimated from the answers to the client's pings."
        ),
        .observable(
            "auth.authenticated",
            .flag,
            "Whether the server has accepted the user's key on the current connection."
        ),
        .observable(
            "auth.requires_reauth",
            .flag,
            "Whether the user must enter another key before the client can connect."
        ),
        .observable(
            "auth.version_warning",
            .text,
            "The warning that the server's version is newer than the client's; null if there is no warning."
        ),
        .event(
            "client.attempt.began",
            [.integer("number")],
            "The client has begun an attempt to connect; `number` counts the attempts since the last reset."
        ),
        .event(
            "client.attempt.failed",
            ["failure", .duration("retry_after")],
            "An attempt to connect has failed or was abandoned; `retry_after` is the delay that the server requested."
        ),
        .event(
            "client.connected",
            [.flag("resumed")],
            "The client has completed the handshake with the server and is now connected."
        ),
        .event(
            "client.disconnected",
            ["failure"],
            "The client has lost or closed a connection after its handshake was complete."
        ),
        .event(
            "client.backoff.began",
            [.integer("attempt")],
            measured: [.duration("delay")],
            "The client has begun to wait before its next attempt to connect; `attempt` counts from 1 since the last "
                + "reset."
        ),
        .event("client.backoff.cancelled", [], "The client has cancelled the wait before its next attempt to connect."),
        .event(
            "client.gave_up",
            [.integer("attempts")],
            "The client has made its maximum number of connection attempts and makes no more."
        ),
        .event("client.unknown_frame", ["type"], "The client has ignored a frame of an unknown type."),
        .event("client.malformed_frame", ["reason"], "The client has ignored a message that is not a valid frame."),
    ]
}
