import ScenarioModel
package import Sockets
package import SquallCore
package import TLSLink
import TemporalLogic

/// The settings of a live run.
package struct LiveOptions: Sendable {
    /// How a run's clock advances.
    package enum Pace: Hashable, Sendable {
        /// The clock leaps to the next deadline whenever no work is pending.
        case leaping
        /// The clock follows real time, for clients that Squall does not drive.
        case wall
    }

    package var pace: Pace
    /// How late a timer may fire, measured on the run's clock, before the delay is reported to the run.
    package var tolerance: TimeSpan
    /// How long work may be pending without any input before the clock leaps anyway.
    ///
    /// Such a leap is reported to the run as a delay.
    package var timeout: TimeSpan
    /// The maximum time by which one event-loop iteration, however long it takes, may advance a leaping run's clock;
    /// nil sets no limit.
    ///
    /// Data in transit moves one network hop further in each iteration. In a simulated run, each hop takes this time.
    package var turnLimit: TimeSpan?
    package var sockets: SocketSettings
    /// The `Host` header of HTTP requests, regardless of the address to which they are sent.
    package var host: String
    /// The parent folder of the clients' stores during the run; nil for the system's temporary folder.
    package var folder: String?
    /// How foreign clients are started; nil if Squall drives all clients itself.
    package var foreign: ForeignLaunch?
    /// The closure that receives the reason if packets cannot be captured; nil if no capture is requested.
    package var captures: (@Sendable (_ obstacle: String) -> Void)?
    /// The address at which foreign clients connect to the relay; nil for a loopback address that only this run uses.
    package var listenAddress: ListenAddress?
    /// The certificate authority and the names in the relay's certificates, if clients connect with TLS. If nil, the
    /// run creates its own authority, and the certificates name the address at which clients connect.
    package var identity: TLSIdentity?
    /// Connects the run to a program that controls it from outside the event loop; nil if only the scenario's script
    /// controls it.
    package var conductor: LiveConductor?

    /// An address chosen by the user, with the port for the first client. The other clients use the ports that follow.
    package struct ListenAddress: Hashable, Sendable {
        package var address: LocalAddress
        /// The first client's port; 0 lets the kernel choose a free port for each client.
        package var port: Int

        package init(address: LocalAddress, port: Int) {
            self.address = address
            self.port = port
        }
    }

    /// Adapts the settings to clients whose clocks follow the run's.
    ///
    /// The run's clock then does not follow real time at all. It never differs from the clients' clocks by more than a
    /// few network hops, and a slow machine causes no delays.
    package mutating func followClients() {
        turnLimit = .zero
        timeout = Self.clientTimeout
    }

    /// Whether only leaps and network hops advance the clock, and real time does not.
    var followsClients: Bool { pace == .leaping && turnLimit == .zero }

    /// How long a client that follows the run's clock may work in real time before it is considered hung.
    private static let clientTimeout = TimeSpan.seconds(30)

    package init(
        pace: Pace = .leaping,
        tolerance: TimeSpan = Tolerance.live.fixed,
        timeout: TimeSpan = .seconds(3),
        turnLimit: TimeSpan? = .microseconds(100),
        sockets: SocketSettings = SocketSettings(),
        host: String = "chat.test",
        folder: String? = nil,
        foreign: ForeignLaunch? = nil,
        captures: (@Sendable (_ obstacle: String) -> Void)? = nil
    ) {
        self.pace = pace
        self.tolerance = tolerance
        self.timeout = timeout
        self.turnLimit = turnLimit
        self.sockets = sockets
        self.host = host
        self.folder = folder
        self.foreign = foreign
        self.captures = captures
    }
}
