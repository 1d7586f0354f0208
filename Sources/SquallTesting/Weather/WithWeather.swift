import ScenarioLanguage
import ScenarioModel
import Squall
import SquallCore
public import Testing

/// Runs a fake server behind a faulty link, in real time, while `body` runs.
///
/// The function needs no scenario file and works with any client.
///
/// When `body` returns, the trace is evaluated: if the client violated a standing invariant (one that holds for every
/// scenario), the test fails at this call. If nothing was violated but the run is inconclusive, for example because the
/// machine was too busy, the test gets a warning. A test that needs the result calls ``Weather/end()``; a test that
/// needs no verdict calls ``Weather/discard()``. Whether `body` returns, throws an error or is cancelled, all sockets
/// are closed, and all folders removed, before this function returns. `body` must stop all tasks and processes that it
/// has started.
///
/// - Parameters:
///   - profile: The profile that contains the settings of the server and the network: the name of a built-in profile
///     (`squall explain profile`), or an absolute path.
///   - seed: The seed of all random choices.
///   - sourceLocation: The location at which failures are reported.
///   - body: A closure that connects its client to ``Weather/addresses``, performs actions, and checks their results.
/// - Returns: The value that `body` returns.
/// - Throws: The error that `body` throws; ``SquallTestingError`` if the profile is not available or a socket could not
///   be opened; ``ScenarioFailure`` if an invariant was violated in a test that does not use Swift Testing.
public func withWeather<Value>(
    profile: String? = nil,
    seed: UInt64 = 1,
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ body: (Weather) async throws -> Value
) async throws -> Value {
    let text = SourceText(file: "weather", text: "squall: 1\nname: weather\n")
    do {
        guard let scenario = try Suite.load(text, profile: profile).first else {
            throw SquallTestingError(.failed, "the weather has no scenario")
        }
        return try await withWeather(
            ScenarioCase(scenario, origin: .code(sourceLocation), profile: profile),
            seed: seed,
            sourceLocation: sourceLocation,
            body
        )
    } catch let error as SquallError {
        throw SquallTestingError(error)
    }
}

/// Runs the server and the faulty link of a scenario while `body` runs. The scenario's `server:`, `set:`, `clients:`
/// and TLS settings apply; if it has `upstream:`, your own server replaces the fake server.
///
/// The scenario's script runs concurrently with `body`. When `body` returns, the trace is evaluated, including the
/// scenario's expectations; see ``withWeather(profile:seed:sourceLocation:_:)``.
///
/// - Parameters:
///   - scenario: A case of a scenario.
///   - seed: The seed of all random choices.
///   - sourceLocation: The location at which failures are reported; nil for the scenario's own lines.
///   - body: A closure that connects its client to ``Weather/addresses``, performs actions, and checks their results.
/// - Returns: The value that `body` returns.
/// - Throws: The error that `body` throws; ``SquallTestingError`` if a socket could not be opened, if the scenario can
///   only be simulated, or if it needs TLS and the package was built without the `TLS` trait; ``ScenarioFailure`` if an
///   invariant or expectation was violated in a test that does not use Swift Testing.
public func withWeather<Value>(
    _ scenario: ScenarioCase,
    seed: UInt64 = 1,
    sourceLocation: Testing.SourceLocation? = nil,
    _ body: (Weather) async throws -> Value
) async throws -> Value {
    let conducted: ConductedRun
    do throws(SquallError) {
        conducted = try ConductedRun(scenario.scenario, seed: Seed(seed), speaking: .program)
    } catch {
        throw SquallTestingError(error)
    }
    let watch = PoolWatch()
    let playing = Task {
        try await SquallTestingError.translating {
            let run = try await watch.during { try await conducted.play { watch.take() } }
            return ScenarioResult(run, origin: scenario.origin)
        }
    }
    return try await withTaskCancellationHandler {
        let value: Result<Value, any Error>
        do {
            let profile = ProfileValues(scenario.scenario.profile)
            let weather = try await Weather.listening(conducted, playing, seed: seed, profile: profile)
            let returned = try await body(weather)
            try await weather.judge(at: sourceLocation)
            value = .success(returned)
        } catch {
            value = .failure(error)
        }
        playing.cancel()
        // Waits for the run's task, which closes the run's sockets before it ends.
        let played = await playing.result
        if case .success = value, case .failure(let error) = played, !(error is CancellationError) { throw error }
        return try value.get()
    } onCancel: {
        playing.cancel()
    }
}

extension FragmentSyntax {
    fileprivate static var program: FragmentSyntax {
        FragmentSyntax(
            source: "fragment",
            waiting: ("a test program waits by itself", "next(_:within:) and until(_:within:) wait"),
            security: "a scenario with server: { tls: true }",
            ownClient: {
                """
                the client is this program's own: have it \($0) there; the weather is what the server and the \
                network do
                """
            }
        )
    }
}
