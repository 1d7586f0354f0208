import ChatWire
package import Conformance
import Faults
import NIOCore
import NIOPosix
import Sockets
import SquallCore
package import TLSLink
import WebSocketWire

/// Judges a server: plays cases against its echo endpoint, several at once.
package enum ServerJudge {
    package enum Failure: Error, Hashable, Sendable {
        /// Nobody answers at the address.
        case unreachable(String)
        /// Somebody does, and not as a WebSocket server: what became of a plain opening handshake.
        case noWebSocket(String)
        /// Somebody does who says nothing, where a server of the chat protocol speaks first.
        case noChat(String)
        /// The server's certificate is not believed, or there is no TLS to be had with it.
        case insecure(String)
    }

    /// Plays the cases of the WebSocket protocol and hands over each result, in the order in which they end; returns all in
    /// the cases' order, or what there is once the task is cancelled. Where a plain opening handshake is not answered with
    /// 101, no case is played: it throws a ``Failure``.
    ///
    /// What moves megabytes comes behind all else, whatever the order: a server and this machine that are busy with it
    /// would be late elsewhere, where time counts.
    ///
    /// `trust`: whose certificates are believed, where the target is secure. `jobs` is how many connections at once.
    package static func play(
        _ cases: [ConformanceCase],
        against target: ServerTarget,
        trusting trust: TLSTrust = .system,
        agent: String,
        jobs: Int,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        let run = { @Sendable (subject: ConformanceCase, place: Int) in
            CaseRun.client(
                subject,
                host: target.authority,
                path: target.path,
                agent: agent,
                seed: Seed(UInt64(place) + 1),
                at: .uptime
            )
        }
        let probes = try await play(count: 1, against: target, trust, 1, { _ in }) {
            run(ConformanceCatalogue.probe, $0)
        }
        // None: the task is cancelled.
        guard let probe = probes.first else { return [] }
        guard probe.status == 101 else { throw Failure.noWebSocket(probe.why) }
        var results: [(place: Int, result: ConformanceResult)] = []
        for isHeavy in [false, true] {
            let places = cases.indices.filter { cases[$0].isHeavy == isHeavy }
            let part = try await play(count: places.count, against: target, trust, jobs, isThere: true, onResult) {
                run(cases[places[$0]], places[$0])
            }
            let placeOf = Dictionary(places.map { (cases[$0].id, $0) }) { first, _ in first }
            results += part.compactMap { result in placeOf[result.id].map { ($0, result) } }
            if part.count < places.count { break }
        }
        return results.sorted { $0.place < $1.place }.map(\.result)
    }

    /// The same for cases of the chat protocol, at the profile's path where the URL names none. Where nothing is said on a connection
    /// that is open, no case is played either.
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
        let run = { @Sendable (subject: ChatCase, place: Int) in
            ChatRun.client(
                subject,
                chat,
                host: target.authority,
                path: path,
                agent: agent,
                seed: Seed(UInt64(place) + 1),
                at: .uptime
            )
        }
        let probes = try await play(count: 1, against: target, trust, 1, { _ in }) { run(ChatCatalogue.probe, $0) }
        // None: the task is cancelled.
        guard let probe = probes.first else { return [] }
        // What it says instead is for the cases to judge.
        let hasSpoken = probe.log.entries.contains { $0.direction == .received && $0.header?.opcode == .text }
        guard !probe.isFailure || hasSpoken else { throw Failure.noChat(probe.why) }
        return try await play(count: cases.count, against: target, trust, jobs, isThere: true, onResult) { place in
            run(cases[place], place)
        }
    }

    private static func play<Run: PeerRun>(
        count: Int,
        against target: ServerTarget,
        _ trust: TLSTrust,
        _ jobs: Int,
        isThere: Bool = false,
        _ onResult: @escaping @Sendable (ConformanceResult) -> Void,
        _ run: @escaping @Sendable (_ place: Int) -> Run
    ) async throws -> [ConformanceResult] {
        try await EventLoopScope.run { loop, end in
            let session = Session(count, target, trust, run, on: loop, onResult, onEnd: end)
            session.hasReached = isThere
            session.begin(jobs)
            return { session.stop() }
        }
    }

    /// Confined to its loop.
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
        private var players: [Int: CasePlayer<Run>] = [:]
        private var results: [Int: ConformanceResult] = [:]
        private var isOver = false
        /// Somebody has answered at the address before.
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

        /// What is under way is given up: it could take minutes.
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
            let place = next
            next += 1
            playing += 1
            connect { [self] outcome in connected(outcome, place) }
        }

        /// What has come of a call.
        private enum Reached {
            case connection(Connection)
            case nobody(why: String)
            /// Somebody with whom there is no TLS.
            case stranger(why: String)
            /// Squall could not even try.
            case impossible(any Error)
        }

        private func connect(_ emit: @escaping (Reached) -> Void) {
            Connection.connect(
                toHost: target.host,
                port: target.port,
                // Long, as it is this loop that may be busy with others' megabytes.
                within: .seconds(15),
                settings: .conformance,
                on: loop
            ) { [self] outcome in
                switch outcome {
                case .connected(let connection) where target.isSecure: secure(connection, emit)
                case .connected(let connection): emit(.connection(connection))
                case .failed(let failure): emit(.nobody(why: failure.words))
                case .impossible(let error): emit(.impossible(error))
                }
            }
        }

        private func secure(_ connection: Connection, _ emit: @escaping (Reached) -> Void) {
            do throws(TLSError) {
                let session = try TLS.client(of: target.host, trusting: trust)
                SecuredConnection.begin(session, over: connection, on: loop) { why in
                    guard let why else { return emit(.connection(connection)) }
                    connection.end(.rst)
                    emit(.stranger(why: why))
                }
            } catch {
                connection.end(.rst)
                emit(.impossible(error))
            }
        }

        private func connected(_ outcome: Reached, _ place: Int) {
            switch outcome {
            case .connection(let connection) where isOver: connection.end(.rst)
            case .connection(let connection):
                hasReached = true
                let redial: CasePlayer<Run>.Redial = { [self] emit in
                    connect { if case .connection(let another) = $0 { emit((another, [])) } else { emit(nil) } }
                }
                let player = CasePlayer(run(place), over: connection, on: loop, redial: redial) { [self] in
                    finished($0, place)
                }
                if results[place] == nil { players[place] = player }
            case .nobody(let why) where hasReached, .stranger(let why) where hasReached: lost(place, why)
            case .nobody(let why): end(.failure(Failure.unreachable("\(target) cannot be reached: \(why)")))
            case .stranger(let why): end(.failure(Failure.insecure("\(target): \(why)")))
            case .impossible(let error): end(.failure(error))
            }
        }

        /// The server was there and is not any more: a case before this one, or beside it, has brought it down.
        private func lost(_ place: Int, _ why: String) {
            var run = run(place)
            _ = run.takeOutputs()
            run.receiveEnd(.rst, at: .uptime)
            guard var result = run.result else { return end(.failure(Failure.unreachable("\(target): \(why)"))) }
            (result.behavior, result.why) = (.failed, "the server cannot be reached any more: \(why)")
            (result.closeBehavior, result.closeWhy) = (.failed, result.why)
            finished(result, place)
        }

        private func finished(_ result: ConformanceResult, _ place: Int) {
            guard !isOver else { return }
            results[place] = result
            players[place] = nil
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
    /// As a sentence goes on with it.
    fileprivate var words: String {
        switch self {
        case .refused: "nobody listens there"
        case .timedOut: "no answer came"
        case .reset: "the connection was reset"
        case .endOfStream: "the connection was ended"
        case .tls: "there is no TLS with it"
        case .nameNotFound: "there is no such host"
        case .unreachable: "there is no way to it"
        }
    }
}
