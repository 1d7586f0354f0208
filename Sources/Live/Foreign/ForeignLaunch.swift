package import SquallCore

/// How the clients of a run come about that Squall does not drive itself.
package struct ForeignLaunch: Sendable {
    /// How a client is begun.
    package enum LaunchMethod: Sendable {
        /// A command, handed to `/bin/sh -c`.
        case command(String)
        /// A person starts it.
        case byHand
        /// It lives in this process.
        case hosted(HostedClients)
    }

    package var way: LaunchMethod
    /// Told where a client that a person starts has to go.
    package var announce: @Sendable (String) -> Void
    /// How long a person may take until the client calls for the first time.
    package var patience: TimeSpan
    /// How long a client may take to leave after its standard input is closed, before its process group is killed.
    package var farewell: TimeSpan
    /// Processes that may serve another run; whoever plays the runs ends them.
    let idle = IdleClients()

    package init(
        _ way: LaunchMethod,
        announce: @escaping @Sendable (String) -> Void = { _ in },
        patience: TimeSpan = .seconds(120),
        farewell: TimeSpan = .milliseconds(200)
    ) {
        self.way = way
        self.announce = announce
        self.patience = patience
        self.farewell = farewell
    }
}
