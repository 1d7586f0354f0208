import Adapter
import ChatWire
import Faults
import NIOCore
import NIOPosix
package import ReferenceClient
package import ScenarioModel
import Sockets
import SquallCore

/// The reference client, running as a separate process. It uses the adapter protocol and stores its state in SQLite.
///
/// The object must be used only on its event loop. The response to a `send` is written only once the message is on
/// disk, so that no accepted message is lost when the process is killed.
package final class StandaloneClient {
    /// The observables that the client reports.
    static let shows = ["connection.state", "conversation.messages", "message.status", "outbox.count"]

    private let profile: Profile
    private let policy: Policy
    private let loop: any EventLoop
    private let emit: ([UInt8]) -> Void
    private let fail: (String) -> Void

    private var client: Client?
    private var store: ClientStore?
    private var sockets: ClientSockets?
    private var timer: Scheduled<Void>?
    /// The clock that Squall sets; nil if the client's timers follow real time.
    private var virtualClock: VirtualClock?
    /// The inputs that have not been handled yet, in order of arrival.
    private var inputs: [ClientInput] = []
    private var isStepping = false
    /// The client message id assigned to the current command's message; nil if there is none.
    private var accepted: String?
    /// The number of the write batch that the current command has begun; nil if it has not begun one.
    private var writes: Int?
    /// The responses that are delayed until their writes are on disk, keyed by write batch number.
    private var answers: [Int: AdapterMessage] = [:]
    /// The current content of each reported list, keyed by its name and key; each report contains the whole list.
    private var lists: [String: [JSON]] = [:]

    private init(
        _ profile: Profile,
        _ policy: Policy,
        on loop: any EventLoop,
        emit: @escaping ([UInt8]) -> Void,
        fail: @escaping (String) -> Void
    ) {
        self.profile = profile
        self.policy = policy
        self.loop = loop
        self.emit = emit
        self.fail = fail
    }

    /// Reads and executes commands until `nextLine` returns nil; `fail` is called with the reason if the client cannot
    /// continue.
    package static func run(
        _ profile: Profile,
        _ policy: Policy,
        nextLine: () -> String?,
        emit: @escaping @Sendable ([UInt8]) -> Void,
        fail: @escaping @Sendable (String) -> Void
    ) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let client = try loop.submit {
            NIOLoopBound(StandaloneClient(profile, policy, on: loop, emit: emit, fail: fail), eventLoop: loop)
        }.wait()
        while let line = nextLine() { loop.execute { client.value.take(line) } }
        // This task runs after the tasks for all commands read so far, so those commands are still executed.
        try loop.submit {
            client.value.timer?.cancel()
            client.value.virtualClock?.stop()
        }.wait()
        try group.syncShutdownGracefully()
    }

    // MARK: - Commands

    private func take(_ line: String) {
        guard let (id, command) = AdapterCommand.read(line: line.utf8) else {
            return fail("this line is not a command of the adapter protocol: \(line)")
        }
        guard command.type != "init" else { return begin(command, id) }
        guard client != nil else { return refuse(id, "rejected", "'\(command.type)' came before 'init'") }
        if command.type == AdapterCommand.advance { return advance(command, id) }
        guard let wanted = Self.command(command) else {
            return refuse(id, "not_supported", "'\(command.type)' is not supported")
        }
        accepted = nil
        writes = nil
        handle(.command(wanted))
        if case .send = wanted, accepted == nil {
            return refuse(id, "rejected", "the message was not accepted: is a conversation open?")
        }
        let answer = AdapterMessage.done(to: id, AdapterMessage.Completion(clientMessageID: accepted))
        if let writes { answers[writes] = answer } else { emit(answer.line) }
        runInputs()
    }

    private func refuse(_ id: Int64, _ code: String, _ text: String) {
        emit(AdapterMessage.refused(to: id, AdapterRefusal(code: code, isDefinite: true, text: text)).line)
        runInputs()
    }

    /// The commands that the client supports, besides `init` and `start`.
    static let takes = [
        "open", "send", "retry", "retry_all", "reconnect", "disconnect", "refresh", "background", "foreground",
        "network", "handoff",
    ]

    private static func command(_ command: AdapterCommand) -> ClientCommand? {
        switch command.type {
        case "start": .start
        case "open": command.text("conversation").map { .open(conversation: $0) }
        case "send":
            command.text("text").map {
                .send(conversation: command.text("conversation"), text: $0, label: command.text("label"))
            }
        case "retry": command.text("label").map { .retry(label: $0) }
        case "retry_all": .retryAll
        case "reconnect": .reconnect
        case "disconnect": .disconnect
        case "refresh": .refresh
        case "background": .background
        case "foreground": .foreground
        case "network": command.text("state").map { .network(reachable: $0 == "on") }
        case "handoff": .handoff
        default: nil
        }
    }

    /// Sets the virtual clock, and responds once the client is idle.
    private func advance(_ command: AdapterCommand, _ id: Int64) {
        guard let now = command[field: "now"]?.intValue, let virtualClock else {
            return refuse(id, "rejected", "'advance' needs 'now', after an 'init' with the clock 'virtual'")
        }
        virtualClock.set(to: Instant(nanoseconds: now)) { [weak self] in
            guard let self else { return }
            emit(AdapterMessage.done(to: id, AdapterMessage.Completion(nextTimer: client?.nextDeadline)).line)
        }
        runInputs()
    }

    private var now: Instant { virtualClock?.now ?? .uptime }

    private func begin(_ command: AdapterCommand, _ id: Int64) {
        guard client == nil else { return refuse(id, "rejected", "'init' came twice") }
        guard let webSocket = command.text("ws_url").flatMap(ServerEndpoint.init(url:)),
            let http = command.text("http_url").flatMap(ServerEndpoint.init(url:)), let key = command.text("key"),
            let name = command.text("client")
        else { return refuse(id, "rejected", "'init' needs client, key, ws_url and http_url, without TLS") }
        let seed = command[field: "seed"]?.intValue ?? 1
        let client = ClientID(name)
        do throws(LiveError) {
            let path = command.text("state_dir").map { "\($0)/client.sqlite" } ?? ":memory:"
            if command.text("clock") == AdapterClock.virtual.rawValue { virtualClock = try VirtualClock(on: loop) }
            let store = try ClientStore(of: client, at: path, journal: .file)
            self.store = store
            self.client = Client(
                id: client,
                profile: profile.client,
                policy: policy,
                wire: profile.wire,
                key: key,
                seed: Seed(UInt64(bitPattern: seed)),
                store: try store.image()
            )
        } catch {
            return fail("\(error)")
        }
        let sockets = ClientSockets(webSocket: webSocket, http: http, on: loop)
        sockets.onInput = { [weak self] in
            self?.handle($0)
            self?.runInputs()
        }
        sockets.onFailure = { [fail] in fail("\($0)") }
        self.sockets = sockets
        let offer = AdapterCapabilities(
            name: "squall",
            version: SquallVersion.current,
            shows: Self.shows,
            takes: Self.takes,
            clock: .virtual
        )
        emit(AdapterMessage.ready(to: id, offer).line)
    }

    // MARK: - Steps

    /// Handles an input, or queues it if another input is being handled.
    private func handle(_ input: ClientInput) {
        inputs.append(input)
        if !isStepping { takeStep() }
    }

    private func runInputs() {
        guard !isStepping else { return }
        while !inputs.isEmpty { takeStep() }
        schedule()
    }

    private func takeStep() {
        isStepping = true
        defer { isStepping = false }
        let now = now
        virtualClock?.noteWork()
        // A deadline that has passed is handled before any input read after it.
        if let due = client?.nextDeadline, due <= now { perform(client?.handle(.timer, at: now) ?? []) }
        guard !inputs.isEmpty else { return }
        perform(client?.handle(inputs.removeFirst(), at: now) ?? [])
    }

    private func schedule() {
        timer?.cancel()
        guard let due = client?.nextDeadline else { return }
        if let virtualClock {
            // Only `advance` makes time pass, but a deadline may already have passed.
            if due <= virtualClock.now { runDueTimers() }
            return
        }
        let wait = TimeAmount.nanoseconds(max(0, due.nanoseconds - Instant.uptime.nanoseconds))
        timer = loop.assumeIsolated().scheduleTask(in: wait) { [weak self] in
            self?.takeStep()
            self?.runInputs()
        }
    }

    private func runDueTimers() {
        let loopBound = NIOLoopBound(self, eventLoop: loop)
        loop.execute {
            loopBound.value.takeStep()
            loopBound.value.runInputs()
        }
    }

    private func perform(_ outputs: [ClientOutput]) {
        for output in outputs {
            switch output {
            case .connect(let id): sockets?.connect(id)
            case .write(let id, let bytes): sockets?.write(id, bytes)
            case .end(let id, let how): sockets?.end(id, how)
            case .request(let id, let request): sockets?.request(id, request)
            case .cancel(let id): sockets?.cancel(id)
            case .persist(let number, let changes): persist(number, changes)
            case .observe(let observation): report(observation)
            // Transfers and phone services are not part of the client process.
            case .transfer, .phone: break
            case .crashed(let reason): fail("crashed: \(reason)")
            }
        }
    }

    private func persist(_ number: Int, _ changes: [StoreWrite]) {
        writes = number
        let loopBound = NIOLoopBound((self, changes), eventLoop: loop)
        // The writes are a separate task, so that the process can be killed after it has handled an input but before
        // the resulting writes.
        loop.execute {
            let (client, changes) = loopBound.value
            client.write(number, changes)
        }
    }

    private func write(_ number: Int, _ changes: [StoreWrite]) {
        do throws(LiveError) {
            try store?.apply(changes)
        } catch {
            return fail("\(error)")
        }
        if let answer = answers.removeValue(forKey: number) { emit(answer.line) }
        handle(.persisted(number))
        runInputs()
    }

    // MARK: - Reports

    private func report(_ observation: Observation) {
        if observation.name == "client.accepted" { accepted = observation.key }
        guard Self.shows.contains(observation.name) else { return }
        let place = "\(observation.name)[\(observation.key ?? "")]"
        let value: JSON
        switch observation.change {
        case .happened: return
        case .set(let whole):
            lists[place] = whole.arrayValue
            value = whole
        case .inserted(let index, let row):
            lists[place, default: []].insert(row, at: index)
            value = .array(lists[place] ?? [])
        case .removed(let index):
            lists[place]?.remove(at: index)
            value = .array(lists[place] ?? [])
        case .replaced(let index, let row):
            lists[place]?[index] = row
            value = .array(lists[place] ?? [])
        }
        let event: AdapterEvent =
            switch (observation.name, observation.key, value.stringValue) {
            case ("connection.state", _, let word?): .state(word)
            case ("message.status", let key?, let word?): .status(key: key, word)
            default: .show(name: observation.name, key: observation.key, value)
            }
        emit(AdapterMessage.event(event).line)
    }
}
