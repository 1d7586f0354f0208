package import FakeServer
package import ScenarioModel
package import SquallCore
package import Trace

/// A run as a world sees it: a value that says what it wants and takes what came of it.
package protocol DrivenRun: Sendable {
    associatedtype Result: Sendable

    /// Each gets a door of its own in the relay.
    var clients: [ClientID] { get }
    /// When the run wants ``TransportInput/wake`` next; nil where it waits for nothing.
    var nextDeadline: Instant? { get }
    /// No more input is wanted.
    var isOver: Bool { get }

    /// Somebody else's server, in the place of the run's own.
    var upstream: UpstreamAddress? { get }

    /// What TLS its links have.
    var security: LinkSecurity { get }

    /// Handles one input to its end and gives what is to be done, in order.
    mutating func handle(_ input: TransportInput, at now: Instant) -> [TransportOutput]
    /// A due timer fired this long after its deadline, or the world leapt although something was still under way.
    mutating func noteLateness(_ late: TimeSpan)
    /// Ends the run for a reason that is nobody's expectation.
    mutating func abandon(_ reason: String, at now: Instant)
    /// What passed while it was played, right before its end, where that was wanted and could be seen.
    mutating func keep(_ capture: PacketCapture)
    mutating func finish(at now: Instant) -> Result
}

extension DrivenRun {
    package var upstream: UpstreamAddress? { nil }
    package var security: LinkSecurity { .none }
    package mutating func keep(_ capture: PacketCapture) {}
}
