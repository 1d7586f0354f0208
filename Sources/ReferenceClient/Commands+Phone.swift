import ChatWire
import SquallCore

// The actions and commands of accounts and notifications.

extension ClientCommand {
    static let phone: [ActionEntry] = [
        ActionEntry(.user, "leave", [], "leaves the conversation and returns to the list"),
        ActionEntry(
            .user,
            "sign_in",
            main: "user",
            [
                Parameter(
                    "user",
                    .text,
                    required: true,
                    "the user's name; a user who is signed in is signed out first"
                ),
                Parameter("key", .text, "the user's key; the profile's by default"),
            ],
            "signs in"
        ),
        ActionEntry(.user, "sign_out", [], "signs out"),
        ActionEntry(.user, "open_settings", [], "taps the button of the banner about disabled notifications"),
        ActionEntry(
            .user,
            "tap",
            main: "message",
            [Parameter("message", .label, "the label of the notification's message; the newest by default")],
            "taps a notification, which starts the app if it is not running"
        ),
        ActionEntry(
            .user,
            "reply",
            main: "text",
            takesLabel: true,
            [
                Parameter("text", .text, required: true, "the reply's text"),
                Parameter("to", .label, "the label of the notification's message; the newest by default"),
            ],
            "replies from a notification, without opening the app"
        ),
        ActionEntry(
            .device,
            "token",
            main: "token",
            [
                Parameter(
                    "token",
                    .text,
                    required: true,
                    "the push token, which must be different for each phone"
                )
            ],
            "gives the app its push token; from then on the phone receives the pushes sent to it"
        ),
        ActionEntry(
            .device,
            "permission",
            main: "notifications",
            [
                Parameter(
                    "notifications",
                    .word(PushPermission.allCases.map(\.rawValue)),
                    required: true,
                    "whether notifications are shown; they are allowed by default"
                )
            ],
            "allows or forbids notifications: first in reply to the app's request, later in the phone's settings"
        ),
    ]

    static func phone(_ actor: Actor, _ verb: String, _ arguments: Arguments) -> ClientCommand? {
        switch (actor, verb) {
        case (.user, "leave"): .leave
        case (.user, "sign_in"): arguments.text("user").map { .signIn(user: $0, key: arguments.text("key")) }
        case (.user, "sign_out"): .signOut
        case (.user, "open_settings"): .openSettings
        case (.user, "tap"): .tap(label: arguments.text("message"), push: nil)
        case (.user, "reply"):
            arguments.text("text").map {
                .reply(to: arguments.text("to"), text: $0, label: arguments.label, push: nil)
            }
        case (.device, "token"): arguments.text("token").map { .token($0) }
        case (.device, "permission"):
            arguments.text("notifications").flatMap { PushPermission(rawValue: $0) }.map { .permission($0) }
        default: nil
        }
    }
}
