import Squall
import SquallCore
import Synchronization
import Testing

/// A fake server behind a faulty link, under a test's control.
///
/// ``server``, ``network`` and ``device`` have the actions of the scenario language as methods, by the same names and
/// with the same parameters. ``perform(_:)`` takes the language itself:
///
/// ```swift
/// try await weather.network.stall(for: .seconds(3), as: "tunnel")
/// try await weather.server.post(to: "stukov", count: 3)
/// try await weather.perform("network: { heal: tunnel }")
/// ```
public struct Weather: Sendable {
    /// The weather of the ``Testing/Trait/weather(profile:seed:)`` trait that the running test has; nil without one.
    @TaskLocal public static var current: Weather?

    private let conducted: ConductedRun
    private let playing: Task<ScenarioResult, any Error>
    private let seed: UInt64
    private let profile: ProfileValues
    private let judging = Judging()
    /// Where the client finds the server; of several clients, the first.
    public private(set) var addresses: ServerAddresses

    /// Whether the test judges the weather itself.
    private final class Judging: Sendable {
        private let isTestsOwn = Mutex(false)

        func leaveToTest() { isTestsOwn.withLock { $0 = true } }
        var isLeftToTest: Bool { isTestsOwn.withLock { $0 } }
    }

    // MARK: - Actions

    /// The actions of the server.
    public var server: ServerActions { ServerActions(WeatherStep(actor: "server", weather: self)) }
    /// The actions of the network.
    public var network: NetworkActions { NetworkActions(WeatherStep(actor: "network", weather: self)) }
    /// What happens to the device's network. All other actions of user and device are the client's own, and the
    /// test's to call.
    public var device: DeviceActions { DeviceActions(WeatherStep(actor: "device", weather: self)) }

    /// Performs a step of a script, such as `network: { stall: { for: 3s } }`, or a list of steps.
    ///
    /// Returns when the action has begun, not when its time is over. `as:` names a fault for `heal`, or a message.
    ///
    /// - Throws: ``SquallTestingError`` with line, caret and suggestion if the step is wrong, or if the weather has
    ///   ended; `CancellationError`.
    public func perform(_ steps: String) async throws {
        try await SquallTestingError.translating { _ = try await conducted.perform(steps) }
    }

    // MARK: - Waiting and judging

    /// Waits for an event, or for a state that comes to hold.
    ///
    /// Everything counts that has happened since the last call on this weather, or since the event that met the last
    /// `next`: between two calls nothing is missed.
    ///
    /// - Parameters:
    ///   - what: What to wait for, such as `.clientConnected` or `"server.stored[hello]"`.
    ///   - within: The longest wait, more than zero, at wall time from now.
    /// - Returns: The event that met the condition.
    /// - Throws: ``SquallTestingError`` if it does not come in time (with what was seen instead), if the name is
    ///   unknown or only a client could report it, or if the weather has ended; `CancellationError`.
    @discardableResult
    public func next(_ what: WeatherCondition, within: Duration) async throws -> ScenarioTrace.Event {
        let event = try await SquallTestingError.translating {
            try await conducted.wait(what.text, next: true, within: TimeSpan(within))
        }
        guard let event else { throw SquallTestingError(.failed, "no event met '\(what.text)'") }
        return ScenarioTrace.Event(event)
    }

    /// Waits until a state holds or an event has ever happened; returns at once if it already has.
    ///
    /// - Parameters:
    ///   - what: What to wait for, such as `.linkState("open")`.
    ///   - within: The longest wait, more than zero, at wall time from now.
    /// - Throws: As ``next(_:within:)``.
    public func until(_ what: WeatherCondition, within: Duration) async throws {
        _ = try await SquallTestingError.translating {
            try await conducted.wait(what.text, next: false, within: TimeSpan(within))
        }
    }

    /// Returns what has been seen so far.
    ///
    /// - Throws: ``SquallTestingError`` if the weather has ended; `CancellationError`.
    public func trace() async throws -> ScenarioTrace {
        let seen = try await SquallTestingError.translating { try await conducted.seen() }
        guard let seen else { throw SquallTestingError(.failed, "nothing was seen") }
        return ScenarioTrace(seen)
    }

    /// Ends the weather and judges what was seen: by the standing invariants as far as the wire shows them, and by what
    /// the scenario expects, whose open bounds are waited for.
    ///
    /// The result is then the test's to judge (``ScenarioResult/expectPass(sourceLocation:)``). Afterwards no action
    /// and no wait is possible; a second call returns the same result.
    ///
    /// - Throws: ``SquallTestingError`` if a socket could not be had; `CancellationError`.
    public func end() async throws -> ScenarioResult {
        judging.leaveToTest()
        return try await result()
    }

    /// Leaves the weather unjudged: whatever invariant the client broke,
    /// ``withWeather(profile:seed:sourceLocation:_:)`` does not fail the test. For tests of clients that are broken on
    /// purpose.
    public func discard() { judging.leaveToTest() }

    private func result() async throws -> ScenarioResult {
        conducted.end()
        return try await withTaskCancellationHandler {
            try await playing.value
        } onCancel: {
            playing.cancel()
        }
    }

    /// Fails the test if the client broke an invariant or an expectation, unless the test has judged or discarded the
    /// weather.
    ///
    /// - Throws: ``ScenarioFailure`` outside of Swift Testing; ``SquallTestingError``, `CancellationError`.
    func judge() async throws {
        guard !judging.isLeftToTest else { return }
        let result = try await result()
        guard result.verdict == .fail else { return }
        guard Test.current != nil else { throw ScenarioFailure(result) }
        result.expectPass()
    }

    /// Returns where one of several clients finds the server; each has addresses of its own.
    ///
    /// - Throws: ``SquallTestingError`` if the scenario has no such client.
    public func addresses(of client: String) async throws -> ServerAddresses {
        let place = try await SquallTestingError.translating { try await conducted.place(of: client) }
        return ServerAddresses(place, seed: seed, profile: profile)
    }
}

extension Weather {
    /// Returns the weather once its server listens.
    static func listening(
        _ conducted: ConductedRun,
        _ playing: Task<ScenarioResult, any Error>,
        seed: UInt64,
        profile: ProfileValues
    ) async throws -> Weather {
        let place = try await SquallTestingError.translating {
            try await conducted.place(of: conducted.clients.first ?? "")
        }
        return Weather(
            conducted: conducted,
            playing: playing,
            seed: seed,
            profile: profile,
            addresses: ServerAddresses(place, seed: seed, profile: profile)
        )
    }
}
