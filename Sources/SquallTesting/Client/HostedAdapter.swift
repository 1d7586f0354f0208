import Adapter
import Live
import ScenarioModel
import SquallCore
import Synchronization

/// Implements the adapter protocol for a client in the test process: converts commands to calls to ``ClientUnderTest``,
/// and the results of those calls to protocol lines.
///
/// The client is therefore evaluated in the same way as a client in another process.
final class HostedAdapter: HostedClient {
    /// The command that is being performed, stored so that it can be cancelled when the run ends.
    private enum Doing {
        case nothing
        case command(Task<Void, Never>)
        case over
    }

    private let lines: AsyncStream<[UInt8]>.Continuation
    private let doing = Mutex(Doing.nothing)

    init(
        _ place: HostedClients.Place,
        offer: ClientCapabilities,
        profile: ProfileValues,
        lives: ClientLives,
        make: @escaping @Sendable () throws -> any ClientUnderTest
    ) {
        let (stream, lines) = AsyncStream.makeStream(of: [UInt8].self)
        self.lines = lines
        let server = Server(place: place, offer: offer, profile: profile, make: make)
        lives.add(
            Task { [self] in
                for await line in stream where !isOver { await serve(line, by: server) }
                await server.stop()
            }
        )
    }

    func take(_ line: [UInt8]) { lines.yield(line) }

    func end() {
        let task = doing.withLock { doing -> Task<Void, Never>? in
            defer { doing = .over }
            if case .command(let task) = doing { return task }
            return nil
        }
        task?.cancel()
        lines.finish()
    }

    private var isOver: Bool {
        doing.withLock { if case .over = $0 { true } else { false } }
    }

    /// Performs a command in a separate task. The end of the run cancels only this task, so that the client can still
    /// clean up.
    private func serve(_ line: [UInt8], by server: Server) async {
        guard let (id, command) = AdapterCommand.read(line: line) else { return }
        let task = Task { await server.take(command, id) }
        let goesOn = doing.withLock { doing in
            if case .over = doing { return false }
            doing = .command(task)
            return true
        }
        if !goesOn { task.cancel() }
        await task.value
        doing.withLock { if case .command = $0 { $0 = .nothing } }
    }
}

/// Runs one client of the scenario, through all of its restarts.
private actor Server {
    let place: HostedClients.Place
    let offer: ClientCapabilities
    let profile: ProfileValues
    let make: @Sendable () throws -> any ClientUnderTest
    private var seed: UInt64 = 0
    private var client: (any ClientUnderTest)?
    private var life: ClientReporter.Life?

    init(
        place: HostedClients.Place,
        offer: ClientCapabilities,
        profile: ProfileValues,
        make: @escaping @Sendable () throws -> any ClientUnderTest
    ) {
        self.place = place
        self.offer = offer
        self.profile = profile
        self.make = make
    }

    private func say(_ message: AdapterMessage) { place.send(.output(message.line)) }

    func take(_ command: AdapterCommand, _ id: Int64) async {
        switch command.type {
        case "init":
            seed = command[field: "seed"]?.unsignedValue ?? 0
            say(.ready(to: id, offer.offer))
        case "start": await start(id)
        default: await perform(command, id)
        }
    }

    private func start(_ id: Int64) async {
        do {
            let client = try make()
            let life = ClientReporter.Life(place.send)
            (self.client, self.life) = (client, life)
            let addresses = ServerAddresses(place, seed: seed, profile: profile)
            try await client.start(at: addresses, reporting: ClientReporter(life: life))
            say(.done(to: id, AdapterMessage.Completion()))
        } catch {
            place.send(.gone(.clientThrew("\(error)")))
        }
    }

    private func perform(_ command: AdapterCommand, _ id: Int64) async {
        do {
            if let message = OutgoingMessage(command), let client {
                let key = try await client.send(message)
                say(.done(to: id, AdapterMessage.Completion(clientMessageID: key)))
            } else if let wanted = ClientCommand(command), let client {
                if case .kill = wanted {
                    life?.end()
                    (self.client, life) = (nil, nil)
                }
                try await client.perform(wanted)
                say(.done(to: id, AdapterMessage.Completion()))
            } else {
                say(.refused(to: id, AdapterRefusal(code: "not_supported", isDefinite: true, text: command.type)))
            }
        } catch {
            say(.refused(to: id, AdapterRefusal(code: "rejected", isDefinite: true, text: "\(error)")))
        }
    }

    func stop() async {
        life?.end()
        await client?.stop()
    }
}

extension OutgoingMessage {
    /// Creates the message of a `send` command; returns nil for any other command.
    fileprivate init?(_ command: AdapterCommand) {
        guard command.type == ClientCommand.Verb.send.rawValue, let text = command.text("text") else { return nil }
        self.init(conversation: command.text("conversation"), text: text, label: command.text("label"))
    }
}
