import Processes

/// The client processes that runs have started.
package enum LiveProcesses {
    /// Kills all client processes that runs have started; called when Squall exits without the usual clean-up.
    package static func killAll() { ChildProcesses.killAll() }
}
