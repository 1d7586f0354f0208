package import Adapter
import ChatWire
package import Conformance
import Faults
import NIOCore
import Sockets
import SquallCore
import WebSocketWire

/// A case that tests a client through its adapter.
package enum AdapterCase: Sendable {
    case webSocket(ConformanceCase)
    case chat(ChatCase)

    package var id: CaseID {
        switch self {
        case .webSocket(let testCase): testCase.id
        case .chat(let testCase): testCase.summary.id
        }
    }
}

/// Runs cases against a client through its adapter. Each case has its own port and its own client process.
package enum AdapterTester {
    /// Starts the client once, and returns the capabilities that it offers in its answer to `init`.
    ///
    /// - Throws: ``AdapterFailure`` if the client does not answer `init`, or `CancellationError`.
    package static func probe(_ command: String) async throws -> AdapterCapabilities {
        try await EventLoopScope.run { (loop, end: @escaping EventLoopScope.End<AdapterCapabilities>) in
            var client: AdapterClient?
            let finish = { (result: Result<AdapterCapabilities, any Error>) -> Void in
                client?.end()
                client = nil
                end(result)
            }
            client = AdapterClient(on: loop) {
                finish(.success($0))
            } onFailure: {
                finish(.failure($0))
            }
            // Port 9 (discard) is only a placeholder: the client does not connect until it receives `start`.
            client?.begin(command, port: 9, path: "/ws", key: "probe")
            return { finish(.failure(CancellationError())) }
        }
    }

    /// Runs the cases, `jobs` at a time, over TLS if `security` is given.
    ///
    /// Returns the results in the order of the cases; after a cancellation, returns the results so far.
    package static func play(
        _ cases: [AdapterCase],
        of chat: ChatTarget,
        command: String,
        agent: String,
        jobs: Int,
        security: ListenerSecurity? = nil,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        try await EventLoopScope.run { (loop, end: @escaping EventLoopScope.End<[ConformanceResult]>) in
            let suite = AdapterSuite(cases, chat, command, agent, security, on: loop, onResult, onEnd: end)
            suite.begin(jobs)
            return { suite.stop() }
        }
    }
}

/// Runs all cases, several at a time. Confined to its event loop.
private final class AdapterSuite {
    private let cases: [AdapterCase]
    private let chat: ChatTarget
    private let command: String
    private let agent: String
    private let security: ListenerSecurity?
    private let loop: any EventLoop
    private let onResult: (ConformanceResult) -> Void
    private let onEnd: EventLoopScope.End<[ConformanceResult]>
    private var next = 0
    private var playing: [Int: AdapterCaseRun] = [:]
    private var results: [Int: ConformanceResult] = [:]
    private var isOver = false

    init(
        _ cases: [AdapterCase],
        _ chat: ChatTarget,
        _ command: String,
        _ agent: String,
        _ security: ListenerSecurity?,
        on loop: any EventLoop,
        _ onResult: @escaping (ConformanceResult) -> Void,
        onEnd: @escaping EventLoopScope.End<[ConformanceResult]>
    ) {
        (self.cases, self.chat, self.command, self.agent, self.loop) = (cases, chat, command, agent, loop)
        (self.security, self.onResult, self.onEnd) = (security, onResult, onEnd)
    }

    func begin(_ jobs: Int) {
        for _ in 0..<max(jobs, 1) { playNext() }
    }

    func stop() {
        playing.values.forEach { $0.end() }
        playing = [:]
        end(.success(inOrder))
    }

    private var inOrder: [ConformanceResult] { results.sorted { $0.key < $1.key }.map(\.value) }

    private func playNext() {
        guard !isOver else { return }
        guard next < cases.count else {
            if playing.isEmpty { end(.success(inOrder)) }
            return
        }
        let index = next
        next += 1
        do throws(SocketError) {
            let play = AdapterCaseRun(cases[index], of: chat, agent, security, on: loop) { [weak self] in
                self?.finished($0, index)
            }
            playing[index] = play
            try play.begin(command) { [weak self] in self?.end(.failure($0)) }
        } catch {
            end(.failure(error))
        }
    }

