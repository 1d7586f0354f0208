/// One message of the protocol, as the documentation and `squall explain adapter` tell it.
package struct AdapterEntry: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable, CaseIterable {
        /// From Squall, on standard input.
        case command
        /// From the client, to a command.
        case answer
        /// From the client, at any time.
        case event
    }

    package struct Field: Hashable, Sendable {
        package let name: String
        package let kind: String
        package let isRequired: Bool
        package let meaning: String
    }

    package let direction: Direction
    package let name: String
    package let meaning: String
    /// Beside `id` and `type` of a command, `in_reply_to` and `type` of an answer, `event` of an event.
    package let fields: [Field]
    /// A line as it is written.
    package let example: String
}

/// Every message of the protocol.
package enum AdapterCatalogue {
    package static let entries: [AdapterEntry] = life + commands + people + answers + events

    package static func entry(_ direction: AdapterEntry.Direction, _ name: String) -> AdapterEntry? {
        entries.first { $0.direction == direction && $0.name == name }
    }

    static func needed(_ name: String, _ kind: String, _ meaning: String) -> AdapterEntry.Field {
        AdapterEntry.Field(name: name, kind: kind, isRequired: true, meaning: meaning)
    }

    static func optional(_ name: String, _ kind: String, _ meaning: String) -> AdapterEntry.Field {
        AdapterEntry.Field(name: name, kind: kind, isRequired: false, meaning: meaning)
    }

    static func command(
        _ name: String,
        _ meaning: String,
        _ fields: [AdapterEntry.Field] = [],
        _ example: String
    ) -> AdapterEntry {
        AdapterEntry(direction: .command, name: name, meaning: meaning, fields: fields, example: example)
    }

    private static let life = [
        command(
            "init",
            "The first line: where the server is. The client connects to nothing yet, and answers with `init_ok`.",
            [
                needed("protocol", "count", "The version of this protocol: 1."),
                needed("client", "text", "The client's name in the scenario."),
                needed("ws_url", "text", "The WebSocket's address: `ws:`, or `wss:` where the scenario has TLS."),
                needed("http_url", "text", "The beginning of every HTTP address, without a slash at its end."),
                needed("key", "text", "The credential that the server accepts."),
                needed(
                    "seed",
                    "number",
                    "The run's seed, from 0 to 2^64 - 1, for a client that wants its chance from there. Where numbers are doubles, as in "
                        + "JavaScript, it is exact up to 2^53, and beyond the nearest that there is, the same each time."
                ),
                optional("state_dir", "text", "A folder of the client's own, which survives `device: kill`."),
                optional(
                    "ca_file",
                    "text",
                    "With TLS: the authority, in PEM, of which the server's certificate has to be. The client trusts it for this run, "
                        + "and nothing that is not of it."
                ),
                needed("clock", "text", "`wall`. The word `virtual` is reserved."),
            ],
            #"{"id":1,"type":"init","protocol":1,"client":"client","ws_url":"ws://127.0.1.7:40113/ws","http_url":"http://127.0.1.7:40113","key":"key-1","seed":1,"state_dir":"/tmp/squall-x/0","clock":"wall"}"#
        ),
        command(
            "start",
            "The app begins: from here on it connects. After a `kill`, it begins anew.",
            #"{"id":2,"type":"start"}"#
        ),
        command(
            "reset",
            "Only where `takes` lists it: the run is over, and the client forgets all of it, connections included. Another `init` "
                + "follows, for another run. Without it, each run has a process of its own.",
            #"{"id":1,"type":"reset"}"#
        ),
        command(
            "kill",
            "Only where `takes` lists it: the client inside the adapter is gone at once, and nothing of it is put in order. "
                + "Otherwise Squall kills the process and starts the command again.",
            #"{"id":9,"type":"kill"}"#
        ),
    ]

    static func command(_ name: String, _ meaning: String, _ example: String) -> AdapterEntry {
        command(name, meaning, [], example)
    }

    private static let commands = [
        command(
            "open",
            "The user looks at a conversation.",
            [needed("conversation", "text", "Which one.")],
            #"{"id":3,"type":"open","conversation":"stukov"}"#
        ),
        command(
            "send",
            "The user sends a message. `ok` says that the client has taken it over, not that it has arrived: answer before "
                + "waiting for the network, with the message's `client_message_id`.",
            [
                optional("conversation", "text", "Where; the open conversation where it is null."),
                needed("text", "text", "What it says."),
                optional("label", "text", "Its name in the scenario."),
            ],
            #"{"id":4,"type":"send","conversation":"stukov","text":"hello","label":"hello"}"#
        ),
        command(
            "retry",
            "The user sends a failed message again.",
            [
                optional("client_message_id", "text", "Which one, as the client's `ok` named it."),
                needed("label", "text", "Its name in the scenario."),
            ],
            #"{"id":5,"type":"retry","client_message_id":"c-12","label":"hello"}"#
        ),
        command("retry_all", "All failed messages again, in their order.", #"{"id":5,"type":"retry_all"}"#),
        command("reconnect", "The user asks for a connection now.", #"{"id":5,"type":"reconnect"}"#),
        command(
            "disconnect",
            "The user leaves: the client closes its connection, and wants none until it is told to `reconnect`.",
            #"{"id":5,"type":"disconnect"}"#
        ),
        command("refresh", "The user pulls the open conversation.", #"{"id":5,"type":"refresh"}"#),
        command("dismiss_banner", "The user puts the banner away.", #"{"id":5,"type":"dismiss_banner"}"#),
        command(
            "portal_login",
            "The user has logged in at the captive portal.",
            #"{"id":5,"type":"portal_login"}"#
        ),
        command(
            "mark_read",
            "The user has read a conversation.",
            [needed("conversation", "text", "Which one.")],
            #"{"id":5,"type":"mark_read","conversation":"stukov"}"#
        ),
        command(
            "execute",
            "The user has the server run a command.",
            [needed("command", "text", "Which one.")],
            #"{"id":5,"type":"execute","command":"make test"}"#
        ),
        command(
            "stop",
            "The user stops what the server works on.",
            [needed("target", "text", "A conversation, or the id of a command.")],
            #"{"id":5,"type":"stop","target":"stukov"}"#
        ),
        command(
            "set_key",
            "The user brings another credential.",
            [needed("key", "text", "The new one.")],
            #"{"id":5,"type":"set_key","key":"key-2"}"#
        ),
        command("background", "The app leaves the screen.", #"{"id":6,"type":"background"}"#),
        command("foreground", "The app is back on the screen.", #"{"id":6,"type":"foreground"}"#),
        command(
            "network",
            "What the system says of the network; Squall takes the network itself away or gives it back.",
            [needed("state", "text", "`on` or `off`.")],
            #"{"id":6,"type":"network","state":"off"}"#
        ),
        command("handoff", "The system says that the phone is on another network.", #"{"id":6,"type":"handoff"}"#),
        command(
            "scroll",
            "The user moves the list of the open conversation.",
            [needed("to", "text", "`start`, `end`, or the id of the message that is to be the first one visible.")],
            #"{"id":5,"type":"scroll","to":"m-17"}"#
        ),
        command(
            "load_earlier",
            "The user taps the control above the oldest message.",
            #"{"id":5,"type":"load_earlier"}"#
        ),
        command(
            "take_suggestion",
            "The user takes one of the things to say that an empty conversation offers.",
            [needed("number", "count", "Which one, from 1.")],
            #"{"id":5,"type":"take_suggestion","number":1}"#
        ),
        command(
            "jump",
            "The user taps a quotation: that message becomes the first visible one, however far back it has to be looked for.",
            [needed("message", "text", "Its id.")],
            #"{"id":5,"type":"jump","message":"m-17"}"#
        ),
        command("open_list", "The user looks at the list of conversations.", #"{"id":7,"type":"open_list"}"#),
        command(
            "appear",
            "A conversation's view has come onto the screen; `open` says so of its own.",
            [needed("conversation", "text", "Which one.")],
            #"{"id":7,"type":"appear","conversation":"stukov"}"#
        ),
        command(
            "disappear",
            "A conversation's view has left the screen, perhaps after the next one has come.",
            [needed("conversation", "text", "Which one.")],
            #"{"id":7,"type":"disappear","conversation":"stukov"}"#
        ),
    ]

    private static let answers = [
        AdapterEntry(
            direction: .answer,
            name: "init_ok",
            meaning: "What the client is, shows and takes. It must be the same each time the command is started.",
            fields: [
                needed("name", "text", "The client's name, for reports."),
                optional("version", "text", "Its version."),
                optional(
                    "shows",
                    "list of texts",
                    "The observables and events that it tells of, by Squall's names (`squall explain observables`); a name stands "
                        + "for all below it."
                ),
                optional("takes", "list of texts", "The commands that it takes, beside `init` and `start`."),
                optional(
                    "tls",
                    "boolean",
                    "Whether it comes by `wss:` and `https:` where `init` has them, trusting `ca_file`. Without it, scenarios with TLS "
                        + "are skipped."
                ),
                optional(
                    "states",
                    "object",
                    "The client's own words for its connection's state, and the word of `connection.state` for each. Without "
                        + "it, the client uses Squall's words."
                ),
                optional("clock", "text", "`wall`. The word `virtual` is reserved."),
            ],
            example:
                #"{"in_reply_to":1,"type":"init_ok","name":"acme","version":"4.2","shows":["connection.state","message.status"],"takes":["open","send"],"states":{"OPEN":"connected","CLOSED":"reconnecting"}}"#
        ),
        AdapterEntry(
            direction: .answer,
            name: "ok",
            meaning: "Done, or taken over.",
            fields: [
                optional("client_message_id", "text", "To `send`: the id under which the message goes to the server.")
            ],
            example: #"{"in_reply_to":4,"type":"ok","client_message_id":"c-12"}"#
        ),
        AdapterEntry(
            direction: .answer,
            name: "error",
            meaning:
                "Not done. The run goes on and shows `client.refused`; only `not_supported`, for a command that `takes` lists, "
                + "ends it.",
            fields: [
                needed(
                    "definite",
                    "flag",
                    "True where it certainly was not done, false where it may have been."
                ),
                optional(
                    "code",
                    "text",
                    "`rejected` where it is missing; `not_supported`; or a word of the client's own."
                ),
                optional("text", "text", "For a reader."),
            ],
            example: #"{"in_reply_to":4,"type":"error","definite":true,"code":"offline","text":"no network"}"#
        ),
    ]

    private static func event(
        _ name: String,
        _ meaning: String,
        _ fields: [AdapterEntry.Field],
        _ example: String
    ) -> AdapterEntry {
        AdapterEntry(direction: .event, name: name, meaning: meaning, fields: fields, example: example)
    }

    private static let events = [
        event(
            "state",
            "The connection's state is another: `connection.state`.",
            [needed("value", "text", "The client's own word, one of `states`.")],
            #"{"event":"state","value":"OPEN"}"#
        ),
        event(
            "message",
            "A message stands in a conversation's list now: `conversation.messages`.",
            [
                needed("conversation", "text", "The conversation."),
                optional(
                    "client_message_id",
                    "text",
                    "The id that its sender gave it; before `id` where both are there."
                ),
                optional("id", "text", "The server's id. One of the two is required."),
                optional("at", "count", "Its place in the list, from 0; at the end where it is missing."),
            ],
            #"{"event":"message","conversation":"stukov","id":"m-41"}"#
        ),
        event(
            "status",
            "What became of a message of the user: `message.status`.",
            [
                needed("client_message_id", "text", "Which one."),
                needed("value", "text", "A word of `message.status`."),
            ],
            #"{"event":"status","client_message_id":"c-12","value":"delivered"}"#
        ),
        event(
            "show",
            "Any other observable has a new value.",
            [
                needed("name", "text", "The observable's name."),
                optional("key", "text", "What stands in brackets behind the name, where it has a key."),
                optional("value", "any", "The whole new value; null where it is missing."),
            ],
            #"{"event":"show","name":"toast.text","value":"Back online"}"#
        ),
        event(
            "did",
            "An event of the client's has happened.",
            [
                needed("name", "text", "The event's name."),
                optional("key", "text", "What stands in brackets behind the name, where it has a key."),
                optional("fields", "object", "Its fields; durations in nanoseconds."),
            ],
            #"{"event":"did","name":"client.backoff.began","fields":{"attempt":1,"delay":1000000000}}"#
        ),
        event(
            "log",
            "A line for the report: `client.log`.",
            [needed("text", "text", "What it says.")],
            #"{"event":"log","text":"cache warmed"}"#
        ),
    ]
}
