import ChatWire
package import SquallCore

extension ServerAction {
    /// The server's verbs, as the parser, the schema and the documentation read them.
    package static let actions: [ActionEntry] = messages + life + connections + answers + settings + people

    /// The most that one action makes or counts.
    static let most: Int64 = 100_000
    private static let counted = ParameterKind.integer(1...most)
    private static let client = Parameter("client", .text, "the client it is for; all where it is left out")
    private static let serverFrame = ParameterKind.word(FrameRole.fromServer.map(\.rawValue))
    private static let clientFrame = ParameterKind.word(FrameRole.fromClient.map(\.rawValue))

    private static let routeName = ParameterKind.word(ServerRoute.all.map(\.word))

    private static func entry(
        _ verb: String,
        main: String? = nil,
        takesLabel: Bool = false,
        _ parameters: [Parameter] = [],
        _ meaning: String
    ) -> ActionEntry {
        ActionEntry(.server, verb, main: main, takesLabel: takesLabel, parameters, meaning)
    }

    private static let messages = [
        entry(
            "post",
            main: "to",
            takesLabel: true,
            [
                Parameter("to", .text, required: true, "the conversation"),
                Parameter("count", counted, "how many messages; 1"),
                Parameter("text", .text, "the text of each; one that tells which message it is"),
                Parameter("sender", .text, "who writes; the conversation's namesake"),
                Parameter("media", .text, "what each shows: image, or a kind that clients need not know; nothing"),
                Parameter("bytes", .integer(1...16_777_216), "how large each image is; 100000"),
                Parameter("width", .integer(1...65_535), "its pixels; 1200"),
                Parameter("height", .integer(1...65_535), "its pixels; 900"),
                Parameter("every", .duration, "from one to the next; 0s"),
            ],
            "Stores messages, labelled label-1, label-2 and so on if more than one, and sends them to every client."
        ),
        entry(
            "history",
            [
                Parameter("conversation", .text, required: true, "where they are"),
                Parameter("count", counted, required: true, "how many"),
                Parameter("age", .duration, "of the newest; each before it is a second older; 24h"),
            ],
            "Has messages that nobody was sent, as if from before the run."
        ),
        entry(
            "stream",
            takesLabel: true,
            [
                Parameter("conversation", .text, required: true, "where it is written"),
                Parameter("text", .text, required: true, "the whole message"),
                Parameter("pieces", counted, "how many tokens, at most one a character; 4"),
                Parameter("every", .duration, "between two tokens; 100ms"),
            ],
            "Writes a message token by token, then stores and sends it."
        ),
        entry(
            "type",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "where"),
                Parameter("user", .text, "who; the conversation's namesake"),
                Parameter("active", .flag, "whether typing begins or ends; yes"),
            ],
            "Tells every client that somebody types."
        ),
        entry(
            "presence",
            [
                Parameter("user", .text, required: true, "who"),
                Parameter(
                    "status",
                    .word(PresenceStatus.allCases.map(\.rawValue)),
                    required: true,
                    "what they are now"
                ),
                Parameter("text", .text, "the same in words"),
            ],
            "Tells every client what somebody is."
        ),
        entry(
            "identify",
            [
                Parameter("client", .text, required: true, "the client"),
                Parameter("user", .text, required: true, "for whom it acts; several clients may for one user"),
            ],
            "Makes a client one of a user's devices."
        ),
        entry(
            "group",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "the group's"),
                Parameter("members", .text, required: true, "who is in it; names with blanks between them"),
            ],
            "Makes a conversation a group, as the agents route tells it."
        ),
        entry(
            "error",
            main: "code",
            [
                Parameter("code", .text, required: true, "the error's code, known or not"),
                Parameter("message", .text, "its text; the code"),
                Parameter("retry_after", .duration, "the wait it asks for"),
                client,
            ],
            "Sends an error that answers nothing."
        ),
        entry(
            "say",
            main: "json",
            [
                Parameter("json", .json, "a frame as it stands"),
                Parameter("text", .text, "any text instead, JSON or not"),
                client,
            ],
            "Sends a text message of any kind."
        ),
        entry(
            "binary",
            main: "bytes",
            [
                Parameter("bytes", .text, required: true, "in hexadecimal"),
                client,
            ],
            "Sends a binary message, which the chat protocol does not have."
        ),
        entry(
            "introduce",
            main: "id",
            [
                Parameter("id", .text, required: true, "who, and the conversation to write into"),
                Parameter("name", .text, "what to call them; the id"),
                Parameter("status", .word(PresenceStatus.allCases.map(\.rawValue)), "how reachable; online"),
                Parameter("about", .text, "who that is"),
                Parameter("last_seen", .duration, "how long before the run they were last there"),
            ],
            "Has somebody among those who can be written to, though nothing was ever written."
        ),
    ]

    private static let life = [
        entry("stop", [], "Closes every connection with 1001 and listens no more."),
        entry("start", [], "Listens again."),
        entry(
            "restart",
            main: "down",
            [
                Parameter("down", .duration, required: true, "until it listens again"),
                Parameter(
                    "state",
                    .word(["keep", "lose"]),
                    "what becomes of messages, sessions, reading, uploads and push tokens; keep"
                ),
                Parameter("notice", .duration, "announces it so long before; without it there is no announcement"),
            ],
            "Closes every connection with 1012 and comes back later."
        ),
        entry(
            "crash",
            [
                Parameter("down", .duration, "until it listens again; until it is started")
            ],
            "Resets every connection and is gone, its state kept."
        ),
        entry("vanish", [client], "Forgets sessions and goes deaf on their connections: no FIN, no RST, no byte."),
        entry(
            "drain",
            [
                Parameter("retry_after", .duration, "the wait it asks for, 0s to leave it out; the profile's"),
                Parameter("notice", .duration, "from the announcement to the close; the profile's"),
                Parameter("down", .duration, "from the close until it listens again; the profile's"),
            ],
            "Announces a shutdown, closes every connection with 1001 after the notice and comes back later."
        ),
        entry(
            "down",
            main: "host",
            [Parameter("host", .text, required: true, "the name that clients call it by")],
            "One of several servers closes its connections with 1001 and takes no more; the others go on."
        ),
        entry(
            "up",
            main: "host",
            [Parameter("host", .text, required: true, "the name that clients call it by")],
            "A server that is down takes connections again."
        ),
        entry(
            "fail_prompt",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "where")],
            "What is worked on in a conversation ends with an error."
        ),
    ]

    private static let connections = [
        entry(
            "close",
            main: "code",
            [
                Parameter("code", .integer(1000...4999), required: true, "the close code"),
                Parameter("reason", .text, "the close reason"),
                client,
            ],
            "Begins the closing handshake."
        ),
        entry(
            "disconnect",
            main: "how",
            [
                Parameter("how", .word(["fin", "rst"]), required: true, "in order or at once"),
                client,
            ],
            "Ends connections without a close frame."
        ),
    ]

    private static let answers = [
        entry(
            "swallow",
            main: "frame",
            [
                Parameter("frame", serverFrame, required: true, "what is not sent"),
                Parameter("count", counted, "how many; 1"),
                client,
            ],
            "Does everything but send the next answers of a kind."
        ),
        entry(
            "delay",
            main: "frame",
            [
                Parameter("frame", serverFrame, required: true, "what is sent late"),
                Parameter("by", .duration, required: true, "how late"),
                Parameter("count", counted, "how many; all"),
                client,
            ],
            "Sends answers of a kind late; others overtake them."
        ),
        entry(
            "duplicate",
            main: "frame",
            [
                Parameter("frame", serverFrame, required: true, "what is sent twice"),
                Parameter("count", counted, "how many; 1"),
                client,
            ],
            "Sends the next answers of a kind twice."
        ),
        entry(
            "hold",
            main: "frame",
            takesLabel: true,
            [
                Parameter("frame", serverFrame, "what is held"),
                Parameter("route", routeName, "or the requests whose answers are held"),
                client,
            ],
            "Keeps answers of a kind until they are released; the label is theirs, else the frame's or route's name."
        ),
        entry(
            "release",
            main: "label",
            [
                Parameter("label", .text, required: true, "of the hold"),
                Parameter("order", .json, "kept, reversed, or positions from 0, of which the rest follows; kept"),
            ],
            "Sends what is held, and holds no more."
        ),
        entry(
            "reject",
            main: "frame",
            [
                Parameter("frame", clientFrame, required: true, "what is rejected"),
                Parameter("code", .text, required: true, "the error's code"),
                Parameter("message", .text, "its text; the code"),
                Parameter("count", counted, "how many; 1"),
                client,
            ],
            "Answers frames of a kind with an error and does nothing else."
        ),
        entry(
            "rule",
            [
                Parameter("on", clientFrame, required: true, "what is answered"),
                Parameter(
                    "reply",
                    .json,
                    required: true,
                    "a frame; a text {name} in it is that member of the client's"
                ),
                Parameter("count", counted, "how many; all"),
                client,
            ],
            "Answers frames of a kind with this and does nothing else."
        ),
        entry(
            "fail",
            main: "route",
            [
                Parameter("route", routeName, required: true, "the requests that fail"),
                Parameter("status", .integer(300...599), required: true, "the HTTP status"),
                Parameter("nth", counted, "only the n-th request from now"),
                Parameter("count", counted, "only so many; all"),
                Parameter("retry_after", .duration, "the header Retry-After, in whole seconds"),
                Parameter("location", .text, "the header Location, for a redirect"),
            ],
            "Answers requests with a status and does nothing else."
        ),
        entry(
            "slow",
            main: "route",
            [
                Parameter("route", routeName, required: true, "the requests that are answered late"),
                Parameter("by", .duration, required: true, "how late"),
                Parameter("count", counted, "how many; all"),
            ],
            "Answers requests late."
        ),
        entry("clear", [], "Forgets every rule for answers; what is held stays held."),
    ]

    private static let settings = [
        entry(
            "auth",
            [
                Parameter("accept", .flag, "whether the right key is let in"),
                Parameter("key", .text, "the right key"),
            ],
            "Changes who is let in from now on; connections stay."
        ),
        entry(
            "limit",
            [
                Parameter("count", .integer(0...most), required: true, "messages of one client"),
                Parameter("per", .duration, required: true, "within any stretch of this length; 0s for no limit"),
            ],
            "Changes the rate limit."
        ),
        entry(
            "heartbeat",
            main: "on",
            [
                Parameter("on", .flag, required: true, "whether the server pings"),
                Parameter("every", .duration, "between two pings; the profile's, else 30s"),
            ],
            "Starts or stops the server's own pings."
        ),
        entry(
            "pong",
            main: "on",
            [
                Parameter("on", .flag, required: true, "whether pings are answered")
            ],
            "Answers clients' pings, or does not."
        ),
        entry(
            "clock",
            main: "skew",
            [
                Parameter("skew", .duration, required: true, "how far it is ahead")
            ],
            "Sets the server's clock."
        ),
        entry(
            "restrict",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "which one"),
                Parameter("to", .text, required: true, "the users who belong to it, with blanks between them"),
            ],
            "What others send or upload to a conversation is refused from now on."
        ),
    ]
}
