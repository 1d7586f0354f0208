import ScenarioModel

/// The world in which Squall's own client is played.
public enum ScenarioWorld: String, Hashable, Sendable, CaseIterable {
    /// Virtual time, on one thread: the same seed gives the same trace, byte for byte.
    case sim
    /// Real sockets on loopback, with a clock that skips idle time.
    case live

    var world: World {
        switch self {
        case .sim: .sim
        case .live: .live
        }
    }
}
