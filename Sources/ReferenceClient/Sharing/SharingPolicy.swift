/// How the share extension leaves messages for the app, and how the app takes them over.
package struct SharingPolicy: Hashable, Sendable {
    /// When the app looks for messages from the share extension: whenever there may be new ones, or only at launch.
    package enum Looking: Hashable, Sendable { case always, atLaunch }
    /// The process that sends the extension's messages: only the app, or both the app and the extension.
    package enum Sending: Hashable, Sendable { case isTheApps, isBoths }
    /// The ID with which the app sends a message: the ID that the extension has chosen, or a new ID. With a new ID, a
    /// message that the app reads twice is also stored twice by the server.
    package enum Key: Hashable, Sendable { case isTheExtensions, isNew }
    /// When the app removes a message from the container: once the message is in the outbox on disk, or earlier.
    package enum Removal: Hashable, Sendable { case onceStored, atOnce }
    /// What the extension writes first: the image's file, or the message that refers to it.
    package enum Order: Hashable, Sendable { case fileFirst, messageFirst }

    package var looking = Looking.always
    package var sending = Sending.isTheApps
    package var key = Key.isTheExtensions
    package var removal = Removal.onceStored
    package var order = Order.fileFirst

    static let defects: [Defect] = [
        Defect(
            "sharedFoundAtLaunch",
            ["WS-21h"],
            "messages from the share extension are sent only after the next launch of the app",
            policy: { $0.sharing.looking = .atLaunch }
        ),
        Defect(
            "sharedSentByBoth",
            ["WS-21h"],
            "the share extension sends its messages itself, and the app sends them too",
            policy: { $0.sharing.sending = .isBoths }
        ),
        Defect(
            "sharedTakenTwice",
            ["WS-21h"],
            "a message of the share extension that the app finds twice is sent twice",
            policy: { $0.sharing.key = .isNew }
        ),
        Defect(
            "sharedRemovedFirst",
            ["WS-21h"],
            "a message of the share extension is removed before the outbox has it on disk, so that a kill loses it",
            policy: { $0.sharing.removal = .atOnce }
        ),
        Defect(
            "sharedBeforeItsFile",
            ["WS-21h"],
            "the share extension saves a message before its image, so that the app may find it without the image",
            policy: { $0.sharing.order = .messageFirst }
        ),
    ]
}
