package import FakeServer
package import ScenarioModel
package import SquallCore
package import Trace

/// The state of a run, as a value. A live or simulated driver passes inputs from the transport to it, and performs the
/// outputs that it returns.
package protocol DrivenRun: Sendable {
    associatedtype Result: Sendable

    /// The run's clients. The relay (the proxy between clients and server) has one listener for each client.
    var clients: [ClientID] { get }
    /// The time at which the run must receive the next ``TransportInput/wake``; nil if no timer is set.
    var nextDeadline: Instant? { get }
    /// Whether the run has ended and accepts no more input.
    var isOver: Bool { get }

    /// Whether the run is held (paused). While it is held, its clock is stopped, no bytes are sent or read, and only
    /// inputs from the conductor, an external program that controls the run, are delivered.
    var isHeld: Bool { get }

    /// The address of an external server that replaces the fake server; nil if the run uses the fake server.
    var upstream: UpstreamAddress? { get }

    /// Specifies which links use TLS.
    var security: LinkSecurity { get }

    /// Returns the state of the clients whose clocks follow the run's clock.
    func clientClocks(at now: Instant) -> ClientClocks
    /// Sets the clocks of clients that follow the run's clock to `now`. Returns the outputs to perform, in order.
    mutating func advanceClients(to now: Instant) -> [TransportOutput]

    /// Handles one input completely and returns the outputs for the transport to perform, in order.
    mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput]
    /// Records a delay. `late` is how late a timer fired, or how long work had been pending when the clock leapt
    /// without waiting for it any longer.
    mutating func noteLateness(_ late: TimeSpan)
    /// Ends the run for a reason that is not a failed expectation.
    mutating func abandon(_ reason: String, at now: Instant)
    /// Stores the packets of the run. Called immediately before ``finish(at:)``, and only if packets were captured.
    mutating func keep(_ capture: PacketCapture)
    /// Ends the run and returns its result.
    mutating func finish(at now: Instant) -> Result
}

extension DrivenRun {
    package var isHeld: Bool { false }
    package var upstream: UpstreamAddress? { nil }
    package var security: LinkSecurity { .none }
    package mutating func keep(_ capture: PacketCapture) {}
    package func clientClocks(at now: Instant) -> ClientClocks { .real }
    package mutating func advanceClients(to now: Instant) -> [TransportOutput] { [] }
}
