import ChatWire
import SquallCore

// Accounts and notifications.

extension ClientCommand {
    static let phone: [ActionEntry] = [
        ActionEntry(.user, "leave", [], "goes from the conversation back to the list"),
        ActionEntry(
            .user,
            "sign_in",
            main: "user",
            [
                Parameter("user", .text, required: true, "as whom; who is signed in is signed out first"),
                Parameter("key", .text, "that user's own; the profile's where none is named"),
            ],
            "signs in"
        ),
        ActionEntry(.user, "sign_out", [], "signs out"),
        ActionEntry(.user, "open_settings", [], "taps the button of the banner that says that notifications are off"),
        ActionEntry(
            .user,
            "tap",
            main: "message",
            [Parameter("message", .label, "whose notification; the newest where none is named")],
            "taps a notification, which starts the app where it does not run"
        ),
        ActionEntry(
            .user,
            "reply",
            main: "text",
            takesLabel: true,
            [
                Parameter("text", .text, required: true, "what it says"),
                Parameter("to", .label, "the message whose notification it is; the newest where none is named"),
            ],
            "answers in a notification, without going to the app"
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
                    "the push service's name for the app on this phone; of several phones each its own"
                )
            ],
            "gives the app its push token; from here on pushes reach the phone that the server sends there"
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
                    "whether they are shown; they are where nothing is said"
                )
            ],
            "allows or forbids notifications: at first in answer to the app, later in the phone's settings"
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
