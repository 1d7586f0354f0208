import ChatWire
package import Conformance
import Faults
import NIOCore
import NIOPosix
import Sockets
import SquallCore
package import TLSLink
import WebSocketWire

/// Tests a server by running cases against its echo endpoint, several at a time.
package enum ServerTester {
    package enum Failure: Error, Hashable, Sendable {
        /// No connection to the address could be established.
        case unreachable(String)
        /// The target is not a WebSocket server; the text describes the result of a plain opening handshake.
        case noWebSocket(String)
        /// The target sends nothing, although the chat protocol requires the server to send the first frame.
        case noChat(String)
        /// The server's certificate is not trusted, or the TLS handshake failed.
        case insecure(String)
    }

    /// Runs WebSocket-protocol cases and returns the results in the order of the cases.
    ///
    /// `onResult` is called with each result when its case ends. After a cancellation, the results so far are returned.
    ///
    /// Heavy cases are run last, because they would slow down the server and this machine during cases with time
    /// limits.
    ///
    /// `trust` selects the trusted certificates of a `wss` target. `jobs` is the number of simultaneous connections.
    ///
    /// - Throws: ``Failure`` without running any case if the target does not answer a plain opening handshake with 101.
    package static func play(
        _ cases: [ConformanceCase],
        against target: ServerTarget,
        trusting trust: TLSTrust = .system,
        agent: String,
        jobs: Int,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        let run = { @Sendable (testCase: ConformanceCase, index: Int) in
            CaseRun.client(
                testCase,
                host: target.authority,
                path: target.path,
                agent: agent,
                seed: Seed(UInt64(index) + 1),
                at: .uptime
            )
        }
        let probes = try await play(count: 1, against: target, trust, 1, { _ in }) {
            run(ConformanceCatalogue.probe, $0)
        }
        // `probes` is empty only if the task was cancelled.
        guard let probe = probes.first else { return [] }
        guard probe.status == 101 else { throw Failure.noWebSocket(probe.why) }
        var results: [(index: Int, result: ConformanceResult)] = []
        for isHeavy in [false, true] {
            let places = cases.indices.filter { cases[$0].isHeavy == isHeavy }
            let part = try await play(count: places.count, against: target, trust, jobs, isThere: true, onResult) {
                run(cases[places[$0]], places[$0])
            }
            let placeOf = Dictionary(places.map { (cases[$0].id, $0) }) { first, _ in first }
            results += part.compactMap { result in placeOf[result.id].map { ($0, result) } }
            if part.count < places.count { break }
        }
        return results.sorted { $0.index < $1.index }.map(\.result)
    }

    /// Runs chat-protocol cases, at the profile's path if the URL has none.
    ///
    /// - Throws: ``Failure`` without running any case if the target sends nothing on an open connection.
    package static func play(
        _ cases: [ChatCase],
        of chat: ChatTarget,
        against target: ServerTarget,
        trusting trust: TLSTrust = .system,
        agent: String,
        jobs: Int,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        let path = target.path == "/" ? chat.wire.webSocketPath : target.path
        let run = { @Sendable (testCase: ChatCase, index: Int) in
            ChatRun.client(
                testCase,
                chat,
                host: target.authority,
                path: path,
                agent: agent,
                seed: Seed(UInt64(index) + 1),
                at: .uptime
            )
        }
        let probes = try await play(count: 1, against: target, trust, 1, { _ in }) { run(ChatCatalogue.probe, $0) }
        // `probes` is empty only if the task was cancelled.
        guard let probe = probes.first else { return [] }
        // A server that has sent any text frame is tested, even if the frame is invalid, because the cases themselves
        // report invalid frames.
        let hasSentText = probe.log.entries.contains { $0.direction == .received && $0.header?.opcode == .text }
        guard !probe.isFailure || hasSentText else { throw Failure.noChat(probe.why) }
        return try await play(count: cases.count, against: target, trust, jobs, isThere: true, onResult) { index in
            run(cases[index], index)
        }
    }

    private static func play<Run: PeerRun>(
        count: Int,
        against target: ServerTarget,
        _ trust: TLSTrust,
        _ jobs: Int,
        isThere: Bool = false,
        _ onResult: @escaping @Sendable (ConformanceResult) -> Void,
        _ run: @escaping @Sendable (_ index: Int) -> Run
    ) async throws -> [ConformanceResult] {
        try await EventLoopScope.run { loop, end in
            let session = Session(count, target, trust, run, on: loop, onResult, onEnd: end)
            session.hasReached = isThere
            session.begin(jobs)
            return { session.stop() }
        }
    }

    /// Runs all cases, several at a time. Confined to its event loop.
    private final class Session<Run: PeerRun> {
        private let count: Int
        private let target: ServerTarget
        private let trust: TLSTrust
        private let run: (Int) -> Run
        private let loop: any EventLoop
        private let onResult: (ConformanceResult) -> Void
        private let onEnd: (Result<[ConformanceResult], any Error>) -> Void
        private var next = 0
        private var playing = 0
        private var players: [Int: CaseRunner<Run>] = [:]
        private var results: [Int: ConformanceResult] = [:]
        private var isOver = false
        /// Whether any connection to the address has been established.
        var hasReached = false

        init(
            _ count: Int,
            _ target: ServerTarget,
            _ trust: TLSTrust,
            _ run: @escaping (Int) -> Run,
            on loop: any EventLoop,
            _ onResult: @escaping (ConformanceResult) -> Void,
            onEnd: @escaping (Result<[ConformanceResult], any Error>) -> Void
        ) {
            (self.count, self.target, self.trust, self.run, self.loop) = (count, target, trust, run, loop)
            (self.onResult, self.onEnd) = (onResult, onEnd)
        }

        func begin(_ jobs: Int) {
            for _ in 0..<max(jobs, 1) { playNext() }
        }

        /// Ends the session and aborts the cases in progress, because they could take minutes to finish.
        func stop() {
            players.values.forEach { $0.abandon() }
            end(.success(inOrder))
        }

        private var inOrder: [ConformanceResult] { results.sorted { $0.key < $1.key }.map(\.value) }

        private func playNext() {
            guard !isOver else { return }
            guard next < count else {
                if playing == 0 { end(.success(inOrder)) }
                return
            }
            let index = next
            next += 1
            playing += 1
            connect { [self] outcome in connected(outcome, index) }
        }

        /// The outcome of a connection attempt.
        private enum ConnectOutcome {
            case connection(Connection)
            case unreachable(why: String)
            /// The TLS handshake failed.
            case insecure(why: String)
            /// The attempt could not be started.
            case impossible(any Error)
        }

        private func connect(_ emit: @escaping (ConnectOutcome) -> Void) {
            Connection.connect(
                toHost: target.host,
                port: target.port,
                // The timeout is long, because the event loop may be busy transferring megabytes on other connections.
                within: .seconds(15),
                settings: .conformance,
                on: loop
            ) { [self] outcome in
                switch outcome {
                case .connected(let connection) where target.isSecure: secure(connection, emit)
                case .connected(let connection): emit(.connection(connection))
                case .failed(let failure): emit(.unreachable(why: failure.words))
                case .impossible(let error): emit(.impossible(error))
                }
            }
        }

        private func secure(_ connection: Connection, _ emit: @escaping (ConnectOutcome) -> Void) {
            do throws(TLSError) {
                let session = try TLS.client(of: target.host, trusting: trust)
                SecuredConnection.begin(session, over: connection, on: loop) { why in
                    guard let why else { return emit(.connection(connection)) }
                    connection.end(.rst)
                    emit(.insecure(why: why))
                }
            } catch {
                connection.end(.rst)
                emit(.impossible(error))
            }
        }

        private func connected(_ outcome: ConnectOutcome, _ index: Int) {
            switch outcome {
            case .connection(let connection) where isOver: connection.end(.rst)
            case .connection(let connection):
                hasReached = true
                let redial: CaseRunner<Run>.Redial = { [self] emit in
                    connect { if case .connection(let another) = $0 { emit((another, [])) } else { emit(nil) } }
                }
                let player = CaseRunner(run(index), over: connection, on: loop, redial: redial) { [self] in
                    finished($0, index)
                }
                if results[index] == nil { players[index] = player }
            case .unreachable(let why) where hasReached, .insecure(let why) where hasReached: lost(index, why)
            case .unreachable(let why): end(.failure(Failure.unreachable("\(target) cannot be reached: \(why)")))
            case .insecure(let why): end(.failure(Failure.insecure("\(target): \(why)")))
            case .impossible(let error): end(.failure(error))
            }
        }

        /// Fails the case at `index`, because the server is no longer reachable. An earlier or concurrent case has
        /// probably crashed the server.
        private func lost(_ index: Int, _ why: String) {
            var run = run(index)
            _ = run.takeOutputs()
            run.receiveEnd(.rst, at: .uptime)
            guard var result = run.result else { return end(.failure(Failure.unreachable("\(target): \(why)"))) }
            (result.behavior, result.why) = (.failed, "the server is no longer reachable: \(why)")
            (result.closeBehavior, result.closeWhy) = (.failed, result.why)
            finished(result, index)
        }

        private func finished(_ result: ConformanceResult, _ index: Int) {
            guard !isOver else { return }
            results[index] = result
            players[index] = nil
            playing -= 1
            onResult(result)
            playNext()
        }

        private func end(_ result: Result<[ConformanceResult], any Error>) {
            guard !isOver else { return }
            isOver = true
            onEnd(result)
        }
    }
}

extension LinkFailure {
    /// The failure, phrased to complete an error message.
    fileprivate var words: String {
        switch self {
        case .refused: "connection refused"
        case .timedOut: "the connection attempt timed out"
        case .reset: "the connection was reset"
        case .endOfStream: "the connection was ended"
        case .tls: "the TLS handshake failed"
        case .nameNotFound: "unknown host"
        case .unreachable: "the host is unreachable"
        }
    }
}
