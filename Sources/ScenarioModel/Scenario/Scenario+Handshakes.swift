import FakeServer
import Faults
package import SquallCore

extension Scenario {
    /// Steps that begin a fault of handshakes where there are none.
    package var handshakesWithoutTLS: [SourceLocation] {
        guard !profile.server.tls else { return [] }
        return begun.filter { $0.fault.isAboutHandshakes }.map(\.location)
    }
}
