import ScenarioLanguage
import ScenarioModel
import Squall
import SquallCore
public import Testing

/// Runs a fake server behind a faulty link, at wall time, for as long as `body` runs.
///
/// It needs no scenario file and works with any client.
///
/// When `body` returns, the weather is judged: if the client broke a standing invariant, the test fails at the call. A
/// test that wants the result calls ``Weather/end()``; one that wants no verdict calls ``Weather/discard()``. However
/// `body` ends, with an error or the test's cancellation too, all sockets, ports and folders are closed before this
/// returns. Whatever `body` started, it must stop itself.
///
/// - Parameters:
///   - profile: The numbers that server and network use: one of Squall's profiles (`squall explain profile`), or an
///     absolute path.
///   - seed: The seed of all random choices.
///   - sourceLocation: Where failures are reported.
///   - body: Connects its client to ``Weather/addresses``, makes things happen, and checks what comes of them.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; ``SquallTestingError`` if the profile or a socket could not be had;
///   ``ScenarioFailure`` if an invariant was broken outside of Swift Testing.
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
            body
        )
    } catch let error as SquallError {
        throw SquallTestingError(error)
    }
}

/// Runs the weather of a scenario for as long as `body` runs: its `server:`, `set:`, `clients:`, TLS, or `upstream:`
/// for a server of your own.
///
/// The scenario's script runs beside `body`. When `body` returns, the weather is judged, by what the scenario expects
/// as well; see ``withWeather(profile:seed:sourceLocation:_:)``.
///
/// - Parameters:
///   - scenario: One case.
///   - seed: The seed of all random choices.
///   - body: Connects its client to ``Weather/addresses``, makes things happen, and checks what comes of them.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; ``SquallTestingError`` if a socket could not be had, if the scenario is for the
///   simulated world alone, or if it needs TLS and the package was built without the trait; ``ScenarioFailure`` if an
///   invariant or expectation was broken outside of Swift Testing.
public func withWeather<Value>(
    _ scenario: ScenarioCase,
    seed: UInt64 = 1,
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
            try await weather.judge()
            value = .success(returned)
        } catch {
            value = .failure(error)
        }
        playing.cancel()
        // The run closes its sockets before its task ends.
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
            waiting: ("a program does its own waiting", "next(_:within:) and until(_:within:) wait"),
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
