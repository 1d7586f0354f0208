import ArgumentParser
import ScenarioModel
import Squall

// The part of `squall run` that implements `--hold-at`.

extension RunCommand {
    func validateHolding() throws {
        guard let holdAt else { return }
        if holdAt.allSatisfy(\.isWhitespace) {
            throw ValidationError("--hold-at needs an event or a condition, such as 'fault.began[tunnel]'")
        }
        if world == .both {
            throw ValidationError("--hold-at holds one run: choose --world sim or --world live, not both")
        }
        if perturb != nil { throw ValidationError("--hold-at cannot be used with --perturb") }
        if times > 1 { throw ValidationError("--hold-at cannot be used with --repeat") }
    }

    /// Configures the run to be held (paused) at the event given with `--hold-at`, and returns the console for the
    /// user's commands; returns nil if the option is not given.
    ///
    /// - Throws: ``SquallError`` if several cases are selected.
    func hold(_ scenarios: [Scenario], _ options: inout SuiteOptions) throws(SquallError) -> HoldConsole? {
        guard let holdAt else { return nil }
        guard scenarios.count == 1 else {
            throw .usage(
                """
                --hold-at plays one case, and \(scenarios.count) are selected; name a file, and the case of a table by \
                --case
                """
            )
        }
        let console = HoldConsole(clients: scenarios[0].clients, isQuietOutput: format != .text)
        options.hold = HoldPlan(event: holdAt) { moment in ProgressLog.whileHeld { console.order(moment) } }
        return console
    }

    /// Prints a notice if the run was never held (paused) because the event given with `--hold-at` did not occur.
    func noteHold(_ console: HoldConsole?, _ result: SuiteResult) {
        guard let console, let holdAt, !console.wasHeld, !result.interrupted else { return }
        Terminal.printError("squall: the run was not held: it ended before \(holdAt)")
    }
}
