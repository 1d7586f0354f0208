import ChatWire
import SquallCore

extension Notifications {
    static let registry: [RegistryEntry] = permissions + shown

    private static let permissions: [RegistryEntry] = [
        .observable(
            "permission.state",
            .words(PermissionState.self),
            "The phone's permission to show notifications, as last read by the app."
        ),
        .observable(
            "permission.prompt",
            .flag,
            "Whether the phone shows its prompt, with which the app asks for the permission to show notifications."
        ),
        .event("client.permission_requested", [], "The app has asked for the permission to show notifications."),
        .event(
            "client.prompt_absent",
            [],
            provenance: .injected,
            level: .device,
            "The user cannot answer the phone's prompt, because it is not shown."
        ),
        .observable(
            "permission.banner_text",
            .text,
            "The text of the banner for denied notifications; null if there is no banner."
        ),
        .observable(
            "permission.banner_action",
            .text,
            "The label of the button on the banner for denied notifications; null if there is no banner."
        ),
        .observable(
            "permission.banner_tone",
            .words(Tone.self),
            "The colour of the banner for denied notifications; null if there is no banner."
        ),
        .observable(
            "permission.banner_icon",
            .word(["bell_slash"]),
            "The icon of the banner for denied notifications; null if there is no banner."
        ),
        .observable(
            "permission.banner_label",
            .text,
            "The accessibility label of the banner for denied notifications; null if there is no banner."
        ),
    ]

    private static let shown: [RegistryEntry] = [
        .event(
            "client.push_arrived",
            ["conversation"],
            key: "message",
            provenance: .injected,
            level: .device,
            "A push has reached the phone."
        ),
        .event(
            "client.notified",
            [.list("presentation")],
            key: "message",
            "A notification is shown to the user, in the ways listed in `presentation`."
        ),
        .event(
            "client.notification_suppressed",
            key: "message",
            "A push for the conversation on the screen is not shown as a notification."
        ),
        .event(
            "client.notification_tapped",
            key: "message",
            provenance: .injected,
            level: .device,
            "The user has tapped a notification."
        ),
        .event(
            "client.notification_absent",
            key: "message",
            provenance: .injected,
            level: .device,
            "The user cannot tap or answer the notification: it is not on the phone, or it does not allow replies."
        ),
        .observable("notifications", .list, "The messages whose notifications are on the phone, newest last."),
        .observable("notification.id", .text, key: "message", "The notification's id."),
        .observable("notification.title", .text, key: "message", "The notification's title."),
        .observable("notification.body", .text, key: "message", "The notification's text."),
        .observable(
            "notification.thread",
            .text,
            key: "message",
            "The group to which the notification belongs; null if there is none."
        ),
        .observable(
            "notification.category",
            .text,
            key: "message",
            "The notification's category, which determines its buttons."
        ),
        .observable("notification.actions", .list, key: "message", "The labels of the notification's buttons."),
        .observable(
            "notification.presentation",
            .list,
            key: "message",
            "How the notification was presented: `banner`, `sound`, `badge`; empty if it was suppressed."
        ),
        .observable(
            "notification.summary",
            .text,
            key: "thread",
            "The summary of a group of notifications; null if the group has fewer than two."
        ),
    ]
}
