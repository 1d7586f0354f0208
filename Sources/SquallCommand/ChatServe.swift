import Faults
import Live
import ScenarioLanguage
import ScenarioModel
import Sockets
import Squall
import SquallCore
import Synchronization
import Trace

/// `squall serve`: Squall's chat server behind a faulty link, for an app in somebody's hand who makes the weather line by line.
final class ChatServe: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    private let scenario: Scenario
    private let seed: Seed
    private let format: Format
    private let isBehindTLS: Bool
    /// What was seen before the addresses were told, which come first; nil afterwards.
    private let early = Mutex<[TraceEvent]?>([])

    /// No clients: one.
    ///
    /// - Throws: ``SquallError`` where a name or the profile is wrong, or the profile has a TLS of its own.
    init(_ clients: [String], _ profile: String?, seed: UInt64, _ format: Format, behindTLS: Bool) throws {
        scenario = try ConductedRun.scenario(clients: clients, profile: profile)
        guard !LinkSecurity(scenario.profile.server).ofClients else {
            throw SquallError.usage("the profile has server.tls, and what is served here has TLS by --tls alone")
        }
        isBehindTLS = behindTLS
        self.seed = Seed(seed)
        self.format = format
    }

    /// Serves until somebody types `quit`, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - listenAddress: Where the server is found; the first client's port, which the others' follow.
    ///   - onReady: Told the port of each client when connections are welcome.
    /// - Throws: ``SquallError`` where a port could not be had, or where what clients did on the wire broke an invariant;
    ///   `CancellationError`.
    func run(at listenAddress: LiveOptions.ListenAddress, onReady: @escaping @Sendable ([Int]) -> Void) async throws {
        let weather = try ConductedRun(scenario, seed: seed, speaking: voice, at: listenAddress, onEvents: show)
        try await withThrowingTaskGroup(of: CaseResult?.self) { group in
            group.addTask { try await weather.play() }
            group.addTask { [self] in
                var ports: [Int] = []
                for client in weather.clients { ports.append(try await weather.port(of: client)) }
                onReady(ports)
                await take(InputLines.stream(), weather)
                return nil
            }
            for try await case let result? in group {
                group.cancelAll()
                try judge(result)
            }
        }
    }

    /// Prints where each client finds the server.
    ///
    /// - Parameters:
    ///   - hosts: The names to reach this machine by, as they stand in a URL.
    ///   - ports: A port for each client.
    ///   - letter: `s` behind TLS.
    func announce(at hosts: [String], ports: [Int], letter: String = "") {
        let (path, key) = (scenario.webSocketPath, scenario.key)
        for (client, port) in zip(scenario.clients, ports) {
            let places = hosts.map {
                (socket: "ws\(letter)://\($0):\(port)\(path)", http: "http\(letter)://\($0):\(port)")
            }
            switch format {
            case .json:
                let place: JSON = [
                    "client": .string(client.name), "ws_urls": .array(places.map { .string($0.socket) }),
                    "http_urls": .array(places.map { .string($0.http) }), "key": .string(key),
                ]
                Terminal.print("\(place)")
            case .text:
                let whose = scenario.clients.count > 1 ? "  (\(client.name))" : ""
                for place in places { Terminal.print("\(place.socket)  \(place.http)  key \(key)\(whose)") }
            }
        }
        let seen = early.withLock { early in
            defer { early = nil }
            return early ?? []
        }
        print(seen)
        if format == .text {
            Terminal.complain("type what the server or the network does (network: drop), 'help', or 'quit'")
        }
    }

    // MARK: - What is typed

    private func take(_ lines: AsyncStream<String>, _ weather: ConductedRun) async {
        for await line in lines {
            switch line.trimmingPrefix(while: \.isWhitespace) {
            case "": continue
            case "quit", "exit": return weather.end()
            case "help", "?": Terminal.complain(Self.help)
            case let step:
                do {
                    try await weather.perform(String(step))
                } catch let error as SquallError {
                    Terminal.complain(error.message)
                } catch {
                    return
                }
            }
        }
    }

    /// What is wrong, told to who types.
    private var voice: FragmentSyntax {
        let isBehindTLS = isBehindTLS
        return FragmentSyntax(
            source: "step",
            waiting: ("here a step is done when it is typed", "type it when it is time; what happens is printed"),
            security: "squall run one.yaml --client external, with server: { tls: true } in the scenario",
            ownClient: { verb in
                "the client is your app: do that there ('\(verb)'); what is typed is what the server and the network do, and of the phone "
                    + "device: network, device: handoff and user: portal_login"
            },
            refusal: { stimulus in
                guard isBehindTLS, case .begin(let fault) = stimulus.deed, fault.isKind(Fault.CaptivePortal.self) else {
                    return nil
                }
                return
                    "a portal has a certificate of its own, and with --tls every client is shown Squall's, which it trusts"
            }
        )
    }

    static let help = """
        A line is a step of a script: what the server or the network does, or what befalls the phone's network.
          network: drop                            every connection ends
          network: { stall: { for: 10s } }         nothing passes for ten seconds
          { network: blackhole, as: tunnel }       until: network: { heal: tunnel }
          server: { post: stukov }                 somebody writes
          server: { restart: { down: 5s } }
          server: { swallow: confirm }
          device: handoff                          another network: its connections are gone, and it is not told
        'squall explain network', 'server' and 'device' list all. quit ends, and judges what was seen.
        """

    // MARK: - What is seen

    @Sendable private func show(_ events: [TraceEvent]) {
        let isEarly = early.withLock { early in
            early?.append(contentsOf: events)
            return early != nil
        }
        if !isEarly { print(events) }
    }

    private func print(_ events: [TraceEvent]) {
        guard !events.isEmpty else { return }
        switch format {
        case .json:
            var bytes: [UInt8] = []
            for event in events { TraceCodec.encode(event, into: &bytes) }
            Terminal.print(String(decoding: bytes.dropLast(), as: UTF8.self))
        case .text:
            let lines = events.map { event in
                let name = ObservedName(client: event.client, name: event.name, key: event.key)
                return "\(ShownText("\(event.time)  \(name)\(event.observation.change.tail)"))"
            }
            if !lines.isEmpty { Terminal.print(lines.joined(separator: "\n")) }
        }
    }

    private func judge(_ result: CaseResult) throws {
        let broken = result.expectations.filter { $0.verdict == .fail }
        guard !broken.isEmpty else { return }
        throw SquallError.judged(broken.map { "FAIL  \($0.heading): \($0.why ?? "")" }.joined(separator: "\n"))
    }
}
