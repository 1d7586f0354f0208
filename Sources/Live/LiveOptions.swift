import ScenarioModel
package import Sockets
package import SquallCore
import TemporalLogic

/// How a live run is played.
package struct LiveOptions: Sendable {
    /// How a run's clock goes.
    package enum Pace: Hashable, Sendable {
        /// Jumps to the next deadline whenever nothing is under way.
        case leaping
        /// As the clock on the wall: for clients that Squall does not drive.
        case wall
    }

    package var pace: Pace
    /// How late a due timer may fire by the run's clock before the run is told.
    package var tolerance: TimeSpan
    /// How long something may be under way, with nothing moving at all, before the clock leaps regardless.
    ///
    /// The run is told that it was this late.
    package var patience: TimeSpan
    /// What a turn of a leaping run's loop counts for at most, however long the processor took over it; nil counts it all.
    ///
    /// A turn carries what is under way one hop further, and a hop takes this long in the simulated world.
    package var turnLimit: TimeSpan?
    package var sockets: SocketSettings
    /// What HTTP requests name as their host, whatever address they go to.
    package var host: String
    /// Where the clients' stores are kept while the run lasts; nil for the system's temporary folder.
    package var folder: String?
    /// How clients come about that Squall does not drive itself; nil where it drives all.
    package var foreign: ForeignLaunch?
    /// Told why a run's packets cannot be seen, where they are wanted; nil where they are not.
    package var captures: (@Sendable (_ obstacle: String) -> Void)?
    /// Where the doors of clients stand that Squall does not drive itself; nil for an address of the run's own.
    package var doorstep: ListenAddress?
    /// Whoever conducts the run from outside; nil where nobody does.
    package var conductor: LiveConductor?

    /// An address that somebody has chosen, and the port of the first client; the others' follow it.
    package struct ListenAddress: Hashable, Sendable {
        package var address: LocalAddress
        /// 0 takes any that is free, for each client.
        package var port: Int

        package init(address: LocalAddress, port: Int) {
            self.address = address
            self.port = port
        }
    }

    package init(
        pace: Pace = .leaping,
        tolerance: TimeSpan = Tolerance.live.fixed,
        patience: TimeSpan = .seconds(3),
        turnLimit: TimeSpan? = .microseconds(100),
        sockets: SocketSettings = SocketSettings(),
        host: String = "chat.test",
        folder: String? = nil,
        foreign: ForeignLaunch? = nil,
        captures: (@Sendable (_ obstacle: String) -> Void)? = nil
    ) {
        self.pace = pace
        self.tolerance = tolerance
        self.patience = patience
        self.turnLimit = turnLimit
        self.sockets = sockets
        self.host = host
        self.folder = folder
        self.foreign = foreign
        self.captures = captures
    }
}
