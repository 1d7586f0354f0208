import FakeServer
import Sockets

extension LiveNetwork {
    /// Starts capturing the packets at this run's address.
    ///
    /// `report` receives the reason if packets cannot be captured. If `report` is nil, no capture is started.
    func beginCapture(orReport report: ((String) -> Void)?) {
        guard let report, let server else { return }
        let called = upstream.map { LiveCapture.Server.upstream(port: $0.port, name: "\($0)") }
        do throws(LoopbackPackets.Obstacle) {
            capture = try LiveCapture(
                of: address,
                clientPorts: clientListeners.mapValues(\.port),
                server: called ?? .own(port: server.port),
                keys: security?.keys
            )
        } catch {
            report(error.message)
        }
    }
}
