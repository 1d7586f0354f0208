import SquallCore

/// The events and observables that exist only for foreign clients (clients that are not Squall's own).
enum ForeignRegistry {
    static let entries: [RegistryEntry] = [
        RegistryEntry(
            .event,
            "client.refused",
            .fields(["command", "code", .flag("definite"), "text"], measured: []),
            key: "message",
            parity: .log,
            level: .commands,
            "The client has refused a command; `definite` says whether the command was certainly not carried out."
        ),
        RegistryEntry(
            .event,
            "client.log",
            .fields(["text"], measured: ["text"]),
            parity: .measured,
            "The client has added a line to the report."
        ),
        RegistryEntry(
            .event,
            ManualStep.performed,
            .fields(["command", "label"], measured: []),
            key: "message",
            provenance: .observed,
            parity: .log,
            level: .wire,
            "The traffic shows that the person at a client has performed a step that Squall had asked for."
        ),
        RegistryEntry(
            .event,
            "network.upstream.failed",
            .fields(["failure"], measured: []),
            provenance: .observed,
            parity: .unordered,
            level: .wire,
            "A connection to the upstream server could not be opened."
        ),
        RegistryEntry(
            .observable,
            "link.state",
            .word(LinkState.allCases.map(\.rawValue)),
            provenance: .observed,
            parity: .measured,
            level: .wire,
            "The state of a foreign client's newest WebSocket, as seen on the wire."
        ),
    ]
}

/// The state of a foreign client's most recent WebSocket, as seen on the wire.
enum LinkState: String, CaseIterable {
    /// There is no WebSocket, or it has ended. The next state is `opening`.
    case none
    /// The client has requested the upgrade to a WebSocket. The next state is `open` or `none`.
    case opening
    /// The server has accepted the upgrade. The next state is `connected` or `none`.
    case open
    /// The server has accepted the client's key. The next state is `none`.
    case connected
}
