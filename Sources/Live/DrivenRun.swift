package import FakeServer
package import ScenarioModel
package import SquallCore
package import Trace

/// A run as a world drives it: a value that takes inputs from the transport and returns outputs for it.
package protocol DrivenRun: Sendable {
    associatedtype Result: Sendable

    /// The run's clients; the relay has one listener for each.
    var clients: [ClientID] { get }
    /// When the run needs ``TransportInput/wake`` next; nil when no timer is set.
    var nextDeadline: Instant? { get }
    /// Whether the run has ended and takes no more input.
    var isOver: Bool { get }

    /// Whether the run is held. Then its world delivers only a conductor's inputs, its clock stands, and no byte moves.
    var isHeld: Bool { get }

    /// The address of an external server that replaces the fake server; nil when the run has its own.
    var upstream: UpstreamAddress? { get }

    /// Which links use TLS.
    var security: LinkSecurity { get }

    /// Handles one input completely and returns the outputs for the transport to perform, in order.
    mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput]
    /// Notes that a timer fired this long after its deadline, or that the world leapt after this long although
    /// something was still under way.
    mutating func noteLateness(_ late: TimeSpan)
    /// Ends the run for a reason that no expectation states.
    mutating func abandon(_ reason: String, at now: Instant)
    /// Stores the packets of the run; called right before ``finish(at:)``, and only when packets were captured.
    mutating func keep(_ capture: PacketCapture)
    /// Ends the run and returns its result.
    mutating func finish(at now: Instant) -> Result
}

extension DrivenRun {
    package var isHeld: Bool { false }
    package var upstream: UpstreamAddress? { nil }
    package var security: LinkSecurity { .none }
    package mutating func keep(_ capture: PacketCapture) {}
}
