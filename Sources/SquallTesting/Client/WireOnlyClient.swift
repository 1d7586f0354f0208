import Adapter
import Live
import ScenarioModel

/// A client that receives only the server's addresses and is evaluated only by its traffic.
final class WireOnlyClient: HostedClient {
    private let task: Task<Void, Never>

    init(
        _ addresses: ServerAddresses,
        say: @escaping @Sendable (ForeignInput) -> Void,
        lives: ClientLives,
        _ client: @escaping @Sendable (ServerAddresses) async throws -> Void
    ) {
        task = Task {
            do {
                try await client(addresses)
                say(.gone(.clientReturned))
            } catch {
                // This call has no effect after the end of the run, so a cancelled client may throw any error.
                say(.gone(.clientThrew("\(error)")))
            }
        }
        lives.add(task)
    }

    func take(_ line: [UInt8]) {}
    func end() { task.cancel() }
}
