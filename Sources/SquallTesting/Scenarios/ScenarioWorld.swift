import ScenarioModel

/// The world in which a case with Squall's own client is run: simulated or live.
public enum ScenarioWorld: String, Hashable, Sendable, CaseIterable {
    /// The run is simulated in virtual time, on one thread: the same seed gives the same trace, byte for byte.
    case sim
    /// The run uses real sockets on loopback, with a clock that skips idle time.
    case live

    var world: World {
        switch self {
        case .sim: .sim
        case .live: .live
        }
    }
}
