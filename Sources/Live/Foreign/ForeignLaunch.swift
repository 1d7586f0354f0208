package import SquallCore

/// How the foreign clients of a run are started and ended.
package struct ForeignLaunch: Sendable {
    /// How a client is started.
    package enum LaunchMethod: Sendable {
        /// A command, handed to `/bin/sh -c`.
        case command(String)
        /// By a person, at the addresses that Squall announces.
        case byHand
        /// As code in this process.
        case hosted(HostedClients)
        /// An app that polls a control port.
        case app(AppPort)
    }

    package var method: LaunchMethod
    /// Receives the instructions for starting a client by hand.
    package var announce: @Sendable (String) -> Void
    /// How long a person may take until the client connects for the first time.
    package var patience: TimeSpan
    /// How long a client may take to exit after its standard input is closed, before its process group is killed.
    package var farewell: TimeSpan
    /// Processes that may serve another run; ``LiveSuite`` ends them after the last run.
    let idle = IdleClients()

    package init(
        _ method: LaunchMethod,
        announce: @escaping @Sendable (String) -> Void = { _ in },
        patience: TimeSpan = .seconds(120),
        farewell: TimeSpan = .milliseconds(200)
    ) {
        self.method = method
        self.announce = announce
        self.patience = patience
        self.farewell = farewell
    }
}
