import Adapter
import Live
import ScenarioModel
import Squall
import SquallCore

extension ScenarioCase {
    /// Runs the case with Squall's own client, to check the scenario itself: the case must pass, and must fail when a
    /// defect that it should detect is enabled.
    ///
    /// - Parameters:
    ///   - world: The kind of run: simulated or live. A scenario that supports only the other kind is skipped.
    ///   - seed: The seed of every random decision.
    ///   - defects: The names of known defects to enable in the client or server (`squall explain defects`).
    /// - Returns: The result; a run that does not pass is not an error.
    /// - Throws: ``SquallTestingError`` if a defect is unknown, or a socket cannot be opened; `CancellationError` if
    ///   the task is cancelled.
    public func play(
        in world: ScenarioWorld = .sim,
        seed: UInt64 = 1,
        defects: [String] = []
    ) async throws -> ScenarioResult {
        var options = SuiteOptions()
        options.worlds = [world.world]
        options.defects = defects
        return try await play(options, seed: seed)
    }

    /// Runs the case with your own client, over real sockets and in real time.
    ///
    /// Expectations that need an observable, event or command that the client does not support are skipped, with the
    /// reason. Returns when the client has stopped. If other tests blocked the client's threads, a failure counts as
    /// inconclusive, and the case is run again, at most twice.
    ///
    /// - Parameters:
    ///   - seed: The seed of the random decisions of the server and the network; the client receives it.
    ///   - client: A closure that creates a client without starting it. It is called for each client of the scenario,
    ///     again after each `kill`, and once to read the capabilities.
    /// - Returns: The result; a client that does not pass is not an error.
    /// - Throws: The error that `client` throws before the run; ``SquallTestingError`` if a socket cannot be opened, or
    ///   if the client does not stop within five seconds; `CancellationError` if the task is cancelled.
    public func play(
        seed: UInt64 = 1,
        client: @escaping @Sendable () throws -> any ClientUnderTest
    ) async throws -> ScenarioResult {
        let offer = try client().capabilities
        let (lives, profile) = (ClientLives(), ProfileValues(scenario.profile))
        let hosted = HostedClients { index in
            HostedAdapter(index, offer: offer, profile: profile, lives: lives, make: client)
        }
        return try await play(hosted, offer.offer, name: offer.name, lives, seed: seed)
    }

    /// Runs the case over real sockets and in real time, with a client that receives only the server's addresses. Only
    /// the client's network traffic is evaluated.
    ///
    /// - Parameters:
    ///   - name: The client's name in reports.
    ///   - seed: The seed of the random decisions of the server and the network.
    ///   - client: A closure that connects to the server and runs until its task is cancelled. If it returns or throws
    ///     earlier, the case fails.
    /// - Returns: The result; a client that does not pass is not an error.
    /// - Throws: The same errors as ``play(seed:client:)``.
    public func play(
        overWire name: String,
        seed: UInt64 = 1,
        client: @escaping @Sendable (ServerAddresses) async throws -> Void
    ) async throws -> ScenarioResult {
        let (lives, profile) = (ClientLives(), ProfileValues(scenario.profile))
        let hosted = HostedClients { index in
            let addresses = ServerAddresses(index, seed: seed, profile: profile)
            return WireOnlyClient(addresses, say: index.send, lives: lives, client)
        }
        return try await play(hosted, nil, name: name, lives, seed: seed)
    }

    private func play(
        _ hosted: HostedClients,
        _ offer: AdapterCapabilities?,
        name: String,
        _ lives: ClientLives,
        seed: UInt64
    ) async throws -> ScenarioResult {
        let watch = PoolWatch()
        let choice = HostedChoice(hosted, offer: offer, name: name, replay: replay(seed: seed)) { watch.take() }
        var options = SuiteOptions()
        options.worlds = [.live]
        options.client = .hosted(choice)
        let result: Result<ScenarioResult, any Error>
        do {
            result = .success(try await watch.during { try await play(options, seed: seed) })
        } catch {
            result = .failure(error)
        }
        // None of the client's tasks may outlive the test, even if the run failed.
        guard await lives.end(within: .seconds(5)) else {
            throw SquallTestingError(
                .failed,
                """
                '\(name)' was still running five seconds after its run had ended: it must end when its task is \
                cancelled, or when stop() is called
                """
            )
        }
        return try result.get()
    }

    private func play(_ options: SuiteOptions, seed: UInt64) async throws -> ScenarioResult {
        var options = options
        options.seed = Seed(seed)
        options.wireOf = profile
        options.jobs = 1
        let suite = try await ConcurrencyGate.shared.pass {
            try await SquallTestingError.translating { try await Suite.play([scenario], options) }
        }
        try Task.checkCancellation()
        guard var run = suite.runs.first else { throw SquallTestingError(.failed, "'\(scenario.name)' was not played") }
        if case .code = origin { run.replay = replay(seed: seed) }
        return ScenarioResult(run, origin: origin)
    }

    /// Describes how to repeat a run. No command can run the scenario, because the test reads it from a string.
    private func replay(seed: UInt64) -> String { "the same test, with the seed \(seed)" }
}
