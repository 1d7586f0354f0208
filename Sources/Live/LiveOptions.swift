import ScenarioModel
package import Sockets
package import SquallCore
import TemporalLogic

/// The settings of a live run.
package struct LiveOptions: Sendable {
    /// How a run's clock advances.
    package enum Pace: Hashable, Sendable {
        /// Jumps to the next deadline whenever nothing is under way.
        case leaping
        /// Follows real time; for clients that Squall does not drive.
        case wall
    }

    package var pace: Pace
    /// How late a due timer may fire on the run's clock before the lateness is reported to the run.
    package var tolerance: TimeSpan
    /// How long something may be under way without any input before the clock leaps regardless.
    ///
    /// The run is then told how late it was.
    package var patience: TimeSpan
    /// How far one turn of the loop may advance a leaping run's clock, however long it really took; nil sets no limit.
    ///
    /// Data under way moves one hop further in each turn, and a hop takes this long in the simulated world.
    package var turnLimit: TimeSpan?
    package var sockets: SocketSettings
    /// The `Host` header of HTTP requests, whatever address they go to.
    package var host: String
    /// The folder for the clients' stores while the run lasts; nil for the system's temporary folder.
    package var folder: String?
    /// How foreign clients are started; nil when Squall drives all clients itself.
    package var foreign: ForeignLaunch?
    /// Receives the reason when a run's packets cannot be captured; nil requests no capture.
    package var captures: (@Sendable (_ obstacle: String) -> Void)?
    /// The address at which foreign clients find the relay; nil for a loopback address of the run's own.
    package var listenAddress: ListenAddress?
    /// Connects the run with code that conducts it from outside; nil when the scenario's script does.
    package var conductor: LiveConductor?

    /// An address chosen by the user, and the port of the first client; the other clients' ports follow it.
    package struct ListenAddress: Hashable, Sendable {
        package var address: LocalAddress
        /// The first client's port; 0 takes a free one for each client.
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
