import ChatWire
package import Conformance
import Faults
import Foundations
import NIOCore
import NIOPosix
import Sockets

/// Judges a server: plays cases against its echo endpoint, several at once.
package enum ServerJudge {
    package enum Failure: Error, Sendable {
        /// Nobody answers at the address.
        case unreachable(String)
    }

    /// Plays the cases of the WebSocket protocol and hands over each result, in the order in which they end; returns all in
    /// the cases' order, or what there is once the task is cancelled.
    ///
    /// `jobs` is how many connections at once.
    package static func play(
        _ cases: [ConformanceCase],
        against target: ServerTarget,
        agent: String,
        jobs: Int,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        try await play(count: cases.count, against: target, jobs, onResult) { place in
            CaseRun.client(
                cases[place],
                host: target.authority,
                path: target.path,
                agent: agent,
                seed: Seed(UInt64(place) + 1),
                at: .uptime
            )
        }
    }

    /// The same for cases of the chat protocol, at the profile's path where the URL names none.
    package static func play(
        _ cases: [ChatCase],
        of chat: ChatTarget,
        against target: ServerTarget,
        agent: String,
        jobs: Int,
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        let path = target.path == "/" ? chat.wire.webSocketPath : target.path
        return try await play(count: cases.count, against: target, jobs, onResult) { place in
            ChatRun.client(
                cases[place],
                chat,
                host: target.authority,
                path: path,
                agent: agent,
                seed: Seed(UInt64(place) + 1),
                at: .uptime
            )
        }
    }

    private static func play<Run: PeerRun>(
        count: Int,
        against target: ServerTarget,
        _ jobs: Int,
        _ onResult: @escaping @Sendable (ConformanceResult) -> Void,
        _ run: @escaping @Sendable (_ place: Int) -> Run
    ) async throws -> [ConformanceResult] {
        try await OneLoop.run { loop, end in
            let session = Session(count, target, run, on: loop, onResult, onEnd: end)
            session.begin(jobs)
            return { session.stop() }
        }
    }

    /// Confined to its loop.
    private final class Session<Run: PeerRun> {
        private let count: Int
        private let target: ServerTarget
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
        private var hasReached = false

        init(
            _ count: Int,
            _ target: ServerTarget,
            _ run: @escaping (Int) -> Run,
            on loop: any EventLoop,
            _ onResult: @escaping (ConformanceResult) -> Void,
            onEnd: @escaping (Result<[ConformanceResult], any Error>) -> Void
        ) {
            (self.count, self.target, self.run, self.loop) = (count, target, run, loop)
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

        private func connect(_ onOutcome: @escaping (ConnectAttempt.Outcome) -> Void) {
            Connection.connect(
                toHost: target.host,
                port: target.port,
                // Long, as it is this loop that may be busy with others' megabytes.
                within: .seconds(15),
                settings: .conformance,
                on: loop,
                onOutcome
            )
        }

        private func connected(_ outcome: ConnectAttempt.Outcome, _ place: Int) {
            switch outcome {
            case .connected(let connection) where isOver: connection.end(.rst)
            case .connected(let connection):
                hasReached = true
                let redial: CasePlayer<Run>.Redial = { [self] tell in
                    connect { if case .connected(let another) = $0 { tell((another, [])) } else { tell(nil) } }
                }
                let player = CasePlayer(run(place), over: connection, on: loop, redial: redial) { [self] in
                    finished($0, place)
                }
                if results[place] == nil { players[place] = player }
            case .failed(let failure) where hasReached: lost(place, "\(failure)")
            case .failed(let failure): end(.failure(Failure.unreachable("\(target) cannot be reached: \(failure)")))
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
