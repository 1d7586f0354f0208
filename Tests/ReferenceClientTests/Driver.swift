import ChatWire
import Faults
import ReferenceClient
import SquallCore
import Testing
import WebSocketWire

/// A client in an environment that the test controls: the test opens sockets, answers as the server and completes disk
/// writes.
///
/// The driver decodes the client's frames and keeps the latest value of each observable.
struct Driver {
    let wire: WireProfile
    private var dialogue = WireDialogue()
    let id: ClientID
    let profile: ClientProfile
    let policy: Policy
    let seed: UInt64
    private(set) var client: Client
    var now = Instant.zero
    /// The client's store, which survives a kill.
    private(set) var store: StoreImage
    /// Whether disk writes complete immediately.
    var diskIsFast = true
    /// Whether the server answers pings automatically.
    var answersPings = false
    private var unansweredPings: [String?] = []
    private(set) var unwritten: [(number: Int, writes: [StoreWrite])] = []

    private(set) var attempts: [(id: ConnectionID, at: Instant)] = []
    /// The latest connection attempt.
    private(set) var current: ConnectionID?
    private(set) var ends: [(id: ConnectionID, how: LinkEnd)] = []
    private(set) var requests: [(id: ExchangeID, request: ChatRequest, at: Instant)] = []
    private(set) var cancelled: [ExchangeID] = []
    /// The uploads that were passed to the phone.
    private(set) var transfers: [(name: String, requests: [ChatRequest])] = []
    private(set) var crash: String?
    /// The requests that the client made to the phone.
    private(set) var wishes: [PhoneRequest] = []
    private var sockets: [ConnectionID: WebSocketConnection] = [:]
    private var raw: [ConnectionID: [UInt8]] = [:]
    /// The client's frames on all connections, oldest first.
    private(set) var said: [(frame: ClientFrame, at: Instant)] = []
    /// The names of the extra frames that the client has sent on all connections, oldest first.
    private(set) var extras: [String] = []
    private(set) var closeFrames = 0
    private(set) var observations: [(observation: Observation, at: Instant)] = []
    private var values: [String: JSON] = [:]

    init(
        _ profile: ClientProfile = .exact,
        policy: Policy = .reference,
        id: ClientID = .only,
        key: String = "key-1",
        seed: UInt64 = 1,
        store: StoreImage = StoreImage(),
        wire: WireProfile = WireProfile(),
        phone: Phone = Phone()
    ) {
        self.wire = wire
        self.id = id
        self.profile = profile
        self.policy = policy
        self.seed = seed
        self.store = store
        client = Client(
            id: id,
            profile: profile,
            policy: policy,
            wire: wire,
            key: key,
            seed: Seed(seed),
            store: store,
            phone: phone
        )
    }

    init(defect name: String, _ profile: ClientProfile = .exact) {
        var profile = profile
        var policy = Policy.reference
        Defect.named(name)?.apply(to: &policy, &profile)
        self.init(profile, policy: policy)
    }

    // MARK: - Observables

    subscript(name: String) -> JSON? { values[name] }

    /// The latest value of every observable reported so far.
    var shown: [String: JSON] { values }

    func text(_ name: String) -> String? { values[name]?.stringValue }

