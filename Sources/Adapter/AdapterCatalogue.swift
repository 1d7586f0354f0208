import ChatWire
import SquallCore

/// Describes one message of the adapter protocol, for the documentation and `squall explain adapter`.
package struct AdapterEntry: Hashable, Sendable {
    package enum Direction: String, Hashable, Sendable, CaseIterable {
        /// A message from Squall on the client's standard input.
        case command
        /// A message from the client in reply to a command.
        case answer
        /// A message that the client may send at any time.
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
    /// The message's fields, except for `id` and `type` in a command, `in_reply_to` and `type` in an answer, and
    /// `event` in an event.
    package let fields: [Field]
    /// An example of the message, as one line of JSON.
    package let example: String
}

/// The catalogue of all messages of the adapter protocol.
package enum AdapterCatalogue {
    package static let entries: [AdapterEntry] = life + commands + answers + events

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
            "The first command, with the server's addresses. The client does not connect yet and answers with "
                + "`init_ok`.",
            [
                needed("protocol", "count", "The version of this protocol: 1."),
                needed("client", "text", "The client's name in the scenario."),
                needed("ws_url", "text", "The WebSocket's URL, with `ws:`, or with `wss:` if the scenario uses TLS."),
                needed("http_url", "text", "The base URL for HTTP. It does not end in a slash."),
                needed("key", "text", "The credential that the server accepts."),
                needed(
                    "seed",
                    "number",
                    "The run's seed, from 0 to 2^64 - 1, for a client that derives its random numbers from it. In "
                        + "languages with only doubles, such as JavaScript, it is exact up to 2^53 and otherwise "
                        + "rounded, always to the same value."
                ),
                optional("state_dir", "text", "The client's own folder, which survives `device: kill`."),
                optional(
                    "ca_file",
                    "text",
                    "With TLS: the PEM file of the authority that issued the server's certificate. For this run the "
                        + "client trusts this authority and no other."
                ),
                optional(
                    "fresh",
                    "flag",
                    "Over HTTP: true if the app discards what it has stored, because a run begins; false if it keeps it, "
                        + "because it was killed in this run."
                ),
                needed(
                    "clock",
                    "text",
                    "`wall`; or `virtual` if the client's `init_ok` offers it: its timers then follow `advance` instead of "
                        + "real time, and its clock starts at 0."
                ),
            ],
            #"""
            {"id":1,"type":"init","protocol":1,"client":"client","ws_url":"ws://127.0.1.7:40113/ws",\#
            "http_url":"http://127.0.1.7:40113","key":"key-1","seed":1,"state_dir":"/tmp/squall-x/0","clock":"wall"}
            """#
        ),
        command(
            "reset",
            "Sent only if `takes` lists it: the run is over. The client discards all its state and its connections. "
                + "Another `init` follows for the next run. Without `reset`, each run has its own process.",
            #"{"id":1,"type":"reset"}"#
        ),
        command(
            "restart",
            "Sent over HTTP only, and only if `takes` lists it: the app ends immediately without clean-up, starts "
                + "again and polls the same URL as a new instance; a page reloads itself. It is not answered.",
            #"{"id":0,"type":"restart"}"#
        ),
        command(
            "sync",
            "Sent only if `takes` lists it. The client answers once it has reported everything that it has shown so "
                + "far. Squall sends it when bytes of the client have arrived, and passes these on to the server after "
                + "the answer, so that a report which takes longer than a frame still comes first.",
            #"{"id":5,"type":"sync"}"#
        ),
        command(
            AdapterCommand.advance,
            "Sent only if `init` said `clock: virtual`: the time is now `now`. The client sets its clock, runs the timers that "
                + "are due, handles what has arrived on its connections, and answers once it can only wait. Its time then "
                + "does not change until the next `advance`.",
            [needed("now", "nanoseconds", "The time since the start of the run.")],
            #"{"id":6,"type":"advance","now":1500000000}"#
        ),
    ]

    static func command(_ name: String, _ meaning: String, _ example: String) -> AdapterEntry {
        command(name, meaning, [], example)
    }

    private static let commands = ClientCommand.declarations.filter { $0.level != nil }.map(AdapterEntry.init)

    private static let answers = [
        AdapterEntry(
            direction: .answer,
            name: "init_ok",
            meaning:
                "The client's name, the names that it reports and the commands that it takes. It must be the same each "
                + "time the command is started.",
            fields: [
                needed("name", "text", "The client's name, for reports."),
                optional("version", "text", "The client's version."),
                optional(
                    "shows",
                    "list of texts",
                    "The observables and events that the client reports, by Squall's names (`squall explain "
                        + "observables`). A name includes all names below it."
                ),
                optional("takes", "list of texts", "The commands that the client takes, besides `init` and `start`."),
                optional(
                    "tls",
                    "boolean",
                    "Whether the client supports `wss:` and `https:` and trusts `ca_file`. Without it, scenarios with "
                        + "TLS are skipped."
                ),
                optional(
                    "states",
                    "object",
                    "The client's own names of its connection states, each with the value of `connection.state`. "
                        + "Without it, the client uses Squall's names."
                ),
                optional(
                    "clock",
                    "text",
                    "`virtual` if the client's timers can follow `advance`; `wall`, the default, if they follow real time."
                ),
            ],
            example:
                #"""
                {"in_reply_to":1,"type":"init_ok","name":"acme","version":"4.2","shows":["connection.state",\#
                "message.status"],"takes":["open","send"],"states":{"OPEN":"connected","CLOSED":"reconnecting"}}
                """#
        ),
        AdapterEntry(
            direction: .answer,
            name: "ok",
            meaning: "The command is done, or accepted.",
            fields: [
                optional(
                    "client_message_id",
                    "text",
                    "In reply to `send`: the id under which the client sends the message to the server."
                ),
                optional(
                    "next",
                    "nanoseconds",
                    "In reply to `advance`: when the client's next timer is due, on the clock that `advance` sets; null if "
                        + "it has set none."
                ),
            ],
            example: #"{"in_reply_to":4,"type":"ok","client_message_id":"c-12"}"#
        ),
        AdapterEntry(
            direction: .answer,
            name: "error",
            meaning:
                "The command was not carried out. The run continues and records `client.refused`. Only `not_supported` "
                + "for a command that `takes` lists ends the run.",
            fields: [
                needed(
                    "definite",
                    "flag",
                    "True if the command certainly was not done, false if it may have been."
                ),
                optional(
                    "code",
                    "text",
                    "`not_supported`, `rejected` or a code of the client's own; default `rejected`."
                ),
                optional("text", "text", "A human-readable text."),
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
            "The connection's state has changed: `connection.state`.",
            [needed("value", "text", "The client's name of the state, one of `states`.")],
            #"{"event":"state","value":"OPEN"}"#
        ),
        event(
            "message",
            "A message has appeared in a conversation's list: `conversation.messages`.",
            [
                needed("conversation", "text", "The conversation."),
                optional(
                    "client_message_id",
                    "text",
                    "The id that the sender has assigned to the message. It takes precedence over `id`."
                ),
                optional("id", "text", "The message's server-assigned id. One of the two ids is required."),
                optional("at", "count", "The position in the list, from 0; default: at the end."),
            ],
            #"{"event":"message","conversation":"stukov","id":"m-41"}"#
        ),
        event(
            "status",
            "The status of a message of the user has changed: `message.status`.",
            [
                needed("client_message_id", "text", "The message's id."),
                needed("value", "text", "A value of `message.status`."),
            ],
            #"{"event":"status","client_message_id":"c-12","value":"delivered"}"#
        ),
        event(
            "show",
            "Another observable has a new value.",
            [
                needed("name", "text", "The observable's name."),
                optional("key", "text", "The key in brackets after the name, if it has one."),
                optional("value", "any", "The complete new value; default null."),
            ],
            #"{"event":"show","name":"toast.text","value":"Back online"}"#
        ),
        event(
            "did",
            "An event has happened in the client.",
            [
                needed("name", "text", "The event's name."),
                optional("key", "text", "The key in brackets after the name, if it has one."),
                optional("fields", "object", "The event's fields. Durations are in nanoseconds."),
            ],
            #"{"event":"did","name":"client.backoff.began","fields":{"attempt":1,"delay":1000000000}}"#
        ),
        event(
            "log",
            "A line for the report: `client.log`.",
            [needed("text", "text", "The line.")],
            #"{"event":"log","text":"cache warmed"}"#
        ),
    ]
}
