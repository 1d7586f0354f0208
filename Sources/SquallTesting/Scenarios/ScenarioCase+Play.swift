import Adapter
import Live
import ScenarioModel
import Squall
import SquallCore

extension ScenarioCase {
    /// Plays the case with Squall's own client: whether the scenario says what you think it says, and what a defect does to it.
    ///
    /// - Parameters:
    ///   - world: A scenario that is for the other world alone comes back as skipped.
    ///   - seed: Where all chance comes from.
    ///   - defects: Known ways to break client or server, by their names (`squall explain defects`).
    /// - Returns: What came of it; a run that does not pass is no error.
    /// - Throws: ``SquallTestingError`` where a defect is not known, or a socket could not be had; `CancellationError`.
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

    /// Plays the case with a client of one's own, over real sockets at wall time.
    ///
    /// What the client does not show or take is skipped, expectation by expectation, with the reason. Returns when the client has left. A
    /// failure while other tests kept the client from its threads is inconclusive; the case is played again then, twice at most.
    ///
    /// - Parameters:
    ///   - seed: Where the chance of server and network comes from; the client is told.
    ///   - client: Makes a client that has not begun: one for each client of the scenario and, where it takes `kill`, for each of its lives, and
    ///     one that is only asked for what it offers.
    /// - Returns: What came of it; a client that does not pass is no error.
    /// - Throws: What `client` throws before the run; ``SquallTestingError`` where a socket could not be had, or where the client has not left
    ///   within five seconds; `CancellationError`.
    public func play(
        seed: UInt64 = 1,
        client: @escaping @Sendable () throws -> any ClientUnderTest
    ) async throws -> ScenarioResult {
        let offer = try client().capabilities
        let (lives, profile) = (ClientLives(), ProfileValues(scenario.profile))
        let hosted = HostedClients { place in
            HostedAdapter(place, offer: offer, profile: profile, lives: lives, make: client)
        }
        return try await play(hosted, offer.offer, name: offer.name, lives, seed: seed)
    }

    /// Plays the case with code that is told its addresses, and judges it from the wire alone, over real sockets at wall time.
    ///
    /// - Parameters:
    ///   - name: What reports call it.
    ///   - seed: Where the chance of server and network comes from.
    ///   - client: Begins to connect, and goes on until its task is cancelled. One that returns or throws before fails the case.
    /// - Returns: What came of it; a client that does not pass is no error.
    /// - Throws: As ``play(seed:client:)``.
    public func play(
        overWire name: String,
        seed: UInt64 = 1,
        client: @escaping @Sendable (ServerAddresses) async throws -> Void
    ) async throws -> ScenarioResult {
        let (lives, profile) = (ClientLives(), ProfileValues(scenario.profile))
        let hosted = HostedClients { place in
            let addresses = ServerAddresses(place, seed: seed, profile: profile)
            return WireOnlyClient(addresses, say: place.send, lives: lives, client)
        }
        return try await play(hosted, nil, name: name, lives, seed: seed)
    }

    private func play(
        _ hosted: HostedClients,
        _ offer: ClientOffer?,
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
        // Whichever way it ended, nothing of the client's goes on behind the test.
        guard await lives.end(within: .seconds(5)) else {
            throw SquallTestingError(
                .failed,
                "'\(name)' was still at work five seconds after its run was over: it must end when its task is cancelled, or when it is told to stop"
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

    /// No command can play what stands in a test.
    private func replay(seed: UInt64) -> String { "the same test, with the seed \(seed)" }
}
