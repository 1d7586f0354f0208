import ChatWire
import SquallCore

extension ServerAction {
    /// The actions that stop and start the server or one of its hosts.
    static let lifecycle = [
        entry("stop", [], "Closes every connection with close code 1001 and stops listening."),
        entry("start", [], "Starts listening again."),
        entry(
            "restart",
            main: "down",
            [
                Parameter("down", .duration, required: true, "the time until the server listens again"),
                Parameter(
                    "state",
                    .word(["keep", "lose"]),
                    "whether the server keeps or loses messages, sessions, read marks, uploads and push tokens; "
                        + "default keep"
                ),
                Parameter(
                    "notice",
                    .duration,
                    "the time from the announcement of the restart to the restart; default: no announcement"
                ),
            ],
            "Closes every connection with close code 1012 and listens again later."
        ),
        entry(
            "crash",
            [
                Parameter(
                    "down",
                    .duration,
                    "the time until the server listens again; default: the server stays down until the action start"
                )
            ],
            "Resets every connection and stops listening. The server's state is kept."
        ),
        entry(
            "vanish",
            [client],
            "Discards sessions and stops responding on their connections, without sending a FIN, an RST or any other "
                + "byte."
        ),
        entry(
            "drain",
            [
                Parameter(
                    "retry_after",
                    .duration,
                    "the delay that the server asks clients to wait before they reconnect; 0s for no delay; default: "
                        + "the profile's"
                ),
                Parameter("notice", .duration, "the time from the announcement to the close; default: the profile's"),
                Parameter("down", .duration, "the time until the server listens again; default: the profile's"),
            ],
            "Announces a shutdown, closes every connection with close code 1001 after the notice, and listens again "
                + "later."
        ),
        entry(
            "down",
            main: "host",
            [Parameter("host", .text, required: true, "the server's host name, as used by clients")],
            "Stops one of several hosts, which closes its connections with close code 1001 and refuses new ones. Other "
                + "hosts are not affected."
        ),
        entry(
            "up",
            main: "host",
            [Parameter("host", .text, required: true, "the server's host name, as used by clients")],
            "Starts a host that is down: the host accepts connections again."
        ),
        entry(
            "fail_prompt",
            main: "conversation",
            [Parameter("conversation", .text, required: true, "the conversation")],
            "Makes the prompt in progress in a conversation end with an error."
        ),
    ]
}
