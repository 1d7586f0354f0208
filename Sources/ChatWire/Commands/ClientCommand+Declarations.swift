import SquallCore

// Declarations of the commands for accounts, notifications, reading and images.

extension ClientCommand {
    static let account: [CommandDeclaration] = [
        .init(.user, "leave", "The user leaves the conversation and returns to the list.") { .leave },
        .init(
            .user,
            "sign_in",
            "The user signs in; another user who is signed in is signed out first.",
            signedOut: true,
            text("user", example: "anna", "The user's name."),
            optionalText("key", example: "key-of-anna", "The user's key; default: the key in the profile.")
        ) { .signIn(user: $0, key: $1) },
        .init(.user, "sign_out", "The user signs out.", signedOut: true) { .signOut },
        .init(
            .user,
            "open_settings",
            "The user taps the button of the banner about disabled notifications, which leads to the phone's settings.",
            signedOut: true
        ) { .openSettings },
        .init(
            .user,
            "tap",
            "The user taps a notification, which starts the app if it is not running.",
            main: "message",
            fills: pushFields,
            optionalLabel("message", "The label of the notification's message; the newest by default.")
        ) { .tap(label: $0, push: nil) },
        .init(
            .user,
            "reply",
            "The user replies from a notification, without opening the app.",
            fills: pushFields,
            text("text", field: "reply", example: "yes", "The reply's text."),
            name(example: "answer"),
            optionalLabel("to", "The label of the notification's message; the newest by default.")
        ) { .reply(to: $2, text: $0, label: $1, push: nil) },
        .init(
            .device,
            "token",
            "The phone's push service gives the app its token; from then on the phone receives the pushes sent to it.",
            signedOut: true,
            text("token", example: "phone-1", "The push token, which must be different for each phone.")
        ) { .token($0) },
        .init(
            .device,
            "permission",
            "The user allows or forbids notifications: first in reply to the app's request, later in the phone's "
                + "settings.",
            signedOut: true,
            word(
                "notifications",
                of: PushPermission.self,
                "Whether the user allows notifications; by default, notifications are allowed."
            )
        ) { .permission($0) },
        .init(
            .user,
            "answer_prompt",
            "The user answers the phone's prompt, with which the app asks for the permission to show notifications.",
            adapter: nil,
            signedOut: true,
            word("answer", of: PushPermission.self, "Whether the user allows notifications.")
        ) { .answerPrompt($0) },
        .init(
            nil,
            "push",
            "A push reaches the phone while the app runs.",
            note: "The push is not delivered over the client's connections.",
            signedOut: true,
            fills: pushFields
        ) { nil },
    ]

    static let reading: [CommandDeclaration] = [
        .init(
            .user,
            "scroll",
            "The user scrolls the open conversation.",
            scrollTarget(
                "to",
                "The message to show first; `start` for the oldest loaded message, `end` for the end of the list."
            )
        ) { .scroll(to: $0) },
        .init(.user, "load_earlier", "The user taps the control above the oldest message.") { .loadEarlier },
        .init(
            .user,
            "take_suggestion",
            "The user copies a suggestion of an empty conversation into the input field.",
            integer("number", in: 1...1_000, "The number of the suggestion, from 1.")
        ) { .takeSuggestion($0) },
        .init(
            .user,
            "jump",
            "The user taps a quoted message, which is then shown first; older pages are loaded until it is found.",
            message("The quoted message.")
        ) { .jump(message: $0) },
        .init(.user, "open_list", "The user opens the list of conversations.") { .openList },
        .init(
            .user,
            "see",
            "The user scrolls a message of the open conversation to the screen's lower edge.",
            adapter: nil,
            message("The message.")
        ) { .see(message: $0) },
        .init(
            .user,
            "long_press",
            "The user long-presses a message, which shows its exact time and its menu.",
            adapter: nil,
            message("The message.")
        ) { .longPress(message: $0) },
        .init(
            .user,
            "forge_reading",
            "The client sends a forged request that marks a conversation as read by another user.",
            adapter: nil,
            conversation,
            text("of", example: "anna", "The user to be recorded as the reader.")
        ) { .forgeReading(conversation: $0, user: $1) },
        .init(
            .device,
            "appear",
            "A conversation's view appears on the screen; opening a conversation implies it.",
            conversation
        ) { .appear(conversation: $0) },
        .init(
            .device,
            "disappear",
            "A conversation's view leaves the screen, possibly after the next one has appeared.",
            conversation
        ) { .disappear(conversation: $0) },
    ]

    static let images: [CommandDeclaration] = [
        .init(
            .user,
            "attach",
            "The user takes or picks an image, which the preview then shows.",
            adapter: nil,
            affects: imageNames,
            text("file", example: "cat.jpg", "The image's file name."),
            integer("bytes", in: 0...16_777_216, "The size in bytes."),
            word("from", of: ChosenImage.Source.self, default: .library, "The image's source."),
            integer("width", in: 1...65_535, default: 1200, "The width in pixels."),
            integer("height", in: 1...65_535, default: 900, "The height in pixels."),
            optionalText("to", example: "stukov", "The conversation; the open one by default.")
        ) {
            .attach(ChosenImage(file: $0, source: $2, bytes: $1, width: $3, height: $4, conversation: $5))
        },
        .init(
            .user,
            "cancel_image",
            "The user closes the preview; the image is not sent.",
            adapter: nil,
            affects: imageNames
        ) { .cancelImage },
        .init(
            .user,
            "send_image",
            "The user sends the image in the preview.",
            adapter: nil,
            affects: imageNames,
            name(example: "cat")
        ) { .sendImage(label: $0) },
        .init(
            .user,
            "delete",
            "The user chooses delete in a message's menu; the client asks for confirmation.",
            adapter: nil,
            affects: ["dialog.text", "dialog.actions", "dialog.tone"],
            message("The message."),
            optionalMessage(
                "through",
                "The last message, to select a range; those that cannot be deleted are left out."
            )
        ) { .delete(message: $0, through: $1) },
        .init(.user, "confirm_delete", "The user confirms the deletion.", adapter: nil) { .confirmDelete },
        .init(.user, "cancel_delete", "The user cancels the deletion.", adapter: nil) { .cancelDelete },
        .init(
            .user,
            "undo",
            "The user undoes the deletion of a message.",
            adapter: nil,
            message("The message.")
        ) { .undo(message: $0) },
    ]
}
