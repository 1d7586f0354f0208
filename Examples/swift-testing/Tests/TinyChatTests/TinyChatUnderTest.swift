import SquallTesting
import Synchronization

#if canImport(TinyChat)  // Squall's own tests compile the client and these files as one module.
    import TinyChat
#endif

/// Connects `ChatClient` to Squall: receives addresses and commands, and reports what the client would show its user.
final class TinyChatUnderTest: ClientUnderTest {
    let capabilities = ClientCapabilities(
        name: "tiny-chat",
        shows: [.connectionState, .messageStatus, .conversationMessages],
        takes: [.send],
        states: ["connecting": "connecting", "online": "connected", "waiting": "reconnecting"]
    )

    private let running = Mutex<(client: ChatClient, task: Task<Void, Never>)?>(nil)

    func start(at server: ServerAddresses, reporting reporter: ClientReporter) async throws {
        let client = ChatClient(try ChatClient.Settings(server)) { change in
            switch change {
            case .state(let state): reporter.state(state.rawValue)
            case .message(let id, let conversation): reporter.message(id, in: conversation)
            case .status(let id, let status): reporter.status(of: id, status.rawValue)
            }
        }
        running.withLock { $0 = (client, Task { await client.run() }) }
    }

    func send(_ message: OutgoingMessage) async throws -> String? {
        await running.withLock { $0?.client }?.send(message.text, to: message.conversation ?? "general")
    }

    func stop() async {
        let task = running.withLock { $0?.task }
        task?.cancel()
        await task?.value
    }
}

extension ChatClient.Settings {
    /// Takes the settings from the scenario's profile, whose times may be shorter than the app's own.
    init(_ server: ServerAddresses) throws {
        self.init(url: server.webSocketURL, key: server.key)
        connectLimit = try server.profile.duration("connect.timeout")
        pingInterval = try server.profile.duration("heartbeat.interval")
        pongLimit = try server.profile.duration("heartbeat.pong_limit")
        retryBase = try server.profile.duration("reconnect.base")
        retryCap = try server.profile.duration("reconnect.cap")
    }
}
