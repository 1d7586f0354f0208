import Squall
import SquallCore

/// A fake server behind a faulty link, under a test's control.
///
/// What ``server``, ``network`` and ``device`` can do are the actions of the scenario language, by the same names and with the same parameters
/// (`squall explain server`, `squall explain network`), checked by the same reader:
///
/// ```swift
/// try await weather.network.stall(for: .seconds(3), as: "tunnel")
/// try await weather.server.post(to: "stukov", count: 3)
/// try await weather.perform("network: { heal: tunnel }")
/// ```
public struct Weather: Sendable {
    private let conducted: ConductedRun
    private let playing: Task<ScenarioResult, any Error>
    private let seed: UInt64
    private let profile: ProfileValues
    /// Where the client finds the server; of several clients, the first.
    public private(set) var addresses: ServerAddresses

    // MARK: - What happens

    public var server: WeatherActor { WeatherActor(self, "server") }
    public var network: WeatherActor { WeatherActor(self, "network") }
    /// What is done to the phone's network: `network`, `handoff`. All else of user and device is the client's own, and the test's to call.
    public var device: WeatherActor { WeatherActor(self, "device") }

    /// Does what a piece of a script says: `network: { stall: { for: 3s } }`, or a list of such steps.
    ///
    /// Returns when it is done, not when its time is over. `as:` names a fault for `heal`, or a message.
    ///
    /// - Throws: ``SquallTestingError`` with line, caret and suggestion where the piece is wrong, or where the weather is over;
    ///   `CancellationError`.
    public func perform(_ steps: String) async throws {
        try await SquallTestingError.translating { try await conducted.perform(steps) }
    }

    // MARK: - What comes of it

    /// Waits for an event, or for a state that comes to hold: `client.connected`, `server.stored[hello]`,
    /// `{ server.received.send: { text: hi } }`, `{ link.state: connected }`.
    ///
    /// What has happened since the last thing that was done here, or since the event that the last `next` was met by, counts: between two calls
    /// nothing is missed.
    ///
    /// - Parameters:
    ///   - what: An event, or a mapping of events and observables, as behind `wait:` in a script.
    ///   - within: More than nothing, at wall time, from now.
    /// - Returns: The event that met it.
    /// - Throws: ``SquallTestingError`` where it does not come in time, with what was the case instead; where the name is unknown, or only the
    ///   client could tell of it; or where the weather is over. `CancellationError`.
    @discardableResult
    public func next(_ what: String, within: Duration) async throws -> ScenarioTrace.Event {
        let event = try await SquallTestingError.translating {
            try await conducted.wait(what, next: true, within: TimeSpan(within))
        }
        guard let event else { throw SquallTestingError(.failed, "'\(what)' was met by nothing") }
        return ScenarioTrace.Event(event)
    }

    /// Waits until a state holds, or an event has happened at all: returns at once where it does, or has.
    ///
    /// - Parameters:
    ///   - what: An event, or a mapping of events and observables, as behind `wait:` in a script.
    ///   - within: More than nothing, at wall time, from now.
    /// - Throws: As ``next(_:within:)``.
    public func until(_ what: String, within: Duration) async throws {
        _ = try await SquallTestingError.translating {
            try await conducted.wait(what, next: false, within: TimeSpan(within))
        }
    }

    /// What has been seen so far.
    ///
    /// - Throws: ``SquallTestingError`` where the weather is over; `CancellationError`.
    public func trace() async throws -> ScenarioTrace {
        let seen = try await SquallTestingError.translating { try await conducted.seen() }
        guard let seen else { throw SquallTestingError(.failed, "nothing was seen") }
        return ScenarioTrace(seen)
    }

    /// Ends the weather and judges what was seen: by the standing invariants as far as the wire shows them, and by what its scenario expects,
    /// whose open bounds are waited for. Afterwards nothing can be done or waited for; asked again, it gives the same.
    ///
    /// - Throws: ``SquallTestingError`` where a socket could not be had; `CancellationError`.
    public func end() async throws -> ScenarioResult {
        conducted.end()
        return try await withTaskCancellationHandler {
            try await playing.value
        } onCancel: {
            playing.cancel()
        }
    }

    /// Where one of several clients finds the server, each its own.
    ///
    /// - Throws: ``SquallTestingError`` where the scenario has no such client.
    public func addresses(of client: String) async throws -> ServerAddresses {
        let place = try await SquallTestingError.translating { try await conducted.place(of: client) }
        return ServerAddresses(place, seed: seed, profile: profile)
    }
}

extension Weather {
    /// The weather once it stands.
    static func standing(
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
