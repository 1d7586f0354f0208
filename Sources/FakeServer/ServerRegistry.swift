import ChatWire
package import SquallCore

/// Declares the fake server's events for the registry of all events.
package enum ServerRegistry {
    package static let entries: [RegistryEntry] = life + messages + frames + routes + pushes

    private static func event(
        _ name: String,
        key: String? = nil,
        _ fields: [EventField] = [],
        measured: [String] = [],
        provenance: Provenance = .observed,
        parity: ParityClass = .log,
        _ meaning: String
    ) -> RegistryEntry {
        RegistryEntry(
            .event,
            "server.\(name)",
            .fields(fields, measured: measured),
            key: key,
            provenance: provenance,
            parity: parity,
            level: .wire,
            meaning
        )
    }

    private static let life = [
        event("started", [], "The server listens again."),
        event("stopped", [], "The server stops listening, and its connections end."),
        event("state_lost", [], "The server has lost its messages, sessions, read marks, uploads and push tokens."),
        event("accepted", [], "The server has accepted a connection of the client."),
        event(
            "closed",
            [.integer("code")],
            "A connection of the client has ended; `code` is its close code, if there was one."
        ),
        event(
            "login_refused",
            ["reason"],
            "The server has rejected a login with the correct key: its date is missing (undated) or too old (stale), "
                + "or the login was used before (reused)."
        ),
        event(
            "key_exposed",
            ["place"],
            "The client has sent a key where proxies and logs keep it: in a frame other than `connect`, in a request's "
                + "target or body, or in a header other than the `Authorization` of a request that needs the key."
        ),
        event("host.stopped", ["host"], "One of several servers has stopped, and its connections end."),
        event("host.started", ["host"], "One of several servers accepts connections again."),
        event("host.served", ["host"], "One of the scenario's server hosts has accepted a WebSocket."),
        event(
            "host.refused",
            ["host"],
            "A server that is down has received a request and has reset its connection."
        ),
        event(
            "session_forgotten",
            [],
            "The server has forgotten the client's session and no longer answers on its connection."
        ),
    ]

    private static let messages = [
        event(
            "stored",
            key: "message",
            [
                "conversation", .integer("sequence"), "sender", "origin", "message_id", "label", "media",
                .integer("media_bytes"), .flag("media_is_own"),
            ],
            "The server has stored a message and assigned its sequence number. Its `origin` is client or post. "
                + "`media_is_own` is true if the path of its media contains the message's own id."
        ),
        event(
            "stream_began",
            key: "message",
            ["conversation", "label"],
            "The server begins to send a message token by token. The message is stored when it is complete."
        ),
        event(
            "dropped_duplicate",
            key: "message",
            [],
            "The server has ignored a send because its message is already stored."
        ),
        event(
            "prompt.began",
            key: "message",
            ["conversation"],
            "The server has begun to process a message. The conversation accepts no other message until the processing "
                + "ends."
        ),
        event(
            "prompt.ended",
            key: "message",
            ["conversation", .word("outcome", ChatServer.WorkOutcome.self)],
            "The server has ended the processing of a message; `outcome` is done, failed or stopped. The conversation "
                + "accepts the next message."
        ),
        event("command.began", ["id", "text"], "The server has started a command and given it a new ID."),
        event(
            "command.ended",
            ["id", .word("outcome", ChatServer.WorkOutcome.self)],
            "A command on the server has ended; `outcome` is done or stopped."
        ),
        event(
            "upload_part",
            key: "upload",
            [.integer("offset"), .integer("bytes")],
            "The server has received a part of a file that it did not have."
        ),
        event(
            "uploaded",
            key: "upload",
            ["name", .integer("bytes")],
            "The server has received a file completely; the event is emitted once per file."
        ),
        event(
            "deleted",
            key: "message",
            ["conversation", "by", .flag("is_deleted"), "deleted_by", .integer("deleted_at"), .flag("kept")],
            measured: ["deleted_at"],
            "The server has deleted a message. The fields contain the record of the deletion; `kept` says whether the "
                + "original content was kept."
        ),
        event(
            "delete_refused",
            key: "message",
            ["by", "sender"],
            "The server has rejected a request to delete a message from a user who did not send it."
        ),
        event(
            "listed",
            ["conversation", .list("messages"), .list("sequences"), .integer("deleted")],
            "The server has returned a page with deleted messages: `messages` are the page's texts in order, "
                + "`sequences` their sequence numbers, and `deleted` is the number of deleted messages."
        ),
        event(
            "received.text",
            key: "rule",
            ["kind", .integer("bytes"), "text", .integer("link")],
            "The server has received a message that a rule answers, or any message in a protocol without frames. "
                + "Only `squall record` records its text."
        ),
        event(
            "received.request",
            key: "rule",
            [
                "method", "target", .flag("of_profile"), "kind", .integer("bytes"), "text", .integer("link"),
            ],
            "The server has received an HTTP request that a rule answers. `squall record` records every request, with "
                + "its text."
        ),
        event(
            "sent.response",
            key: "rule",
            [.integer("status"), "headers", "kind", .integer("bytes"), "text", .integer("link")],
            "The server has answered such a request. Only `squall record` records its headers and its text."
        ),
        event(
            "received.close",
            [.integer("code"), .integer("link")],
            "The upstream server has received a WebSocket close frame."
        ),
        event(
            "sent.close",
            [.integer("code"), .integer("link")],
            "The upstream server has sent a WebSocket close frame."
        ),
        event(
            "said",
            ["kind", .integer("bytes"), "text", .integer("link")],
            "The server has sent a message that is not a frame of the protocol. Only `squall record` records its text."
        ),
        event(
            "unsaid",
            ["frame"],
            "The server has not sent a frame, because the profile's protocol has no variant of the frame for this "
                + "content."
        ),
        event(
            "action.hit",
            ["action", "of"],
            provenance: .injected,
            parity: .measured,
            "A scripted action has taken effect: it has swallowed, delayed, duplicated, held or released a frame or "
                + "response, rejected or failed a request or answered it by a rule, ended a connection, or pushed a "
                + "notification."
        ),
        event(
            "received.extra",
            ["extra"],
            "The server has received a message without a role in the chat protocol: one of the profile's `extras` or "
                + "`http` requests."
        ),
        event(
            "protocol_error",
            ["reason"],
            "The client has sent something that is not a valid frame, message or request."
        ),
    ]

    private static let frames =
        FrameRole.fromClient.flatMap { role in
            [
                event(
                    "received.\(role.rawValue)",
                    key: key(role),
                    FrameNote.clientFields(role),
                    "The server has received \(role.inWords) from the client."
                ),
                event(
                    "rejected.\(role.rawValue)",
                    key: key(role),
                    ["code"],
                    "The server has rejected \(role.inWords) from the client."
                ),
            ]
        }
        + FrameRole.fromServer.flatMap { role in
            // The value of `retry_after` is the time until a rate limit admits another message. It depends on when the
            // messages arrived, and so differs between live runs.
            let measured = role == .error ? ["retry_after"] : []
            return [
                event(
                    "sent.\(role.rawValue)",
                    key: key(role),
                    FrameNote.serverFields(role),
                    measured: measured,
                    "The server has sent \(role.inWords) to the client."
                ),
                event(
                    "swallowed.\(role.rawValue)",
                    key: key(role),
                    FrameNote.serverFields(role),
                    measured: measured,
                    "The server has withheld \(role.inWords) from the client because of a `swallow` step."
                ),
            ]
        }

    private static let pushes = [
        event("push_token.saved", ["user"], "The server has registered a device for a user's notifications."),
        event(
            "push_token.removed",
            ["user", .word("cause", ["asked", "moved"])],
            "The server has unregistered a user's device, because its client requested it or because another user "
                + "registered the device."
        ),
        event(
            "pushed",
            key: "message",
            ["user", "conversation", "label", "message_id", .integer("bytes"), .flag("is_cut")],
            "The server has passed a notification for one of a user's devices to the push service, with a payload of "
                + "`bytes` bytes; `is_cut` says whether the message's text was cut to make it fit."
        ),
        event(
            "push_refused",
            key: "message",
            [.integer("status"), "reason"],
            "The push service has refused a notification, with the status and reason that Apple's service gives."
        ),
        event(
            "push_undeliverable",
            key: "message",
            ["user", "conversation", "label", "message_id"],
            "The server has not sent a notification, because the user has no registered device."
        ),
    ]

    private static let routes = ServerRoute.all.flatMap { route in
        [
            event(
                "requested.\(route.word)",
                fields(of: route),
                "The server has received a request to the `\(route.word)` route."
            ),
            event(
                "answered.\(route.word)",
                [.integer("status")],
                "The server has answered a request to the `\(route.word)` route."
            ),
        ]
    }

    private static func key(_ role: FrameRole) -> String? {
        FrameNote.isAboutMessage(role) ? "message" : nil
    }

    private static func fields(of route: ServerRoute) -> [EventField] {
        switch route {
        case .http(.messages), .http(.send), .http(.conversation): ["conversation"]
        case .http(.markRead): ["conversation", "user"]
        case .http(.upload), .http(.media), .http(.thumbnail): ["conversation", "name"]
        case .webSocket: ["target"]
        case .http: []
        }
    }
}

extension ChatServer {
    /// Every event that the server emits.
    package static let registry = ServerRegistry.entries
}
