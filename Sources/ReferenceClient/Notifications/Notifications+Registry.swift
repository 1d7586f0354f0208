import ChatWire
import SquallCore

extension Notifications {
    static let registry: [RegistryEntry] = permissions + shown

    private static let permissions: [RegistryEntry] = [
        .observable(
            "permission.state",
            .words(PushPermission.self),
            "Whether the phone lets the app notify, as the app has read it."
        ),
        .observable("permission.banner_text", .text, "What is told where it does not; null for nothing."),
        .observable("permission.banner_action", .text, "What the banner's button says; null for no banner."),
        .observable("permission.banner_tone", .words(Tone.self), "The banner's colour; null for no banner."),
        .observable("permission.banner_icon", .word(["bell_slash"]), "The banner's sign; null for no banner."),
        .observable("permission.banner_label", .text, "What a screen reader says of it; null for no banner."),
        .observable("permission.banner_animated", .flag, "Whether it appears gently; null for no banner."),
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
            "A notification is shown, and in which ways."
        ),
        .event(
            "client.notification_suppressed",
            key: "message",
            "A push was about the conversation on the screen, and is not shown."
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
            "The user was to tap or answer a notification that is not on the phone, or takes no answer."
        ),
        .observable("notifications", .list, "The messages of the notifications on the phone, the newest last."),
        .observable("notification.id", .text, key: "message", "The notification's id."),
        .observable("notification.title", .text, key: "message", "Its title."),
        .observable("notification.body", .text, key: "message", "Its text."),
        .observable("notification.thread", .text, key: "message", "The group that it is of; null for none."),
        .observable("notification.category", .text, key: "message", "Its kind, which decides its buttons."),
        .observable("notification.actions", .list, key: "message", "What its buttons say."),
        .observable(
            "notification.presentation",
            .list,
            key: "message",
            "How the user was told: banner, sound, badge; empty for not at all."
        ),
        .observable(
            "notification.summary",
            .text,
            key: "thread",
            "What a group of several notifications says; null for fewer than two."
        ),
    ]
}
