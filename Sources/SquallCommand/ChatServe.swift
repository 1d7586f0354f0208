import Exploration
import FakeServer
import Faults
import Live
import Panel
import Reports
import ScenarioLanguage
import ScenarioModel
import Sockets
import Squall
import SquallCore
import Synchronization
import TLSLink
import TemporalLogic
import Trace

/// `squall serve`: Squall's chat server behind a faulty link, for testing an app by hand with steps that the user types
/// line by line.
final class ChatServe: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    private let scenario: Scenario
    private let seed: Seed
    private let format: Format
    /// The server certificates' authority and names; nil if clients connect without TLS.
    private let identity: TLSIdentity?
    private let hasOwnServer: Bool
    private var actions: TypableActions { hasOwnServer ? identity == nil ? .all : .secured : .upstream }
    /// The file to which the session is recorded when it ends; nil to record nothing.
    private let recordedFile: String?
    /// The recording at the time of an interruption; nil if there was no interruption.
    private let interrupted = Mutex<Recording?>(nil)
    /// The address of the web panel; nil for no panel.
    private let panelPlace: PanelServer.Place?
    private let panel = Mutex<PanelServer?>(nil)
    /// The interactive prompt; nil until the addresses are printed, or if there is no terminal.
    private let prompt = Mutex<Prompt?>(nil)
    /// Whether every event is printed, including routine ones. Initially true if there is no terminal; `quiet` turns it
    /// off.
    private let isVerbose: Mutex<Bool>
    /// The verdicts on all invariants that apply to this client, at the time when `quit` was typed or a signal arrived.
    /// The result of the run contains only the violated invariants.
    private let verdicts = Mutex<[(name: InvariantName, verdict: Verdict)]>([])
    /// The events that occurred before the addresses were printed. They are printed after the addresses, and the value
    /// is nil from then on.
    private let early = Mutex<[TraceEvent]?>([])
    /// Prints the events. Must not block on a terminal or pipe whose reader has stopped: the app would perceive the
    /// delay as a stalled network.
    private let output: EventWriter
    /// Whether the held run is executing a single step. All events of the step are printed, even routine ones.
    private let isStepping = Mutex(false)
    /// The labels of the active faults, which the prompt offers after `heal:`.
    private let activeFaults = Mutex<[String]>([])

    /// Prepares a run with the named clients, or with one unnamed client if `clients` is empty.
    ///
    /// - Throws: ``SquallError`` if a name or the profile is invalid, or if the profile configures TLS itself.
    init(
        _ clients: [String],
        _ profile: String?,
        seed: UInt64,
        _ format: Format,
        identity: TLSIdentity? = nil,
        verbose: Bool = false,
        panel: PanelServer.Place? = nil,
        record: String? = nil,
        upstream: String? = nil
    ) throws {
        if let record { try RecordedFile.check(record) }
        output = try EventWriter(to: "-")
        hasOwnServer = upstream == nil
        recordedFile = record
        isVerbose = Mutex(verbose || !Prompt.isPossible)
        panelPlace = panel
        var scenario = try ConductedRun.scenario(clients: clients, profile: profile)
        if let upstream { try scenario.call(upstream: upstream) }
        guard identity != nil || !LinkSecurity(scenario.profile.server).ofClients else {
            throw SquallError.usage("the profile sets server.tls: use --tls")
        }
        scenario.profile.server.tls = identity != nil
        self.scenario = scenario
        self.identity = identity
        self.seed = Seed(seed)
        self.format = format
    }

    /// Runs the server until `quit` is typed or the task is cancelled.
    ///
    /// - Parameters:
    ///   - place: The address and the port for the first client; further clients use the ports that follow.
    ///   - onReady: Called with the port for each client once connections are accepted.
    /// - Throws: ``SquallError`` if a port is not available, or if the clients violated an invariant;
    ///   `CancellationError` if the task is cancelled.
    func run(at place: LiveOptions.ListenAddress, onReady: @escaping @Sendable ([Int]) -> Void) async throws {
        let weather = try ConductedRun(
            scenario,
            seed: seed,
            speaking: syntax,
            recordingTexts: !hasOwnServer,
            at: place,
            as: identity,
            onEvents: show
        )
        guard let panelPlace else { return try await conduct(weather, onReady: onReady) }
        let panel = try await ServedPanel.start(at: panelPlace, for: weather, scenario, actions, origin, head: head)
        self.panel.withLock { $0 = panel }
        do { try await conduct(weather, onReady: onReady) } catch {
            await panel.stop()
            throw error
        }
        await panel.stop()
    }

    private func conduct(_ weather: ConductedRun, onReady: @escaping @Sendable ([Int]) -> Void) async throws {
        // An interrupted session is recorded and judged too: its trace and verdicts are saved before it is cancelled.
        let work = Task { try await session(weather, onReady: onReady) }
        let outcome = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            Task { [self] in
                let recording = try? await weather.seen()
                let invariants = (try? await weather.invariants()) ?? []
                interrupted.withLock { $0 = recording }
                verdicts.withLock { $0 = invariants.filter { !weather.isUnseen($0.name) } }
                work.cancel()
            }
        }
        guard let recordedFile, let recording = (try? outcome.get().recording) ?? interrupted.withLock(\.self) else {
            return try judge(outcome)
        }
        // The scenario is written in a separate task, which the interruption does not cancel.
        let written = await Task { [self] in try await record(recording, to: recordedFile, isAtEnd: true) }.result
        do {
            try judge(outcome)
        } catch {
            // The session's error determines the exit status; the outcome of writing the recording is only printed.
            Terminal.printError(Self.text(of: written))
            throw error
        }
        Terminal.printError(try written.get())
    }

    /// Runs the session until `quit` is typed.
    ///
    /// - Throws: ``SquallError`` if the run fails; `CancellationError` if the task is cancelled.
    private func session(
        _ weather: ConductedRun,
        onReady: @escaping @Sendable ([Int]) -> Void
    ) async throws -> CaseResult {
        try await withThrowingTaskGroup(of: CaseResult?.self) { group in
            group.addTask { try await weather.play() }
            group.addTask { [self] in
                var ports: [Int] = []
                for client in weather.clients { ports.append(try await weather.port(of: client)) }
                onReady(ports)
                await take(typedLines(), weather)
                return nil
            }
            defer { prompt.withLock { $0.take() }?.close() }
            for try await case let result? in group {
                group.cancelAll()
                return result
            }
            throw CancellationError()
        }
    }

    /// Writes a scenario; returns a description of the written file.
    private func record(_ recording: Recording, to file: String, isAtEnd: Bool = false) async throws -> String {
        try await RecordedFile.write(recording, head: head, origin: origin.text, to: file, isAtEnd: isAtEnd)
    }

    /// Returns a message that describes the written file, or the reason why no file was written.
    private static func text(of written: Result<String, any Error>) -> String {
        switch written {
        case .success(let text): text
        case .failure(let error): (error as? SquallError)?.message ?? "squall: nothing was recorded"
        }
    }

    private var origin: RecordingOrigin { hasOwnServer ? .serve : .record }

    /// The profile and the clients of a recorded scenario, without its script.
    private var head: Draft {
        var head = Draft(profile: scenario.profile.name, clients: scenario.clients, ending: .none)
        if identity != nil { head.settings = [Draft.Setting("server.tls", .flag(true))] }
        return head
    }

    /// Prints the server's URLs for each client.
    ///
    /// - Parameters:
    ///   - hosts: The names of this machine, in URL syntax.
    ///   - ports: The port for each client.
    func announce(at hosts: [String], ports: [Int]) {
        let (path, key, letter) = (scenario.webSocketPath, scenario.key, identity == nil ? "" : "s")
        let panel = panel.withLock(\.self)
        for (client, port) in zip(scenario.clients, ports) {
            let places = hosts.map {
                (socket: "ws\(letter)://\($0):\(port)\(path)", http: "http\(letter)://\($0):\(port)")
            }
            panel?.announce([client: places.map(\.socket)])
            switch format {
            case .json:
                let place: JSON = [
                    "client": .string(client.name), "ws_urls": .array(places.map { .string($0.socket) }),
                    "http_urls": .array(places.map { .string($0.http) }), "key": .string(key),
                ]
                Terminal.print("\(place)")
            case .text:
                let owner = scenario.clients.count > 1 ? "  (\(client.name))" : ""
                let login = hasOwnServer ? "  key \(key)" : ""
                for place in places { Terminal.print("\(place.socket)  \(place.http)\(login)\(owner)") }
            }
        }
        if let panel {
            let address: JSON = ["panel_url": .string(panel.url)]
            Terminal.print(format == .json ? "\(address)" : "\(panel.url)  the panel")
        }
        let seen = early.withLock { early in
            defer { early = nil }
            return early ?? []
        }
        print(seen)
        if format == .text {
            let actor = hasOwnServer ? "the server or the network" : "the network"
            Terminal.printError("type a step for \(actor) (network: drop), 'status', 'help' or 'quit'")
        }
    }

    // MARK: - Typed commands

    /// Returns the lines typed at the prompt or, if there is none, the lines of standard input.
    private func typedLines() -> AsyncStream<String> {
        let completion: LineEditor.Completion = { [self] text in
            StepCompletion.words(after: text, faults: activeFaults.withLock(\.self), among: actions)
        }
        guard format == .text, let prompt = Prompt(completion: completion) else { return InputLines.stream() }
        self.prompt.withLock { $0 = prompt }
        return prompt.lines()
    }

    /// Prints the response to a typed line, above the prompt if there is one.
    func answer(_ text: String) {
        if let prompt = prompt.withLock(\.self) {
            prompt.print("\(SanitizedText(lines: text))")
        } else {
            Terminal.printError(text)
        }
    }

    private func take(_ lines: AsyncStream<String>, _ weather: ConductedRun) async {
        for await line in lines {
            switch TypedLine(line) {
            case .nothing: continue
            case .quit:
                if let invariants = try? await weather.invariants() {
                    verdicts.withLock { $0 = invariants.filter { !weather.isUnseen($0.name) } }
                }
                return weather.end()
            case .tooLong: answer(TypedLine.refusalOfLongLine)
            case .help: answer(actions.help)
            case .verbose(let isOn):
                isVerbose.withLock { $0 = isOn }
                answer(isOn ? "every event is printed" : "routine events are not printed")
            case .status:
                guard let text = try? await status(of: weather) else { return }
                answer(text)
            case .order(let order):
                if order == .step { isStepping.withLock { $0 = true } }
                do {
                    try await weather.perform(order)
                } catch let error as SquallError {
                    answer(error.message)
                } catch {
                    return
                }
            case .record(nil): answer("name the file to write: record tunnel.yaml")
            case .record(let file?):
                guard let recording = try? await weather.seen() else { return }
                let written: Result<String, any Error>
                do { written = .success(try await record(recording, to: file)) } catch { written = .failure(error) }
                answer(Self.text(of: written))
            case .ambiguous(let steps): answer("type one of: " + steps.joined(separator: ", "))
            case .explain(let word): answer(HeldView.explanation(of: word))
            case .unknown(let word):
                answer(TypedLine.answer(toUnknown: word, among: actions) { (try? weather.check($0)) != nil })
            case .step(let step):
                do {
                    try await weather.perform(step)
                } catch let error as SquallError {
                    answer(error.message)
                } catch {
                    return
                }
            }
        }
        await inputEnded(weather)
    }

    /// Returns the response to `status`.
    ///
    /// - Throws: ``SquallError`` if the run has ended.
    private func status(of weather: ConductedRun) async throws -> String {
        guard let recording = try await weather.seen() else { throw SquallError.usage("the run is over") }
        let invariants = try await weather.invariants()
        return ServedStatus(recording, of: scenario.clients, invariants, changes: weather.lastingChanges).text
    }

    /// The syntax of typed steps, and the wording of errors about them.
    private var syntax: FragmentSyntax {
        FragmentSyntax(
            source: "step",
            waiting: ("a typed step runs at once", "type it when it is time; events are printed as they happen"),
            security: hasOwnServer
                ? "squall serve --tls, to which clients connect by wss and https"
                : "squall run one.yaml --client external, with server: { tls: true } in the scenario",
            ownClient: { verb in
                """
                the client is your app: do '\(verb)' there; typed steps are for the server and the network, and of \
                the phone's for device: network, device: handoff and user: portal_login
                """
            }
        )
    }

    // MARK: - Printed events

    @Sendable private func show(_ events: [TraceEvent]) {
        panel.withLock(\.self)?.show(events)
        activeFaults.withLock { labels in
            for event in events {
                guard let label = event.key else { continue }
                if event.name == "fault.began" { labels.append(label) }
                if event.name == "fault.ended" { labels.removeAll { $0 == label } }
            }
        }
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
            output.write(String(decoding: bytes.dropLast(), as: UTF8.self)) { Terminal.print($0) }
        case .text:
            let lines = printed(events).map { "\(SanitizedText(ServedEvents.line($0)))" }
            guard !lines.isEmpty else { return }
            output.write(lines.joined(separator: "\n")) { [self] text in
                if let prompt = prompt.withLock(\.self) { prompt.print(text) } else { Terminal.print(text) }
            }
        }
    }

    /// Returns the events to print. Routine events are printed only in verbose mode or during a single step.
    private func printed(_ events: [TraceEvent]) -> [TraceEvent] {
        let isVerbose = isVerbose.withLock(\.self)
        return isStepping.withLock { isStepping in
            events.filter { event in
                defer { if event.name == RunRegistry.holdBegan { isStepping = false } }
                return isVerbose || isStepping || event.isNotable
            }
        }
    }

    /// Prints the verdict of a session that has ended or was interrupted.
    ///
    /// - Throws: ``SquallError`` if an invariant is violated, except after ctrl-C; any error that ended the session.
    private func judge(_ outcome: Result<CaseResult, any Error>) throws {
        do {
            try judge(try outcome.get())
        } catch is CancellationError {
            let broken = verdicts.withLock(\.self).filter { $0.verdict.outcome == .fail }
            guard !broken.isEmpty else { throw CancellationError() }
            let text = broken.map { "FAIL  invariant \($0.name.rawValue): \($0.verdict.reason.text)" }.joined(
                separator: "\n"
            )
            guard Interruption.serverStatus == .interrupted else { throw SquallError.checkFailed(text) }
            Terminal.printError(text)
            throw CancellationError()
        }
    }

    private func judge(_ result: CaseResult) throws {
        _ = output.finish()
        let broken = result.expectations.filter { $0.verdict == .fail }
        let verdict = Self.verdict(on: result, broken, verdicts.withLock(\.self))
        panel.withLock(\.self)?.end(verdict)
        guard broken.isEmpty else { throw SquallError.checkFailed(verdict) }
        if format == .text { Terminal.printError(verdict) }
    }
}
