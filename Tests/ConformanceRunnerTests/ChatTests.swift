import ChatWire
import Conformance
import ConformanceRunner
import FakeServer
import Faults
import NIOCore
import NIOPosix
import Sockets
import SquallCore
import TestSupport
import Testing
import WebSocketWire

/// Runs the fake server on a port, in real time. All connections belong to the same client.
private final class FakeChat {
    private var listener: Listener?
    private var server: ChatServer
    private var connections: [LinkID: Connection] = [:]
    private let loop: any EventLoop
    private var alarm: Scheduled<Void>?

    init(_ wire: WireProfile, on loop: any EventLoop) throws {
        self.loop = loop
        var profile = ServerProfile()
        // All cases run as the same user within a few seconds, so the rate limit must not reject their messages.
        profile.rateLimit.count = 1000
        server = ChatServer(profile: profile, wire: wire, seed: Seed(3))
        var count = 0
        listener = try Listener(at: .common, settings: SocketSettings(), on: loop, onFailure: { Issue.record($0) }) {
            [weak self] in
            count += 1
            self?.accept($0, LinkID(ClientID("squall"), count))
        }
        try listener?.set(.open)
    }

    var port: Int { listener?.port ?? 0 }

    func close() {
        alarm?.cancel()
        listener?.close()
        listener = nil
    }

    private var now: Instant { .uptime }

    private func accept(_ connection: Connection, _ link: LinkID) {
        connections[link] = connection
        connection.onEvent = { [weak self] event in
            switch event {
            case .received(let bytes): self?.give(.received(link, bytes))
            case .ended(let end): self?.give(.ended(link, end))
            }
        }
        give(.accepted(link))
    }

    private func give(_ input: ServerInput) {
        for output in server.handle(input, at: now) {
            switch output {
            case .write(let link, let bytes): connections[link]?.write(bytes)
            case .end(let link, let how): connections[link]?.end(how)
            case .listen, .observe, .push: break
            }
        }
        alarm?.cancel()
        guard let due = server.nextDeadline else { return }
        let pause = max((due - now).nanoseconds, 0)
        alarm = loop.assumeIsolated().scheduleTask(in: .nanoseconds(pause)) { [weak self] in self?.give(.timer) }
    }
}

/// A chat client that authenticates, acknowledges each message and reconnects as often as requested.
private enum Acknowledger {
    static func play(_ wire: WireProfile, port: Int, times: Int) async throws {
        var memory = Memory()
        for _ in 0..<times { memory = try await connect(wire, port: port, memory) }
    }

    /// The state that a client keeps from one connection to the next.
    private struct Memory {
        var session: String?
        var highest: Int64 = 0
    }

    private static func connect(_ wire: WireProfile, port: Int, _ before: Memory) async throws -> Memory {
        try await EchoDriver.dial(port) { connection, promise in
            var memory = before
            var socket = WebSocketConnection.client(
                host: "chat",
                path: wire.webSocketPath,
                key: Array(0..<16),
                masks: Seed(1).stream("masks")
            )
            connection.write(socket.takeOutput())
            connection.onEvent = { event in
                switch event {
                case .received(let bytes): receive(socket.receive(bytes), wire, &socket, &memory)
                case .ended:
                    connection.end(.fin)
                    return promise.succeed(memory)
                }
                connection.write(socket.takeOutput())
            }
        }
    }

    private static func receive(
        _ events: [WebSocketConnection.Event],
        _ wire: WireProfile,
        _ socket: inout WebSocketConnection,
        _ memory: inout Memory
    ) {
        for case .received(.text(let text)) in events {
            guard case .frame(let frame) = ServerFrame.decode(text, wire) else { continue }
            for answer in answers(to: frame, &memory) {
                socket.sendText(String(decoding: answer.encode(wire), as: UTF8.self))
            }
        }
    }

    private static func answers(to frame: ServerFrame, _ memory: inout Memory) -> [ClientFrame] {
        func acknowledge(_ messages: [ChatMessage]) -> [ClientFrame] {
            memory.highest = messages.reduce(memory.highest) { max($0, $1.sequence) }
            return messages.map { .messageAck(id: $0.id) }
        }
        switch frame {
        case .hello: return [.connect(.init(key: "key-1", session: memory.session))]
        case .connected(let connected):
            memory.session = connected.session
            return memory.highest > 0 ? [.sync(lastSequence: memory.highest)] : []
        case .message(let message): return acknowledge([message])
        case .replay(let replay): return acknowledge(replay.messages)
        default: return []
        }
    }
}

@Suite(.ownThread, .serialized, .timeLimit(.minutes(20))) struct ChatTests {
    @Test("The fake server passes the chat cases over sockets, including those with reconnections")
    func servers() async throws {
        let target = ChatTarget()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let chat = NIOLoopBoundBox<FakeChat?>.makeEmptyBox(valueType: FakeChat.self, eventLoop: loop)
        let port = try await loop.submit {
            let fake = try FakeChat(target.wire, on: loop)
            chat.value = fake
            return fake.port
        }.get()
        let cases = ChatCatalogue.cases(target).filter {
            $0.testedRole == .server && ChatCatalogue.reasonNotRunnable($0, target) == nil
        }
        let results = try await ServerTester.play(
            cases,
            of: target,
            against: ServerTarget("ws://127.0.0.1:\(port)"),
            agent: "fake",
            jobs: 1
        )
        try await loop.submit { chat.value?.close() }.get()
        #expect(results.map(\.id) == cases.map(\.summary.id))
        #expect(results.filter(\.isFailure).map { "\($0.id): \($0.why)" } == [])
    }

    @Test("A server that never sends hello is reported, and no case is played", arguments: ["", "/elsewhere"])
    func noChat(path: String) async throws {
        let target = ChatTarget()
        let cases = ChatCatalogue.cases(target).filter {
            $0.testedRole == .server && ChatCatalogue.reasonNotRunnable($0, target) == nil
        }
        let ready = AsyncStream.makeStream(of: Int.self)
        // An echo server sends nothing before it receives a message.
        let endpoint = Task { try await EchoSession.serve(port: 0) { ready.continuation.yield($0) } }
        for await port in ready.stream {
            let failure = await #expect(throws: ServerTester.Failure.self) {
                try await ServerTester.play(
                    cases,
                    of: target,
                    against: ServerTarget("ws://127.0.0.1:\(port)\(path)"),
                    agent: "echo",
                    jobs: 1,
                    onResult: { Issue.record("\($0.id) was played") }
                )
            }
            guard case .noChat(let why)? = failure else { break }
            #expect(why.contains("hello"))
            break
        }
        endpoint.cancel()
        _ = try await endpoint.value
    }

    @Test("A conforming client passes the chat cases, with a connection for each case")
    func clients() async throws {
        let target = ChatTarget()
        let cases = ChatCatalogue.cases(target).filter {
            $0.testedRole == .client && ChatCatalogue.reasonNotRunnable($0, target) == nil
        }
        let comings = cases.reduce(0) { count, testCase in
            count + 1 + testCase.steps.count { if case .reconnect = $0 { true } else { false } }
        }
        let ready = AsyncStream.makeStream(of: Int.self)
        async let session = ChatClientSession.play(
            cases,
            of: target,
            agent: "acknowledger",
            port: 0,
            command: nil,
            onReady: { ready.continuation.yield($0) }
        )
        for await port in ready.stream {
            try await Acknowledger.play(target.wire, port: port, times: comings)
            break
        }
        let results = try await session.results
        #expect(results.map(\.id) == cases.map(\.summary.id))
        #expect(results.filter(\.isFailure).map { "\($0.id): \($0.why)" } == [])
    }
}
