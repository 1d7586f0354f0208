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

    /// Plays the cases and hands over each result, in the order in which they end; returns all in the cases' order.
    ///
    /// `jobs`: how many connections at once. `isInterrupted`: Asked before each case; once it says yes no further one
    /// begins.
    package static func play(
        _ cases: [ConformanceCase],
        against target: ServerTarget,
        agent: String,
        jobs: Int,
        isInterrupted: @escaping @Sendable () -> Bool = { false },
        onResult: @escaping @Sendable (ConformanceResult) -> Void = { _ in }
    ) async throws -> [ConformanceResult] {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let promise = loop.makePromise(of: [ConformanceResult].self)
        loop.execute {
            Session(cases, target, agent, on: loop, isInterrupted, onResult) { promise.completeWith($0) }.begin(jobs)
        }
        let results: Result<[ConformanceResult], any Error>
        do { results = .success(try await promise.futureResult.get()) } catch { results = .failure(error) }
        try await group.shutdownGracefully()
        return try results.get()
    }

    /// Confined to its loop.
    private final class Session {
        private let cases: [ConformanceCase]
        private let target: ServerTarget
        private let agent: String
        private let loop: any EventLoop
        private let isInterrupted: () -> Bool
        private let onResult: (ConformanceResult) -> Void
        private let onEnd: (Result<[ConformanceResult], any Error>) -> Void
        private var next = 0
        private var playing = 0
        private var results: [Int: ConformanceResult] = [:]
        private var isOver = false

        init(
            _ cases: [ConformanceCase],
            _ target: ServerTarget,
            _ agent: String,
            on loop: any EventLoop,
            _ isInterrupted: @escaping () -> Bool,
            _ onResult: @escaping (ConformanceResult) -> Void,
            onEnd: @escaping (Result<[ConformanceResult], any Error>) -> Void
        ) {
            (self.cases, self.target, self.agent, self.loop) = (cases, target, agent, loop)
            (self.isInterrupted, self.onResult, self.onEnd) = (isInterrupted, onResult, onEnd)
        }

        func begin(_ jobs: Int) {
            for _ in 0..<max(jobs, 1) { playNext() }
        }

        private func playNext() {
            guard !isOver else { return }
            guard next < cases.count, !isInterrupted() else {
                if playing == 0 { end(.success(results.sorted { $0.key < $1.key }.map(\.value))) }
                return
            }
            let place = next
            next += 1
            playing += 1
            Connection.connect(
                toHost: target.host,
                port: target.port,
                within: .seconds(5),
                settings: .conformance,
                on: loop
            ) { [self] outcome in connected(outcome, place) }
        }

        private func connected(_ outcome: ConnectAttempt.Outcome, _ place: Int) {
            switch outcome {
            case .connected(let connection):
                let run = CaseRun.client(
                    cases[place],
                    host: target.authority,
                    path: target.path,
                    agent: agent,
                    seed: Seed(UInt64(place) + 1),
                    at: CasePlayer.now
                )
                _ = CasePlayer(run, over: connection, on: loop) { [self] in finished($0, place) }
            case .failed(let failure): end(.failure(Failure.unreachable("\(target) cannot be reached: \(failure)")))
            case .impossible(let error): end(.failure(error))
            }
        }

        private func finished(_ result: ConformanceResult, _ place: Int) {
            results[place] = result
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
