import SquallCore

// Declarations of the commands for the share extension.

extension ClientCommand {
    static let sharing: [CommandDeclaration] = [
        .init(
            .user,
            "share_message",
            "The user sends a message from another app, through the share extension, which is a process of its own.",
            adapter: nil,
            signedOut: true,
            affects: imageNames + ["shared.waiting", "outbox.count", "saved", "began"],
            text("to", example: "stukov", "The conversation."),
            text("text", example: "look at this", "The message's text; with a file, only the image is sent."),
            optionalText("file", example: "cat.jpg", "The file name of an image to send; default: none."),
            integer("bytes", in: 0...16_777_216, default: 100_000, "The image's size in bytes."),
            name(example: "link")
        ) {
            .shareMessage(SharedDraft(conversation: $0, text: $1, file: $2, bytes: $3), label: $4)
        },
        .init(
            .device,
            "kill_extension",
            "The process of the share extension is killed; a message that it has not saved yet is lost with it.",
            adapter: nil,
            signedOut: true
        ) { .killExtension },
    ]
}