    private func finished(_ result: ConformanceResult, _ index: Int) {
        guard !isOver, let play = playing.removeValue(forKey: index) else { return }
        play.end()
        results[index] = result
        onResult(result)
        // The call is deferred, because the code that ran the case is still on the call stack.
        loop.assumeIsolated().execute { [weak self] in self?.playNext() }
    }

    private func end(_ result: Result<[ConformanceResult], any Error>) {
        guard !isOver else { return }
        isOver = true
        playing.values.forEach { $0.end() }
        playing = [:]
        onEnd(result)
    }
}

/// One run of a case, with its own port and client process.
private final class AdapterCaseRun {
    private let testCase: AdapterCase
    private let chat: ChatTarget
    private let agent: String
    private let security: ListenerSecurity?
    private let loop: any EventLoop
    private let onResult: (ConformanceResult) -> Void
    private var client: AdapterClient?
    private var acceptor: HTTPAcceptor?
    private var judge: ChatClientTester?
    private var hasCome = false
    private var alarm: Scheduled<Void>?

    /// The time limit from `start` to the client's first connection.
    private static let timeout = TimeSpan.seconds(10)

    init(
        _ testCase: AdapterCase,
        of chat: ChatTarget,
        _ agent: String,
        _ security: ListenerSecurity?,
        on loop: any EventLoop,
        onResult: @escaping (ConformanceResult) -> Void
    ) {
        (self.testCase, self.chat, self.agent, self.security) = (testCase, chat, agent, security)
        (self.loop, self.onResult) = (loop, onResult)
    }

    func begin(_ command: String, onFailure: @escaping (SocketError) -> Void) throws(SocketError) {
        let port = try open(onFailure)
        client = AdapterClient(on: loop) { [weak self] _ in
            self?.client?.start()
            self?.awaitConnection()
        } onFailure: { [weak self] in
            self?.failed("\($0)")
        }
        client?.begin(
            command,
            port: port,
            path: chat.wire.webSocketPath,
            key: chat.key,
            certificate: security?.certificate
        )
    }

    private func open(_ onFailure: @escaping (SocketError) -> Void) throws(SocketError) -> Int {
        switch testCase {
        case .webSocket(let testCase):
            let acceptor = try HTTPAcceptor(
                at: .common,
                port: 0,
                security: security,
                on: loop,
                onFailure: onFailure
            ) { [weak self] in self?.serve($0, testCase) }
            self.acceptor = acceptor
            return acceptor.port
        case .chat(let testCase):
            let judge = try ChatClientTester(
                [testCase],
                of: chat,
                agent: agent,
                at: .common,
                port: 0,
                security: security,
                on: loop,
                onFailure: onFailure,
                onCall: { [weak self] in self?.hasCome = true },
                onCommand: { [weak self] in self?.client?.emit($0) },
                onResult: { [weak self] in self?.finish($0) },
                onEnd: {}
            )
            self.judge = judge
            return judge.port
        }
    }

    private func awaitConnection() {
        alarm = loop.assumeIsolated().scheduleTask(in: .nanoseconds(Self.timeout.nanoseconds)) { [weak self] in
            guard let self, !hasCome else { return }
            failed("the client did not connect within \(Self.timeout) of start")
        }
    }

    /// Runs the case on the first WebSocket connection; later connections are rejected while the case is running.
    private func serve(_ caller: HTTPAcceptor.Caller, _ testCase: ConformanceCase) {
        guard chat.wire.isWebSocket(target: caller.head.target) else {
            caller.connection.onEvent = { _ in }
            caller.connection.write(ChatHTTPStub.answer(caller.head, chat.wire))
            return caller.connection.end(.fin)
        }
        guard !hasCome else {
            return HTTPAcceptor.answer(caller.connection, 503, "only one connection is judged")
        }
        hasCome = true
        let run = CaseRun.server(
            testCase,
            accepting: caller.head,
            remainder: caller.remainder,
            agent: agent,
            at: .uptime
        )
        _ = CaseRunner(run, over: caller.connection, on: loop) { [weak self] in self?.finish($0) }
    }

    private func failed(_ why: String) {
        finish(.notConnected(testCase.id, of: agent, testedRole: .client, why: why))
    }

    private func finish(_ result: ConformanceResult) {
        alarm?.cancel()
        onResult(result)
    }

    func end() {
        alarm?.cancel()
        client?.end()
        client = nil
        acceptor?.close()
        judge?.close()
    }
}
