import ChatWire
package import SquallCore

/// The server's part of the registry.
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
        event("stopped", [], "The server no longer listens, and its connections end."),
        event("accepted", [], "A connection of the client has come in."),
        event(
            "closed",
            [.integer("code")],
            "A connection of the client is over, with its close code if there was one."
        ),
        event("login_refused", ["reason"], "A login with the right key is no fresh one: undated, stale or reused."),
        event("host.stopped", ["host"], "One of several servers is down, and its connections end."),
        event("host.started", ["host"], "One of several servers takes connections again."),
        event("host.served", ["host"], "One of several servers has opened a WebSocket."),
        event("host.refused", ["host"], "A request was for a server that is down."),
        event("session_forgotten", [], "The server has forgotten the client's session and is deaf on its connection."),
    ]

    private static let messages = [
        event(
            "stored",
            key: "message",
            [
                "conversation", .integer("sequence"), "sender", "origin", "message_id", "label", "media",
                .integer("media_bytes"),
            ],
            "A message has its place in the order of all; its origin is client or post."
        ),
        event(
            "stream_began",
            key: "message",
            ["conversation", "label"],
            "A message is being written token by token; it is stored when it is whole."
        ),
        event("dropped_duplicate", key: "message", [], "A send repeats one that is stored, and changes nothing."),
        event(
            "prompt.began",
            key: "message",
            ["conversation"],
            "The server works on a message; its conversation takes no other before it is done."
        ),
        event(
            "prompt.ended",
            key: "message",
            ["conversation", .word("outcome", ChatServer.WorkOutcome.self)],
            "The server is done with a message: done, failed or stopped. Its conversation takes the next."
        ),
        event("command.began", ["id", "text"], "A command runs, under an id of its own."),
        event(
            "command.ended",
            ["id", .word("outcome", ChatServer.WorkOutcome.self)],
            "A command has ended: done or stopped."
        ),
        event(
            "upload_part",
            key: "upload",
            [.integer("offset"), .integer("bytes")],
            "A part of a file has come that the server did not have."
        ),
        event("uploaded", key: "upload", ["name", .integer("bytes")], "A file is stored as a whole; once for each."),
        event(
            "deleted",
            key: "message",
            ["conversation", "by", .flag("is_deleted"), "deleted_by", .integer("deleted_at"), .flag("kept")],
            measured: ["deleted_at"],
            "A message was deleted; what its record says now, and whether there still is one with what it said."
        ),
        event("delete_refused", key: "message", ["by", "sender"], "Somebody wanted another's message deleted."),
        event(
            "listed",
            ["conversation", .list("messages"), .integer("deleted")],
            "A page holds deleted messages: the texts of all in the order given, and how many are deleted."
        ),
        event("said", ["kind", .integer("bytes")], "What the script wrote was sent; it is no frame of the protocol."),
        event("unsaid", ["frame"], "The profile's protocol has that frame, but no form of it for what was to be said."),
        event(
            "action.hit",
            ["action", "of"],
            provenance: .injected,
            parity: .measured,
            "An action of the script has met what it is aimed at: swallow, delay, duplicate, hold, slow or release an answer, reject, rule or fail a request, close or disconnect a connection, push about a message."
        ),
        event("protocol_error", ["reason"], "What came from the client is no frame, no message or no request."),
    ]

    private static let frames =
        FrameRole.fromClient.flatMap { role in
            [
                event(
                    "received.\(role.rawValue)",
                    key: key(role),
                    FrameNote.clientFields(role),
                    "The client's \(role.rawValue) has arrived."
                ),
                event(
                    "rejected.\(role.rawValue)",
                    key: key(role),
                    ["code"],
                    "The client's \(role.rawValue) was turned down."
                ),
            ]
        }
        + FrameRole.fromServer.flatMap { role in
            // How long a limit still lasts depends on when the sends arrived.
            let measured = role == .error ? ["retry_after"] : []
            return [
                event(
                    "sent.\(role.rawValue)",
                    key: key(role),
                    FrameNote.serverFields(role),
                    measured: measured,
                    "The server's \(role.rawValue) was written."
                ),
                event(
                    "swallowed.\(role.rawValue)",
                    key: key(role),
                    FrameNote.serverFields(role),
                    measured: measured,
                    "The server's \(role.rawValue) was not written, as the script wants it."
                ),
            ]
        }

    private static let pushes = [
        event("push_token.saved", ["user"], "A user's pushes go to the device that has asked for them from now on."),
        event(
            "push_token.removed",
            ["user", .word("cause", ["asked", "moved"])],
            "A user has no device any more: because it was asked for, or because the device has moved to another user."
        ),
        event(
            "pushed",
            key: "message",
            ["user", "conversation", "label"],
            "A notification for a user has been given to the push service."
        ),
        event(
            "push_undeliverable",
            key: "message",
            ["user", "conversation", "label"],
            "A notification was for a user who has no device."
        ),
    ]

    private static let routes = ServerRoute.all.flatMap { route in
        [
            event("requested.\(route.word)", fields(of: route), "A request for \(route.word) has arrived."),
            event(
                "answered.\(route.word)",
                [.integer("status")],
                "The answer to a request for \(route.word) was written."
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
    /// Every event that the server tells of.
    package static let registry = ServerRegistry.entries
}
