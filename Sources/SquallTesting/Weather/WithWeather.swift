import ScenarioLanguage
import ScenarioModel
import Squall
import SquallCore

/// Stands up a fake server behind a faulty link for as long as `body` runs, at wall time: no scenario file, one's own client, any test.
///
/// On every way out, `body`'s error and the test's cancellation included, all sockets, ports and folders are given back before this returns. What
/// `body` itself began it must end itself.
///
/// - Parameters:
///   - profile: The numbers that server and network go by: one of Squall's (`squall explain profile`), or an absolute path.
///   - seed: Where all chance comes from.
///   - fileID: The calling file; leave this and the rest to the compiler. What ``Weather/end()`` judges stands there.
///   - filePath: Its path.
///   - line: The calling line.
///   - column: The calling column.
///   - body: Connects its client to ``Weather/addresses``, has things happen, and looks what comes of them.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; ``SquallTestingError`` where the profile or a socket could not be had.
public func withWeather<Value>(
    profile: String? = nil,
    seed: UInt64 = 1,
    fileID: String = #fileID,
    filePath: String = #filePath,
    line: Int = #line,
    column: Int = #column,
    _ body: (Weather) async throws -> Value
) async throws -> Value {
    let place = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let text = SourceText(file: "weather", text: "squall: 1\nname: weather\n")
    do {
        guard let scenario = try Suite.load(text, profile: profile).first else {
            throw SquallTestingError(.failed, "there is no weather")
        }
        return try await withWeather(ScenarioCase(scenario, origin: .code(place), profile: profile), seed: seed, body)
    } catch let error as SquallError {
        throw SquallTestingError(error)
    }
}

/// The same with a scenario's own head: its `server:`, `set:`, `clients:`, TLS, or `upstream:` for a server of one's own. Its script plays by
/// itself beside what `body` does, and what it expects is judged in the result of ``Weather/end()``.
///
/// - Parameters:
///   - scenario: One case.
///   - seed: Where all chance comes from.
///   - body: Connects its client to ``Weather/addresses``, has things happen, and looks what comes of them.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws; ``SquallTestingError`` where a socket could not be had, where the scenario is for the simulated world alone, or
///   where it wants TLS and the package was built without the trait.
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
            let weather = try await Weather.standing(conducted, playing, seed: seed, profile: profile)
            value = .success(try await body(weather))
        } catch {
            value = .failure(error)
        }
        playing.cancel()
        // Nothing is left when this returns.
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
            waiting: ("a program waits by itself", "next(_:within:) and until(_:within:) wait"),
            security: "a scenario with server: { tls: true }",
            ownClient: {
                "the client is this program's own: have it \($0) there; the weather is what the server and the network do"
            }
        )
    }
}
