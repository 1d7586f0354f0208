import SquallCore

extension Outbox {
    static let registry: [RegistryEntry] = [
        .observable("outbox.count", .integer, "The number of the user's messages that the server has not confirmed."),
        .observable("outbox.header_text", .text, "The header's text about queued messages; null if none are queued."),
        .event(
            "client.accepted",
            ["conversation", "label"],
            key: "message",
            "The client has accepted a message from the user; from now on the message must not be lost."
        ),
    ]
}
