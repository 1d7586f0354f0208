import ScenarioModel
import SquallCore

/// Moves (steps) that lead to a state that random moves rarely reach. A run performs them before its random moves.
struct Prologue: Sendable {
    enum Step: Sendable {
        /// An action with the given arguments. Missing required arguments are drawn at random.
        case act(Actor, String, [(name: String, value: ArgumentValue)])
        case rest(TimeSpan)
    }

    let name: String
    /// Profile values that make it easier to reach the state.
    var settings: [Draft.Setting] = []
    let steps: [Step]

    static let all: [Prologue] = [
        Prologue(
            name: "polling",
            settings: [
                Draft.Setting("reconnect.max_attempts", .integer(2)),
                Draft.Setting("reconnect.on_exhausted", .text("poll")),
            ],
            steps: [
                .rest(.seconds(1)), .act(.network, "upgrade_status", [("status", .integer(503))]),
                .act(.network, "drop", []), .rest(.seconds(20)),
            ]
        ),
        Prologue(
            name: "given up",
            settings: [
                Draft.Setting("reconnect.max_attempts", .integer(2)),
                Draft.Setting("reconnect.on_exhausted", .text("stop")),
            ],
            steps: [
                .rest(.seconds(1)), .act(.network, "refuse", []), .act(.network, "drop", []), .rest(.seconds(20)),
            ]
        ),
        Prologue(
            name: "messages without a network",
            steps: [
                .rest(.seconds(1)), .act(.device, "network", [("state", .text("off"))]), send, send,
                .rest(.seconds(1)),
            ]
        ),
        Prologue(name: "messages in flight", steps: [.rest(.seconds(1)), swallow("confirm", 2), send, send]),
        Prologue(
            name: "notifications in the background",
            steps: [token, .rest(.seconds(1)), .act(.device, "background", []), post, post, .rest(.seconds(1))]
        ),
        Prologue(
            name: "notifications without a process",
            steps: [token, .rest(.seconds(1)), .act(.device, "kill", []), post, .rest(.seconds(1))]
        ),
        Prologue(
            name: "a long conversation",
            settings: [Draft.Setting("history.page", .integer(5))],
            steps: [
                history(40), open, .rest(.seconds(2)), .act(.user, "scroll", [("to", .text("start"))]),
                .rest(.milliseconds(500)),
            ]
        ),
        Prologue(
            name: "two conversations with slow pages",
            steps: [
                history(12), .rest(.seconds(1)),
                .act(.server, "slow", [("route", .text("messages")), ("by", .duration(.seconds(1)))]), open, open,
            ]
        ),
        Prologue(
            name: "an account",
            steps: [account(0), token, .rest(.seconds(1)), signIn(0), .rest(.seconds(1))]
        ),
        Prologue(
            name: "two accounts on one phone",
            steps: [
                account(0), account(1), token, .rest(.seconds(1)), signIn(0), .rest(.seconds(1)), post, open,
                .rest(.seconds(1)), .act(.user, "sign_out", []), signIn(1),
            ]
        ),
        Prologue(name: "a message to delete", steps: [open, send, .rest(.seconds(1)), delete]),
        Prologue(
            name: "a deletion",
            steps: [open, send, .rest(.seconds(1)), delete, .act(.user, "confirm_delete", [])]
        ),
        Prologue(
            name: "a deletion that has been sent",
            steps: [open, send, .rest(.seconds(1)), delete, .act(.user, "confirm_delete", []), .rest(.seconds(6))]
        ),
        Prologue(name: "an image in the preview", steps: [open, .rest(.seconds(1)), attach]),
        Prologue(
            name: "an image on its way",
            steps: [open, .rest(.seconds(1)), attach, .act(.user, "send_image", []), .rest(.milliseconds(20))]
        ),
        Prologue(
            name: "a file on its way",
            steps: [
                .rest(.seconds(1)),
                .act(.network, "bandwidth", [("rate", .integer(8_000)), ("stream", .text("upstream"))]),
                .act(.user, "share", [("file", .text("film.mov")), ("bytes", .integer(80_000))]),
                .rest(.seconds(3)),
            ]
        ),
        Prologue(
            name: "unread messages",
            steps: [open, .rest(.seconds(1)), post, post, post, .rest(.seconds(1))]
        ),
        Prologue(
            name: "a server of two that is down",
            settings: [
                Draft.Setting("server.hosts", .text("chat.test spare.test")),
                Draft.Setting("connect.other_hosts", .text("spare.test")),
            ],
            steps: [.rest(.seconds(1)), .act(.server, "down", [("host", .text("chat.test"))])]
        ),
        Prologue(
            name: "an announced shutdown",
            steps: [.rest(.seconds(1)), swallow("confirm", 1), send, .act(.server, "drain", [])]
        ),
        Prologue(
            name: "a prompt in progress",
            settings: [Draft.Setting("server.work.span", .duration(.seconds(8)))],
            steps: [open, .rest(.seconds(1)), send, .rest(.milliseconds(300))]
        ),
        Prologue(
            name: "a locked screen",
            steps: [token, open, .rest(.seconds(1)), .act(.device, "lock", []), post, .rest(.seconds(1))]
        ),
        Prologue(
            name: "a full disk",
            steps: [open, .rest(.seconds(1)), .act(.device, "disk", [("state", .text("full"))]), send, post]
        ),
        Prologue(
            name: "a streamed message in progress",
            steps: [
                open, .rest(.seconds(1)),
                .act(.server, "stream", [("pieces", .integer(6)), ("every", .duration(.milliseconds(400)))]),
                .rest(.milliseconds(900)),
            ]
        ),
        Prologue(
            name: "a rate limit that holds messages back",
            steps: [
                open, .rest(.seconds(1)),
                .act(.server, "limit", [("count", .integer(1)), ("per", .duration(.seconds(5)))]), send, send, send,
                .rest(.milliseconds(300)),
            ]
        ),
        Prologue(
            name: "a captive portal",
            steps: [open, .rest(.seconds(1)), .act(.network, "captive_portal", []), send, .rest(.seconds(5))]
        ),
        Prologue(
            name: "a refresh in progress",
            steps: [
                history(8), open, .rest(.seconds(1)),
                .act(.server, "slow", [("route", .text("messages")), ("by", .duration(.seconds(2)))]),
                .act(.user, "refresh", []), .rest(.milliseconds(500)),
            ]
        ),
        Prologue(
            name: "a half-open connection",
            steps: [open, .rest(.seconds(1)), .act(.network, "half_open", []), send, post, .rest(.seconds(3))]
        ),
    ]

    // MARK: - Steps

    private static let open = Step.act(.user, "open", [])
    private static let send = Step.act(.user, "send", [])
    private static let delete = Step.act(.user, "delete", [])
    private static let post = Step.act(.server, "post", [])
    private static let token = Step.act(.device, "token", [("token", .text("phone-1"))])
    private static let attach = Step.act(
        .user,
        "attach",
        [("file", .text("photo.jpg")), ("bytes", .integer(60_000))]
    )

    private static func swallow(_ frame: String, _ count: Int64) -> Step {
        .act(.server, "swallow", [("frame", .text(frame)), ("count", .integer(count))])
    }

    private static func history(_ count: Int64) -> Step { .act(.server, "history", [("count", .integer(count))]) }

    private static func account(_ number: Int) -> Step {
        .act(
            .server,
            "account",
            [("user", .text(ValueSets.users[number])), ("key", .text(ValueSets.userKeys[number]))]
        )
    }

    private static func signIn(_ number: Int) -> Step {
        .act(
            .user,
            "sign_in",
            [("user", .text(ValueSets.users[number])), ("key", .text(ValueSets.userKeys[number]))]
        )
    }
}
