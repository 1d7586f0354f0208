import Faults

extension Scenario {
    /// Whether a fault of this scenario must know where in their streams the connections stand that are there when it begins.
    var followsStreams: Bool {
        script.contains { step in
            guard case .act(let stimulus) = step.kind, case .begin(let fault) = stimulus.deed else { return false }
            switch fault.kind {
            case .frames, .slowHTTP: return true
            default: return false
            }
        }
    }
}
