import SquallCore
import Trace

/// The events of the run itself, which belong to no client, server or link.
enum RunRegistry {
    static let compared = "run.compared"
    static let calmBegan = "run.calm_began"

    static let entries: [RegistryEntry] = [
        RegistryEntry(
            .event,
            calmBegan,
            .fields([], measured: []),
            provenance: .injected,
            parity: .log,
            level: .wire,
            "The script is over: faults are healed, the server serves, and each client runs in the foreground."
        ),
        RegistryEntry(
            .event,
            compared,
            .fields(["differences"], measured: []),
            provenance: .observed,
            parity: .log,
            level: .wire,
            "What the client shows was compared with what the server holds; `differences` is empty if they agree."
        ),
    ]
}
