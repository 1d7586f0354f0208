package import SquallCore

/// How a run's foreign clients (clients that are not part of Squall) are started and ended.
package struct ForeignLaunch: Sendable {
    /// How a client is started.
    package enum LaunchMethod: Sendable {
        /// The client is started by the given command, which is passed to `/bin/sh -c`.
        case command(String)
        /// The user starts the client with the addresses that Squall announces.
        case byHand
        /// The client runs inside this process.
        case hosted(HostedClients)
        /// The client is an app that polls the given control port.
        case app(AppPort)
    }

    package var method: LaunchMethod
    /// The closure that receives the instructions for starting a client by hand.
    package var announce: @Sendable (String) -> Void
    /// How long to wait for the first connection of a client that the user starts by hand.
    package var timeout: TimeSpan
    /// How long a client may take to exit after its standard input is closed. After this time, its process group is
    /// killed.
    package var exitTimeout: TimeSpan
    /// The processes that can be reused for another run; ``LiveSuite`` ends them after the last run.
    let idle = ClientProcessPool()

    package init(
        _ method: LaunchMethod,
        announce: @escaping @Sendable (String) -> Void = { _ in },
        timeout: TimeSpan = .seconds(120),
        exitTimeout: TimeSpan = .milliseconds(200)
    ) {
        self.method = method
        self.announce = announce
        self.timeout = timeout
        self.exitTimeout = exitTimeout
    }
}
