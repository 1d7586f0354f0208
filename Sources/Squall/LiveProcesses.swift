import Processes

/// The processes of clients that runs have started.
package enum LiveProcesses {
    /// Kills all of them, for an exit without the usual clean-up.
    package static func killAll() { ChildProcesses.killAll() }
}
