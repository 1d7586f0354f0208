import Squall
import SquallCore
import Synchronization
import Testing

/// A fake server behind a faulty link, under a test's control.
///
/// ``server``, ``network`` and ``device`` have the actions of the scenario language as methods, with the same names and
/// parameters. ``perform(_:)`` performs steps that are written in the scenario language:
///
/// ```swift
/// try await weather.network.stall(for: .seconds(3), as: "tunnel")
/// try await weather.server.post(to: "stukov", count: 3)
/// try await weather.perform("network: { heal: tunnel }")
/// ```
public struct Weather: Sendable {
    /// The weather (a server and a faulty link) that the trait ``Testing/Trait/weather(profile:seed:)`` has created for
    /// the running test; nil if the test has no such trait.
    @TaskLocal public static var current: Weather?

    private let conducted: ConductedRun
    private let playing: Task<ScenarioResult, any Error>
    private let seed: UInt64
    private let profile: ProfileValues
    private let judging = Evaluation()
    /// The addresses at which the client reaches the server; with several clients, the addresses for the first client.
    public private(set) var addresses: ServerAddresses

    /// Records whether the test itself evaluates the result of the run.
    private final class Evaluation: Sendable {
        private let isTestsOwn = Mutex(false)

        func leaveToTest() { isTestsOwn.withLock { $0 = true } }
        var isLeftToTest: Bool { isTestsOwn.withLock { $0 } }
    }

    // MARK: - Actions

    /// The actions that the fake server can perform.
    public var server: ServerActions { ServerActions(WeatherStep(actor: "server", weather: self)) }
    /// The actions on the network, such as faults.
    public var network: NetworkActions { NetworkActions(WeatherStep(actor: "network", weather: self)) }
    /// The actions on the device's network. The test performs all other user and device actions on the client itself.
    public var device: DeviceActions { DeviceActions(WeatherStep(actor: "device", weather: self)) }

    /// Performs a step of a script, such as `network: { stall: { for: 3s } }`, or a list of steps.
    ///
    /// The function returns when the action has begun, not when it has ended. The key `as:` labels a message, or a
    /// fault so that `heal` can refer to it.
    ///
    /// - Throws: ``SquallTestingError`` if a step is invalid (the message contains the line, a caret and a suggestion),
    ///   or if the run has ended; `CancellationError` if the task is cancelled.
    public func perform(_ steps: String) async throws {
        try await SquallTestingError.translating { _ = try await conducted.perform(steps) }
    }

    // MARK: - Waiting and judging

    /// Waits for an event, or until a state begins to hold.
    ///
    /// The search for the event begins at the time of the previous call on this weather or, if that call was `next`,
    /// after the event that met its condition, so that no event between two calls is missed.
    ///
    /// - Parameters:
    ///   - what: The condition to wait for, such as `.clientConnected` or `"server.stored[hello]"`.
    ///   - within: The maximum wait in real time from now; it must be positive.
    /// - Returns: The event that met the condition.
    /// - Throws: ``SquallTestingError`` if the condition is not met in time (the message lists the values observed
    ///   instead), if the name is unknown or only a client could report it, or if the run has ended;
    ///   `CancellationError` if the task is cancelled.
    @discardableResult
    public func next(_ what: WeatherCondition, within: Duration) async throws -> ScenarioTrace.Event {
        let event = try await SquallTestingError.translating {
            try await conducted.wait(what.text, next: true, within: TimeSpan(within))
        }
        guard let event else { throw SquallTestingError(.failed, "no event met '\(what.text)'") }
        return ScenarioTrace.Event(event)
    }

    /// Waits until a state holds or an event has happened; returns immediately if the state already holds or the event
    /// has happened at any earlier time.
    ///
    /// - Parameters:
    ///   - what: The condition to wait for, such as `.linkState("open")`.
    ///   - within: The maximum wait in real time from now; it must be positive.
    /// - Throws: The same errors as ``next(_:within:)``.
    public func until(_ what: WeatherCondition, within: Duration) async throws {
        _ = try await SquallTestingError.translating {
            try await conducted.wait(what.text, next: false, within: TimeSpan(within))
        }
    }

    /// Returns the trace recorded so far.
    ///
    /// - Throws: ``SquallTestingError`` if the run has ended; `CancellationError` if the task is cancelled.
    public func trace() async throws -> ScenarioTrace {
        let seen = try await SquallTestingError.translating { try await conducted.seen() }
        guard let seen else { throw SquallTestingError(.failed, "nothing was seen") }
        return ScenarioTrace(seen)
    }

    /// Ends the weather and evaluates its trace: the standing invariants (those that hold for every scenario) that
    /// depend only on the traffic, and the scenario's expectations. The function waits until all pending deadlines of
    /// the expectations have passed.
    ///
    /// The test decides what to do with the result (see ``ScenarioResult/expectPass(sourceLocation:)``). After this
    /// call, actions and waits are no longer possible; a second call returns the same result.
    ///
    /// - Throws: ``SquallTestingError`` if a socket could not be opened; `CancellationError` if the task is cancelled.
    public func end() async throws -> ScenarioResult {
        judging.leaveToTest()
        return try await result()
    }

    /// Discards the verdict: ``withWeather(profile:seed:sourceLocation:_:)`` does not fail the test, even if the client
    /// violates an invariant. Use this in tests of intentionally broken clients.
    public func discard() { judging.leaveToTest() }

    private func result() async throws -> ScenarioResult {
        conducted.end()
        return try await withTaskCancellationHandler {
            try await playing.value
        } onCancel: {
            playing.cancel()
        }
    }

    /// Fails the test if the client violated an invariant or an expectation, and records a warning if the run is
    /// inconclusive, unless the test has ended the weather itself or discarded the verdict.
    ///
    /// - Parameter sourceLocation: The location at which issues are reported; nil for the scenario's own.
    /// - Throws: ``ScenarioFailure`` if the verdict fails a test that does not use Swift Testing; the same errors as
    ///   ``end()``.
    func judge(at sourceLocation: Testing.SourceLocation?) async throws {
        guard !judging.isLeftToTest else { return }
        let result = try await result()
        switch result.verdict {
        case .pass, .skipped: break
        case .inconclusive:
            if Test.current != nil { result.warn("inconclusive", sourceLocation: sourceLocation) }
        case .fail:
            guard Test.current != nil else { throw ScenarioFailure(result) }
            result.expectPass(sourceLocation: sourceLocation)
        }
    }

    /// Returns the addresses at which one of several clients reaches the server; each client has its own addresses.
    ///
    /// - Throws: ``SquallTestingError`` if the scenario has no such client.
    public func addresses(of client: String) async throws -> ServerAddresses {
        let place = try await SquallTestingError.translating { try await conducted.place(of: client) }
        return ServerAddresses(place, seed: seed, profile: profile)
    }
}

extension Weather {
    /// Waits until the server listens, and returns the weather.
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
