import SquallCore

/// What is told of a foreign client beside what every client shows.
enum ForeignRegistry {
    static let entries: [RegistryEntry] = [
        RegistryEntry(
            .event,
            "client.refused",
            .fields(["command", "code", .flag("definite"), "text"], measured: []),
            key: "message",
            parity: .log,
            level: .commands,
            "The client has not done what it was asked for; definite says whether that is certain."
        ),
        RegistryEntry(
            .event,
            "client.log",
            .fields(["text"], measured: ["text"]),
            parity: .measured,
            "A line that the client wants in the report."
        ),
        RegistryEntry(
            .event,
            "network.upstream.failed",
            .fields(["failure"], measured: []),
            provenance: .observed,
            parity: .unordered,
            level: .wire,
            "Your own server could not be reached."
        ),
        RegistryEntry(
            .observable,
            "link.state",
            .word(LinkState.allCases.map(\.rawValue)),
            provenance: .observed,
            parity: .measured,
            level: .wire,
            "What the wire shows of a foreign client's newest WebSocket."
        ),
    ]
}

/// How far a foreign client's newest WebSocket has come, as seen on the wire.
enum LinkState: String, CaseIterable {
    /// There is none, or it has ended.
    case none
    /// The upgrade is asked for.
    case opening
    /// The upgrade is granted.
    case open
    /// The server has accepted the client.
    case connected
}
