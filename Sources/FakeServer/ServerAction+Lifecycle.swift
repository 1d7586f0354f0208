import ChatWire
import Faults
import SquallCore

// Declarations of the actions that stop and start the server or one of its hosts, that end connections, and that change
// the server's settings.

extension ServerAction {
    private enum RestartState: String, CaseIterable { case keep, lose }

    static let lifecycle: [ServerActionDeclaration] = [
        .init("stop", "Closes every connection with close code 1001 and stops listening.") { .stop },
        .init("start", "Starts listening again.") { .start },
        .init(
            "restart",
            main: "down",
            "Closes every connection with close code 1012 and listens again later.",
            duration("down", "the time until the server listens again"),
            word(
                "state",
                of: RestartState.allCases,
                default: .keep,
                "whether the server keeps or loses messages, sessions, read marks, uploads and push tokens"
            ),
            duration(
                "notice",
                "the time from the announcement of the restart to the restart; default: no announcement"
            ).optional
        ) { .restart(down: $0, keeping: $1 == .keep, notice: $2) },
        .init(
            "crash",
            "Resets every connection and stops listening. The server's state is kept.",
            duration(
                "down",
                "the time until the server listens again; default: the server stays down until the action start"
            ).optional
        ) { .crash(down: $0) },
        .init(
            "vanish",
            "Discards sessions and stops responding on their connections, without sending a FIN, an RST or any other "
                + "byte.",
            client
        ) { .vanish(client: $0) },
        .init(
            "drain",
            "Announces a shutdown, closes every connection with close code 1001 after the notice, and listens again "
                + "later.",
            duration(
                "retry_after",
                "the delay that the server asks clients to wait before they reconnect; 0s for no delay; default: the "
                    + "profile's"
            ).optional,
            duration("notice", "the time from the announcement to the close; default: the profile's").optional,
            duration("down", "the time until the server listens again; default: the profile's").optional
        ) { .drain(retryAfter: $0, notice: $1, down: $2) },
        .init(
            "down",
            main: "host",
            "Stops one of several hosts, which closes its connections with close code 1001 and refuses new ones. Other "
                + "hosts are not affected.",
            text("host", "the server's host name, as used by clients")
        ) { .down(host: $0) },
        .init(
            "up",
            main: "host",
            "Starts a host that is down: the host accepts connections again.",
            text("host", "the server's host name, as used by clients")
        ) { .up(host: $0) },
        .init(
            "fail_prompt",
            main: "conversation",
            "Makes the prompt in progress in a conversation end with an error.",
            text("conversation", "the conversation")
        ) { .failPrompt(conversation: $0) },
    ]

    static let connections: [ServerActionDeclaration] = [
        .init(
            "close",
            main: "code",
            "Starts the WebSocket closing handshake.",
            integer("code", in: 1000...4999, "the close code"),
            text("reason", "the close reason").optional,
            client
        ) { .close(code: UInt16(clamping: $0), reason: $1 ?? "", client: $2) },
        .init(
            "disconnect",
            main: "how",
            "Ends connections without a close frame.",
            word("how", of: LinkEnd.allCases, "how connections are closed: fin or rst"),
            client
        ) { .disconnect($0, client: $1) },
    ]

    static let settings: [ServerActionDeclaration] = [
        .init(
            "auth",
            "Changes which logins are accepted from now on. Existing connections are not affected.",
            flag("accept", "whether the correct key is accepted").optional,
            text("key", "the correct key").optional
        ) { accept, key in (key.map { .key($0) } ?? accept.map { .accept($0) }).map { .auth($0) } },
        .init(
            "limit",
            "Changes the limit on the rate of each client's messages.",
            integer("count", in: 0...most, "the maximum number of messages per client"),
            duration("per", "the length of the sliding window; 0s for no limit")
        ) { .limit(count: $0, per: $1) },
        .init(
            "heartbeat",
            main: "on",
            "Starts or stops sending heartbeat pings.",
            flag("on", "whether the server pings"),
            duration("every", "the interval between pings; default: the profile's, or 30s").optional
        ) { .heartbeat(on: $0, every: $1) },
        .init(
            "pong",
            main: "on",
            "Starts or stops answering clients' pings.",
            flag("on", "whether pings are answered")
        ) { .pong(on: $0) },
        .init(
            "clock",
            main: "skew",
            "Runs with the given clock skew from now on.",
            ActionParameter("skew", .duration, "the time by which the server's clock is ahead", \.duration)
        ) { .clock(skew: $0) },
        .init(
            "restrict",
            main: "conversation",
            "Restricts a conversation to its members: messages and uploads from other users are rejected from now on.",
            text("conversation", "the conversation"),
            names("to", "the names of the members, separated by spaces")
        ) { .restrict(conversation: $0, users: $1) },
    ]
}
