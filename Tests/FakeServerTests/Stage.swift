import ChatWire
import FakeServer
import Faults
import SquallCore
import Testing
import WebSocketWire

/// A server and its clients, which use the real codecs and a clock that the test advances.
struct Stage {
    struct Note: Hashable {
        var time: Instant
        var client: ClientID?
        var name: String
        var key: String?
        var fields: JSON
    }

    struct Pushed: Hashable {
        var push: Push
        var token: String
        var label: String?
    }

    private struct Caller {
        var socket: WebSocketConnection?
        var parser = HTTPResponseParser()
        var response: ChatResponse?
        var frames: [ServerFrame] = []
        var errorIDs: [String?] = []
        var oddities: [WebSocketMessage] = []
        var close: ClosePayload?
        var end: LinkEnd?
    }

    var server: ChatServer
    private(set) var now = Instant.zero
    private(set) var notes: [Note] = []
    private(set) var written: [UInt8] = []
    /// The notifications that the server has passed to the push service.
    private(set) var pushed: [Pushed] = []
    /// Whether clients answer a FIN with their own FIN, as real clients do.
    var answersEnd = true
    let wire: WireProfile
    private var callers: [LinkID: Caller] = [:]
    private var dialled: [ClientID: Int] = [:]

    init(
        profile: ServerProfile = ServerProfile(),
        policy: ServerPolicy = ServerPolicy(),
        wire: WireProfile = WireProfile(),
        history: [ServerHistory] = []
    ) {
        self.wire = wire
        server = ChatServer(profile: profile, policy: policy, wire: wire, seed: Seed(7), history: history)
    }

    init(_ adjust: (inout ServerProfile) -> Void) {
        var profile = ServerProfile()
        adjust(&profile)
        self.init(profile: profile)
    }

    // MARK: Input

    mutating func give(_ input: ServerInput) {
        for output in server.handle(input, at: now) { take(output) }
    }

    mutating func act(_ action: ServerAction) {
        give(.action(action))
    }

    /// Performs an action given by its verb and arguments, as in a scenario file.
    mutating func act(
        _ verb: String,
        _ values: [(name: String, value: ArgumentValue)] = [],
        label: String? = nil
    ) throws {
        act(try #require(try ServerAction(verb: verb, Arguments(values, label: label))))
    }

    mutating func advance(_ span: TimeSpan) {
        let target = now + span
        while let deadline = server.nextDeadline, deadline <= target {
            now = max(now, deadline)
            give(.timer)
        }
        now = target
    }

    private mutating func take(_ output: ServerOutput) {
        switch output {
        case .write(let id, let bytes):
            written += bytes
            #expect(callers[id]?.end == nil, "nothing is written behind an end")
            read(bytes, on: id)
        case .end(let id, let end):
            #expect(callers[id]?.end == nil, "a connection is ended once")
            callers[id]?.end = end
            if end == .fin, answersEnd { give(.ended(id, .fin)) }
        case .listen: break
        case .push(let payload, let token, let label):
            guard let push = Push(payload: payload) else {
                Issue.record("the payload of a push is not complete")
                return
            }
            pushed.append(Pushed(push: push, token: token, label: label))
        case .observe(let observation, let client):
            guard case .happened(let fields) = observation.change else {
                Issue.record("the server emits only events")
                return
            }
            check(observation.name, fields, key: observation.key)
            notes.append(Note(time: now, client: client, name: observation.name, key: observation.key, fields: fields))
        }
    }

    /// Checks that an event is in the registry, and that no field contains a secret.
    private func check(_ name: String, _ fields: JSON, key: String?) {
        guard let entry = ChatServer.registry.first(where: { $0.name == name }),
            case .fields(let allowed, _) = entry.value
        else {
            Issue.record("\(name) is not in the registry")
            return
        }
        for member in fields.members ?? [] {
            let field = allowed.first { $0.name == member.name }
            #expect(
                field.map { $0.kind.problem(with: member.value) } == .some(nil),
                "\(name) has a field \(member.name): \(member.value)"
            )
        }
        #expect(key == nil || entry.key != nil, "\(name) has a key")
        #expect(!fields.description.contains(server.profile.auth.key), "\(name) holds the key")
    }

    // MARK: Connections

    mutating func dial(_ client: String) -> LinkID {
        let client = ClientID(client)
        dialled[client, default: 0] += 1
        let id = LinkID(client, dialled[client] ?? 0)
        callers[id] = Caller()
        give(.accepted(id))
        return id
    }

    mutating func send(_ bytes: [UInt8], on id: LinkID) {
        give(.received(id, bytes))
    }

    /// Opens a WebSocket. The server's hello may arrive before this function returns.
    mutating func open(
        _ client: String = "anna",
        host: String = "chat.test",
        query: String = "",
        deflate: [DeflateOffer] = []
    ) -> LinkID {
        let id = dial(client)
        var socket = WebSocketConnection.client(
            host: host,
            path: wire.webSocketPath + query,
            key: Array(0..<16),
            masks: Seed(1).stream("masks", for: id.client),
            deflate: deflate
        )
        let request = socket.takeOutput()
        callers[id]?.socket = socket
        send(request, on: id)
        return id
    }

    /// Opens a WebSocket and authenticates.
    mutating func connect(_ client: String = "anna", session: String? = nil) -> LinkID {
        let id = open(client)
        say(.connect(.init(key: "key-1", session: session)), on: id)
        return id
    }

    /// Opens a WebSocket and authenticates like ``connect(_:session:)``, but discards the frames received in the
    /// meantime.
    mutating func join(_ client: String = "anna") -> LinkID {
        let id = connect(client)
        _ = frames(id)
        return id
    }

