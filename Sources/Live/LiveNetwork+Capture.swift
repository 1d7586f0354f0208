import FakeServer
import Sockets

extension LiveNetwork {
    /// Sees from now on what passes at this run's address, where that is wanted; where it cannot be, that is told.
    func beginCapture(orTell emit: ((String) -> Void)?) {
        guard let emit, let server else { return }
        let called = upstream.map { LiveCapture.Server.upstream(port: $0.port, name: "\($0)") }
        do throws(LoopbackPackets.Obstacle) {
            capture = try LiveCapture(
                of: address,
                acceptModes: acceptModes.mapValues(\.port),
                server: called ?? .own(port: server.port),
                keys: security?.keys
            )
        } catch {
            emit(error.message)
        }
    }
}
