import SquallCore
import Trace

/// The events about the run itself, as opposed to those about a client, the server or a link.
package enum RunRegistry {
    static let compared = "run.compared"
    package static let calmBegan = "run.calm_began"
    package static let holdBegan = "run.hold_began"
    package static let holdEnded = "run.hold_ended"

    static let entries: [RegistryEntry] = [
        RegistryEntry(
            .event,
            calmBegan,
            .fields([], measured: []),
            provenance: .injected,
            parity: .log,
            level: .wire,
            "The script has ended: faults are healed, the server is up, and each client runs in the foreground."
        ),
        RegistryEntry(
            .event,
            holdBegan,
            .fields([], measured: []),
            provenance: .injected,
            parity: .measured,
            level: .wire,
            "The run is paused by a hold: a command, or a hold at the event that caused this event. The run's clock is "
                + "stopped."
        ),
        RegistryEntry(
            .event,
            holdEnded,
            .fields([], measured: []),
            provenance: .injected,
            parity: .measured,
            level: .wire,
            "The run has resumed after a hold. No time has passed on the run's clock."
        ),
        RegistryEntry(
            .event,
            compared,
            .fields(["differences"], measured: []),
            provenance: .observed,
            parity: .log,
            level: .wire,
            "The state that the client shows was compared with the server's; `differences` is empty if they agree."
        ),
    ]
}
