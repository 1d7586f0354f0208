import FakeServer
import Faults
package import TemporalLogic

extension Scenario {
    /// Steps that begin a fault of handshakes where there are none.
    package var handshakesWithoutTLS: [SourceLocation] {
        guard !profile.server.tls else { return [] }
        return script.compactMap { step in
            guard case .act(let stimulus) = step.kind, case .begin(let fault) = stimulus.deed else { return nil }
            switch fault.kind {
            case .certificate, .brokenHandshake: return step.location
            default: return nil
            }
        }
    }
}
