import ArgumentParser
import Squall

/// The options that determine how Squall controls a client that is not its own.
struct ClientTreatment: ParsableArguments {
    @Flag(help: "Do not speak the adapter protocol with the command of --client; judge it only from the wire.")
    var wireOnly = false

    @Flag(
        help: """
            With --client external: ask you to perform the user's steps (send, disconnect, reconnect) when they are due, \
            and continue when the traffic shows them.
            """
    )
    var byHand = false

    @Flag(help: "Run the command of --client at wall time, even if Squall can drive its clock.")
    var wallClock = false

    @Flag(
        help: """
            End each run of a client whose clock Squall drives with a fault-free period, after which the client must show \
            what the server has stored. Runs of Squall's own client always end so.
            """
    )
    var converge = false

    /// Checks that the options fit the client.
    ///
    /// - Throws: `ValidationError` if an option requires a different kind of client.
    func validate(for choice: ClientChoice) throws {
        let isAdapter = choice.command != nil && !wireOnly
        if wireOnly, choice.command == nil {
            throw ValidationError("--wire-only needs a command: --client 'COMMAND' --wire-only")
        }
        if byHand, choice != .external(isAttended: true) {
            throw ValidationError("--by-hand needs a client that you start: --client external --by-hand")
        }
        if wallClock, !isAdapter {
            throw ValidationError("--wall-clock needs an adapter: --client 'COMMAND' --wall-clock")
        }
        if converge, wallClock || !isAdapter {
            throw ValidationError(
                "--converge needs an adapter whose clock Squall drives: --client 'COMMAND' --converge"
            )
        }
    }
}
