// Written from the registry by the tests of SquallTesting; run them with RECORD=1 to write it again.

/// The actions that change the device's network, with the names of the scenario language (`squall explain device`).
public struct DeviceActions: Sendable {
    private let step: WeatherStep

    init(_ step: WeatherStep) { self.step = step }

    /// The possible values of the parameter `state`.
    public enum NetworkState: String, Hashable, Sendable {
        case on, off
    }

    /// The phone's network is turned off or on.
    ///
    /// - Parameter state: Whether the phone has a network.
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func network(_ state: NetworkState) async throws {
        try await step.perform("network", ["state": .of(state)], as: nil)
    }

    /// The phone switches to another network; connections over the old network no longer work.
    ///
    /// - Throws: The errors of ``Weather/perform(_:)``.
    public func handoff() async throws {
        try await step.perform("handoff", [:], as: nil)
    }
}