    func list(_ name: String) -> [String] { values[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    var state: String { text("connection.state") ?? "?" }

    /// Returns every value that an observable has had, in order.
    func history(_ name: String) -> [String] {
        observations.compactMap { entry in
            guard entry.observation.name == name, case .set(let value) = entry.observation.change else { return nil }
            return value.stringValue ?? value.description
        }
    }

    func events(_ name: String) -> [JSON] {
        observations.compactMap { entry in
            guard entry.observation.name == name, case .happened(let fields) = entry.observation.change else {
                return nil
            }
            return fields
        }
    }

    var frames: [ClientFrame] { said.map(\.frame) }

    var sends: [ClientFrame.SendRequest] {
        frames.compactMap { if case .send(let request) = $0 { request } else { nil } }
    }

    func said(_ role: FrameRole) -> [ClientFrame] { frames.filter { $0.role == role } }

    mutating func forget() {
        said = []
        extras = []
        observations = []
        requests = []
        attempts = []
        ends = []
        cancelled = []
        closeFrames = 0
    }

    // MARK: - Inputs

    @discardableResult
    mutating func feed(_ input: ClientInput) -> [ClientOutput] {
        let outputs = client.handle(input, at: now)
        for output in outputs { perform(output) }
        if policy == .reference, client.nextDeadline.map({ $0 > now }) ?? true {
            #expect(client.outdatedValues(at: now) == [])
        }
        while diskIsFast, !unwritten.isEmpty { writeOne() }
        while answersPings, !unansweredPings.isEmpty { receive(.pong(id: unansweredPings.removeFirst())) }
        return outputs
    }

    mutating func command(_ command: ClientCommand) {
        feed(.command(command))
    }

    mutating func start() {
        command(.start)
    }

    /// Advances the clock, firing each timer at the instant at which it is due.
    mutating func advance(by span: TimeSpan) {
        let end = now + span
        var turns = 0
        while let deadline = client.nextDeadline, deadline <= end, turns < 100_000 {
            now = max(now, deadline)
            feed(.timer)
            turns += 1
        }
        now = end
    }

    /// Fails all pending disk writes.
    mutating func refuseWrites() {
        while !unwritten.isEmpty {
            let (number, _) = unwritten.removeFirst()
            perform(all: client.handle(.persistFailed(number), at: now))
        }
    }

    mutating func writeOne() {
        guard !unwritten.isEmpty else { return }
        let (number, writes) = unwritten.removeFirst()
        for write in writes { store.apply(write) }
        perform(all: client.handle(.persisted(number), at: now))
    }

    /// Kills the process and starts it again with the same store and the given state of the phone.
    mutating func killAndStart(_ phone: Phone = Phone()) {
        var next = Driver(profile, policy: policy, id: id, seed: seed, store: store, phone: phone)
        next.now = now
        self = next
        start()
    }

    private mutating func perform(all outputs: [ClientOutput]) {
        for output in outputs { perform(output) }
    }

    private mutating func perform(_ output: ClientOutput) {
        switch output {
        case .connect(let id):
            attempts.append((id, now))
            current = id
        case .write(let id, let bytes): read(bytes, on: id)
        case .end(let id, let how): ends.append((id, how))
        case .request(let id, let request): requests.append((id, request, now))
        case .cancel(let id): cancelled.append(id)
        case .transfer(let name, let requests): transfers.append((name, requests))
        case .persist(let number, let writes): unwritten.append((number, writes))
        case .observe(let observation):
            observations.append((observation, now))
            fold(observation)
        case .crashed(let reason): crash = reason
        case .phone(let wish): wishes.append(wish)
        }
    }

    private mutating func fold(_ observation: Observation) {
        let name = observation.name + (observation.key.map { "[\($0)]" } ?? "")
        var items = values[name]?.arrayValue ?? []
        switch observation.change {
        case .happened: return
        case .set(let value):
            values[name] = value
            return
        case .inserted(let place, let item): items.insert(item, at: place)
        case .removed(let place): items.remove(at: place)
        case .replaced(let place, let item): items[place] = item
        }
        values[name] = .array(items)
    }

    // MARK: - The server

    /// The upgrade request of the latest attempt.
    var requestHead: String? { current.flatMap { raw[$0] }.map { String(decoding: $0, as: UTF8.self) } }

    var requestLine: String? { requestHead?.split(whereSeparator: \.isNewline).first.map(String.init) }

    private mutating func read(_ bytes: [UInt8], on id: ConnectionID) {
        guard sockets[id] != nil else {
            raw[id, default: []] += bytes
            return
        }
        for event in sockets[id]?.receive(bytes) ?? [] {
            switch event {
            case .received(.text(let text)):
                let decoded = ClientFrame.decode(text, wire, in: &dialogue)
                if let extra = dialogue.extra { extras.append(extra.name) }
                guard case .frame(let frame) = decoded else { continue }
                said.append((frame, now))
                if case .ping(let id) = frame { unansweredPings.append(id) }
            case .received(.close): closeFrames += 1
            default: break
            }
        }
    }

    /// Opens the socket of the latest attempt.
    mutating func open() {
        guard let id = current else { return }
        feed(.opened(id))
    }

    /// Accepts the upgrade on the server's behalf.
    mutating func upgrade() {
        guard let id = current else { return }
        var parser = HTTPRequestParser()
        parser.append(raw[id] ?? [])
        guard case .head(let head)? = try? parser.next(), var socket = try? WebSocketConnection.server(accepting: head)
        else { return }
        let answer = socket.takeOutput()
        sockets[id] = socket
        feed(.received(id, answer))
    }

    /// Rejects the upgrade with this response.
    mutating func refuseUpgrade(_ status: Int, _ headers: HTTPHeaders = [:], body: String = "") {
        guard let id = current else { return }
        var headers = headers
        headers.append("Content-Length", String(body.utf8.count))
        let head = HTTPResponseHead(status: status, reason: "No", headers: headers)
        feed(.received(id, head.encode() + Array(body.utf8)))
    }

    mutating func receive(_ frame: ServerFrame) {
        guard let bytes = frame.encode(wire, in: &dialogue) else { return }
        receive(text: String(decoding: bytes, as: UTF8.self))
    }

    mutating func receive(text: String) {
        guard let id = current else { return }
        sockets[id]?.sendText(text)
        let bytes = sockets[id]?.takeOutput() ?? []
        feed(.received(id, bytes))
    }

    mutating func receive(bytes: [UInt8]) {
        guard let id = current else { return }
        feed(.received(id, bytes))
    }

    mutating func closeByServer(_ code: CloseCode) {
        guard let id = current else { return }
        sockets[id]?.sendClose(code)
        let bytes = sockets[id]?.takeOutput() ?? []
        feed(.received(id, bytes))
    }

    mutating func drop(_ failure: LinkFailure = .reset) {
        guard let id = current else { return }
        feed(.ended(id, failure))
    }

    mutating func refuse(_ failure: LinkFailure = .refused) {
        guard let id = current else { return }
        feed(.connectFailed(id, failure))
    }

    /// Drives the connection from the attempt to `connected`.
    mutating func connect(session: String = "s1", resumed: Bool = false, lastSequence: Int64 = 0) {
        open()
        upgrade()
        receive(.hello(version: "0.2.0", authVersion: 1))
        receive(.connected(ServerFrame.Connected(session: session, resumed: resumed, lastSequence: lastSequence)))
    }

    /// Starts the client and connects it, without replaying any missed messages.
    mutating func startConnected(lastSequence: Int64 = 0) {
        start()
        connect(lastSequence: lastSequence)
    }

    /// Starts the client and rejects its API key.
    mutating func startRefused() {
        start()
        open()
        upgrade()
        receive(.hello(version: "0.2.0", authVersion: 1))
        receive(.authError(message: "Authentication failed"))
    }

    /// Loses the connection and restores it after the first reconnect delay.
    mutating func reconnect(lastSequence: Int64, missed: [ChatMessage] = [], complete: Bool = true) {
        drop()
        advance(by: .milliseconds(1250))
        connect(lastSequence: lastSequence)
        replay(missed, through: lastSequence, complete: complete)
    }

    mutating func replay(_ messages: [ChatMessage], through last: Int64, complete: Bool = true) {
        receive(.replay(ServerFrame.Replay(messages: messages, complete: complete, lastSequence: last)))
    }

    mutating func confirm(_ id: String, sequence: Int64, duplicate: Bool = false) {
        receive(
            .confirm(
                ServerFrame.Confirmation(
                    clientMessageID: id,
                    messageID: "m\(sequence)",
                    sequence: sequence,
                    timestamp: 1_767_225_600_000 + sequence * 1000,
                    duplicate: duplicate
                )
            )
        )
    }

    // MARK: - HTTP

    /// Returns the unanswered requests for a path, oldest first.
    func open(_ path: String) -> [ExchangeID] {
        requests.filter { $0.request.target.hasPrefix(path) && !cancelled.contains($0.id) }.map(\.id)
    }

    mutating func answer(
        _ path: String,
        _ status: Int = 200,
        headers: [(name: String, value: String)] = [(name: "content-type", value: "application/json")],
        body: [UInt8]? = nil
    ) {
        guard let place = place(of: path) else { return }
        let (id, request, _) = requests.remove(at: place)
        let body = body ?? (status == 200 ? confirmation(of: request.target) : [])
        feed(.response(id, ChatResponse(status: status, headers: headers, body: body)))
    }

    /// Returns the index of the request for this path or, if there is none, of the first request whose path begins with
    /// it.
    private func place(of path: String) -> Int? {
        requests.firstIndex { $0.request.target == path } ?? requests.firstIndex { $0.request.target.hasPrefix(path) }
    }

    mutating func failRequest(_ path: String, _ failure: LinkFailure = .refused) {
        guard let place = place(of: path) else { return }
        feed(.requestFailed(requests.remove(at: place).id, failure))
    }
}

extension Driver: CustomTestStringConvertible {
    var testDescription: String { "client \(state) at \(now)" }
}
