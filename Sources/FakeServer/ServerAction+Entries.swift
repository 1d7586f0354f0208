import ChatWire
package import SquallCore

extension ServerAction {
    /// The server's actions, as used by the parser, the schema and the documentation.
    package static let actions: [ActionEntry] = messages + lifecycle + connections + answers + settings + people

    /// The maximum number of messages, responses or requests that one action can specify.
    static let most: Int64 = 100_000
    private static let counted = ParameterKind.integer(1...most)
    static let client = Parameter("client", .text, "the client; default: all clients")
    private static let serverFrame = ParameterKind.word(FrameRole.fromServer.map(\.rawValue))
    private static let clientFrame = ParameterKind.word(FrameRole.fromClient.map(\.rawValue))

    private static let ruleSubject = ParameterKind.word(
        FrameRole.fromClient.map(\.rawValue) + [RequestRule.opening]
    )

    private static let statuses = ParameterKind.word(PresenceStatus.allCases.map(\.rawValue))
    private static let routeName = ParameterKind.word(ServerRoute.all.map(\.word))

    static func entry(
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
                Parameter("to", .text, required: true, "the name of the conversation"),
                Parameter("count", counted, "the number of messages; default 1"),
                Parameter(
                    "text",
                    .text,
                    "the text of each message; default: a text that contains the message's number"
                ),
                Parameter(
                    "sender",
                    .text,
                    "the user who sends the messages; default: the user with the conversation's name"
                ),
                Parameter("media", .text, "the media type of each message: image, or an unknown type; default: none"),
                Parameter("bytes", .integer(1...16_777_216), "the size of each image in bytes; default 100000"),
                Parameter("width", .integer(1...65_535), "the image's width in pixels; default 1200"),
                Parameter("height", .integer(1...65_535), "the image's height in pixels; default 900"),
                Parameter("every", .duration, "the interval between messages; default 0s"),
            ],
            "Stores messages and sends them to every client. Several messages are labelled label-1, label-2 and so on."
        ),
        entry(
            "history",
            [
                Parameter("conversation", .text, required: true, "the conversation of the messages"),
                Parameter("count", counted, required: true, "the number of messages"),
                Parameter("age", .duration, "the age of the newest message; each earlier one is 1s older; default 24h"),
            ],
            "Stores messages without sending them, as if they had been sent before the run."
        ),
        entry(
            "stream",
            takesLabel: true,
            [
                Parameter("conversation", .text, required: true, "the conversation"),
                Parameter("text", .text, required: true, "the whole message"),
                Parameter("pieces", counted, "the number of tokens, at most one per character; default 4"),
                Parameter("every", .duration, "the interval between tokens; default 100ms"),
            ],
            "Writes a message token by token, then stores and sends it."
        ),
        entry(
            "type",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "the conversation"),
                Parameter("user", .text, "the user who types; default: the user with the conversation's name"),
                Parameter("active", .flag, "whether typing begins or ends; default yes"),
            ],
            "Notifies every client that a user begins or stops typing."
        ),
        entry(
            "presence",
            [
                Parameter("user", .text, required: true, "the user"),
                Parameter("status", statuses, required: true, "the user's new status"),
                Parameter("text", .text, "the status text"),
            ],
            "Sets a user's presence and sends it to every client."
        ),
        entry(
            "identify",
            [
                Parameter("client", .text, required: true, "the client"),
                Parameter("user", .text, required: true, "the user; several clients may act for one user"),
            ],
            "Assigns a client to a user, as one of the user's devices."
        ),
        entry(
            "group",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "the group's conversation"),
                Parameter("members", .text, required: true, "the members' names, separated by spaces"),
            ],
            "Turns a conversation into a group; the `agents` route lists its members."
        ),
        entry(
            "error",
            main: "code",
            [
                Parameter("code", .text, required: true, "the error code; it may be a code that clients do not know"),
                Parameter("message", .text, "the error's text; default: the code"),
                Parameter("retry_after", .duration, "the delay that the error requests"),
                client,
            ],
            "Sends an error that does not answer any request."
        ),
        entry(
            "say",
            main: "json",
            takesLabel: true,
            [
                Parameter("json", .json, "the frame to send, without changes; a label becomes its `message_id`"),
                Parameter("text", .text, "the text to send instead of a frame; it need not be JSON"),
                client,
            ],
            "Sends a WebSocket text message with any content."
        ),
        entry(
            "binary",
            main: "bytes",
            [
                Parameter("bytes", .text, required: true, "the bytes in hexadecimal"),
                client,
            ],
            "Sends a WebSocket binary message, which the chat protocol does not use."
        ),
        entry(
            "introduce",
            main: "id",
            [
                Parameter("id", .text, required: true, "the user's id, which is also the conversation's"),
                Parameter("name", .text, "the display name; default: the id"),
                Parameter("status", statuses, "the user's status; default online"),
                Parameter("about", .text, "a one-line description of the user"),
                Parameter("last_seen", .duration, "the time since the user was last online, at the start of the run"),
            ],
            "Adds a user to the users that the `agents` route lists, even if no message exists yet."
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
            "Starts the WebSocket closing handshake."
        ),
        entry(
            "disconnect",
            main: "how",
            [
                Parameter("how", .word(["fin", "rst"]), required: true, "how connections are closed: fin or rst"),
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
                Parameter("frame", serverFrame, required: true, "the type of the frames that are not sent"),
                Parameter("count", counted, "the number of frames; default 1"),
                client,
            ],
            "Processes requests as usual but does not send the next frames of a type."
        ),
        entry(
            "delay",
            main: "frame",
            [
                Parameter("frame", serverFrame, required: true, "the type of the frames that are sent late"),
                Parameter("by", .duration, required: true, "the delay"),
                Parameter("count", counted, "the number of frames; default: all"),
                client,
            ],
            "Sends frames of a type late, so that other frames overtake them."
        ),
        entry(
            "duplicate",
            main: "frame",
            [
                Parameter("frame", serverFrame, required: true, "the type of the frames that are sent twice"),
                Parameter("count", counted, "the number of frames; default 1"),
                client,
            ],
            "Sends the next frames of a type twice."
        ),
        entry(
            "hold",
            main: "frame",
            takesLabel: true,
            [
                Parameter("frame", serverFrame, "the type of the frames that are held"),
                Parameter("route", routeName, "the requests whose responses are held, instead of a frame"),
                client,
            ],
            "Holds frames of a type, or responses of a route, until they are released by label. The default label is "
                + "the name of the frame type or route."
        ),
        entry(
            "release",
            main: "label",
            [
                Parameter("label", .text, required: true, "the label of the hold"),
                Parameter(
                    "order",
                    .json,
                    "the order in which they are sent: kept, reversed, or the positions (from 0) to send first; "
                        + "default kept"
                ),
            ],
            "Sends the frames or responses that are held under the label and ends the hold."
        ),
        entry(
            "reject",
            main: "frame",
            [
                Parameter("frame", clientFrame, required: true, "the type of the frames that are rejected"),
                Parameter("code", .text, required: true, "the error code"),
                Parameter("message", .text, "the error's text; default: the code"),
                Parameter("count", counted, "the number of frames; default 1"),
                client,
            ],
            "Answers frames of a type with an error and does not process them."
        ),
        entry(
            "rule",
            takesLabel: true,
            [
                Parameter("on", ruleSubject, "the type of the frames that are answered, or the opening of a WebSocket"),
                Parameter(
                    "match",
                    .json,
                    "the pattern of the messages that are answered, instead of a frame type: JSON, or text with "
                        + "placeholders"
                ),
                Parameter(
                    "reply",
                    .json,
                    "the frame to reply with; {name} is replaced by the member of the client's frame, or the "
                        + "placeholder of 'match', with that name"
                ),
                Parameter(
                    "replies",
                    .json,
                    "several frames to reply with, each { frame: …, after_ms: 120 } or { text: … }"
                ),
                Parameter("count", counted, "the number of frames; default: all"),
                client,
            ],
            "Answers frames of a type with the given frames and does not process them."
        ),
        entry(
            "respond",
            takesLabel: true,
            [
                Parameter(
                    "request",
                    .text,
                    required: true,
                    "the method and target of the requests that are answered, such as GET /prices?symbol={symbol}"
                ),
                Parameter("match", .json, "the pattern of the requests' body: JSON, or text with placeholders"),
                Parameter("status", .integer(200...599), "the HTTP status; default 200"),
                Parameter("headers", .json, "the header fields of the response, as an object of strings"),
                Parameter(
                    "body",
                    .json,
                    "the body of the response; {name} is replaced by the placeholder of 'request' or 'match', or the "
                        + "member of the request's JSON body, with that name"
                ),
                Parameter("after", .duration, "the delay of the response; default 0s"),
                Parameter("count", counted, "the number of requests; default: all"),
                client,
            ],
            "Answers HTTP requests with the given response and does not process them."
        ),
        entry(
            "fail",
            main: "route",
            [
                Parameter("route", routeName, required: true, "the requests that fail"),
                Parameter("status", .integer(300...599), required: true, "the HTTP status"),
                Parameter("nth", counted, "the number of the only request that fails, counted from now"),
                Parameter("count", counted, "the number of requests that fail; default: all"),
                Parameter("retry_after", .duration, "the Retry-After header, in whole seconds"),
                Parameter("location", .text, "the Location header, for a redirect"),
            ],
            "Answers requests with an HTTP status and does not process them."
        ),
        entry(
            "slow",
            main: "route",
            [
                Parameter("route", routeName, required: true, "the requests whose responses are delayed"),
                Parameter("by", .duration, required: true, "the delay"),
                Parameter("count", counted, "the number of requests; default: all"),
            ],
            "Delays the responses to requests."
        ),
        entry("clear", [], "Removes every rule for frames and requests. Held frames and responses stay held."),
    ]

    private static let settings = [
        entry(
            "auth",
            [
                Parameter("accept", .flag, "whether the correct key is accepted"),
                Parameter("key", .text, "the correct key"),
            ],
            "Changes which logins are accepted from now on. Existing connections are not affected."
        ),
        entry(
            "limit",
            [
                Parameter("count", .integer(0...most), required: true, "the maximum number of messages per client"),
                Parameter("per", .duration, required: true, "the length of the sliding window; 0s for no limit"),
            ],
            "Changes the limit on the rate of each client's messages."
        ),
        entry(
            "heartbeat",
            main: "on",
            [
                Parameter("on", .flag, required: true, "whether the server pings"),
                Parameter("every", .duration, "the interval between pings; default: the profile's, or 30s"),
            ],
            "Starts or stops sending heartbeat pings."
        ),
        entry(
            "pong",
            main: "on",
            [
                Parameter("on", .flag, required: true, "whether pings are answered")
            ],
            "Starts or stops answering clients' pings."
        ),
        entry(
            "clock",
            main: "skew",
            [
                Parameter("skew", .duration, required: true, "the time by which the server's clock is ahead")
            ],
            "Runs with the given clock skew from now on."
        ),
        entry(
            "restrict",
            main: "conversation",
            [
                Parameter("conversation", .text, required: true, "the conversation"),
                Parameter("to", .text, required: true, "the names of the members, separated by spaces"),
            ],
            "Restricts a conversation to its members: messages and uploads from other users are rejected from now on."
        ),
    ]
}