    mutating func say(_ frame: ClientFrame, on id: LinkID) {
        say(String(decoding: frame.encode(wire), as: UTF8.self), on: id)
    }

    mutating func say(_ text: String, on id: LinkID) {
        callers[id]?.socket?.sendText(text)
        flush(id)
    }

    mutating func sayBinary(_ bytes: [UInt8], on id: LinkID) {
        callers[id]?.socket?.sendBinary(bytes)
        flush(id)
    }

    mutating func close(_ id: LinkID, _ code: CloseCode) {
        callers[id]?.socket?.sendClose(code)
        flush(id)
    }

    mutating func hangUp(_ id: LinkID, _ end: LinkEnd = .fin) {
        give(.ended(id, end))
    }

    private mutating func flush(_ id: LinkID) {
        guard let bytes = callers[id]?.socket?.takeOutput(), !bytes.isEmpty else { return }
        send(bytes, on: id)
    }

    private mutating func read(_ bytes: [UInt8], on id: LinkID) {
        guard callers[id]?.socket != nil else { return readResponse(bytes, on: id) }
        for event in callers[id]?.socket?.receive(bytes) ?? [] {
            switch event {
            case .opened: break
            case .received(.text(let text)):
                switch ServerFrame.decode(text, wire) {
                case .frame(.error(var error)):
                    // Error ids are consecutive numbers. They are stored separately, so that tests can compare errors
                    // by their other fields.
                    callers[id]?.errorIDs.append(error.id)
                    error.id = nil
                    callers[id]?.frames.append(.error(error))
                case .frame(let frame): callers[id]?.frames.append(frame)
                case .unknownType, .untyped, .malformed: callers[id]?.oddities.append(.text(text))
                }
            case .received(.close(let payload)): callers[id]?.close = payload
            case .received(let other): callers[id]?.oddities.append(other)
            case .failed(.handshake(.refused(let head))):
                callers[id]?.response = ChatResponse(status: head.status)
            case .failed(let failure): Issue.record("the server broke a rule: \(failure)")
            }
        }
        flush(id)
    }

    private mutating func readResponse(_ bytes: [UInt8], on id: LinkID) {
        callers[id]?.parser.append(bytes)
        do {
            while let event = try callers[id]?.parser.next() {
                switch event {
                case .head(let head) where head.status >= 200:
                    let headers = head.headers.fields.map { (name: $0.name.lowercased(), value: $0.value) }
                    callers[id]?.response = ChatResponse(status: head.status, headers: headers)
                case .head: break
                case .body(let piece): callers[id]?.response?.body += piece
                case .end: break
                }
            }
        } catch {
            Issue.record("no HTTP response: \(error)")
        }
    }

    // MARK: HTTP

    mutating func request(
        _ route: ChatRoute,
        of client: String = "anna",
        key: String? = "key-1",
        body: [UInt8] = []
    ) -> LinkID {
        let request = route.request(wire, key: key, body: body)
        var headers: HTTPHeaders = ["Host": "chat.test", "Content-Length": String(body.count)]
        if let authorization = request.authorization { headers.append("Authorization", authorization) }
        let head = HTTPRequestHead(method: request.method, target: request.target, headers: headers)
        let id = dial(client)
        send(head.encode() + body, on: id)
        return id
    }

    /// Sends a request and returns its immediate response.
    mutating func fetch(
        _ route: ChatRoute,
        of client: String = "anna",
        key: String? = "key-1",
        body: [UInt8] = []
    ) throws -> ChatResponse {
        let id = request(route, of: client, key: key, body: body)
        return try #require(response(id))
    }

    func response(_ id: LinkID) -> ChatResponse? { callers[id]?.response }

    // MARK: Received frames

    /// Removes and returns the frames that have arrived since the last call.
    mutating func frames(_ id: LinkID) -> [ServerFrame] {
        defer { callers[id]?.frames = [] }
        return callers[id]?.frames ?? []
    }

    func errorIDs(_ id: LinkID) -> [String?] { callers[id]?.errorIDs ?? [] }
    func oddities(_ id: LinkID) -> [WebSocketMessage] { callers[id]?.oddities ?? [] }
    func close(_ id: LinkID) -> ClosePayload? { callers[id]?.close }
    func end(_ id: LinkID) -> LinkEnd? { callers[id]?.end }

    func named(_ name: String) -> [Note] { notes.filter { $0.name == name } }

    mutating func forgetNotes() {
        notes = []
    }

    /// Removes the frames received so far, and returns the last `connected` frame among them.
    mutating func session(_ id: LinkID) throws -> ServerFrame.Connected {
        for case .connected(let connected) in frames(id).reversed() { return connected }
        throw NotConnected()
    }

    struct NotConnected: Error {}
}

extension ClientFrame {
    static func send(_ id: String?, _ text: String = "hello", to conversation: String = "stukov") -> ClientFrame {
        .send(SendRequest(clientMessageID: id, conversation: conversation, text: text))
    }
}

extension [ServerFrame] {
    var roles: [FrameRole] { map(\.role) }

    var messages: [ChatMessage] {
        compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var confirmations: [ServerFrame.Confirmation] {
        compactMap { if case .confirm(let confirmation) = $0 { confirmation } else { nil } }
    }

    var errors: [ServerFrame.ServerError] {
        compactMap { if case .error(let error) = $0 { error } else { nil } }
    }

    var replays: [ServerFrame.Replay] {
        compactMap { if case .replay(let replay) = $0 { replay } else { nil } }
    }
}
