import Processes

/// The processes of clients that runs have begun.
package enum LiveProcesses {
    /// Ends them all at once, for a process that will not clean up any more.
    package static func killAll() { ChildProcesses.killAll() }
}
