import Adapter
import Live
import ScenarioModel

/// Code that is told its addresses, and nothing else.
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
                say(.gone(.returned))
            } catch {
                // After the end nobody hears of it: a client that is cancelled may throw what it likes.
                say(.gone(.threw("\(error)")))
            }
        }
        lives.add(task)
    }

    func take(_ line: [UInt8]) {}
    func end() { task.cancel() }
}
