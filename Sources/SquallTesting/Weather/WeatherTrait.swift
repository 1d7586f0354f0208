public import Testing

extension Trait where Self == WeatherTrait {
    /// Runs each test in its own weather, which is available as ``Weather/current``: `@Test(.weather())`.
    ///
    /// - Parameters:
    ///   - profile: The name of one of Squall's profiles, or an absolute path; nil for the default.
    ///   - seed: The seed of all random choices.
    ///   - sourceLocation: The location at which failures are reported.
    public static func weather(
        profile: String? = nil,
        seed: UInt64 = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> WeatherTrait {
        WeatherTrait(source: .profile(profile), seed: seed, sourceLocation: sourceLocation)
    }

    /// Runs each test in a scenario's weather, which is available as ``Weather/current``:
    /// `@Test(.weather("Scenarios/tunnel.yaml"))`.
    ///
    /// - Parameters:
    ///   - path: A scenario file with one case, found in the same way as in ``Scenarios/cases(in:profile:tags:file:)``.
    ///   - seed: The seed of all random choices.
    ///   - file: The calling file, from which a relative path is resolved.
    ///   - sourceLocation: The location at which failures are reported; nil for the scenario's own lines.
    public static func weather(
        _ path: String,
        seed: UInt64 = 1,
        file: String = #filePath,
        sourceLocation: SourceLocation? = nil
    ) -> WeatherTrait {
        WeatherTrait(source: .scenario(path, file: file), seed: seed, sourceLocation: sourceLocation)
    }
}

/// A trait that runs a test in ``Weather``; created by ``Testing/Trait/weather(profile:seed:sourceLocation:)``.
public struct WeatherTrait: TestTrait, SuiteTrait, TestScoping {
    enum Source: Hashable, Sendable {
        case profile(String?)
        case scenario(String, file: String)
    }

    let source: Source
    let seed: UInt64
    let sourceLocation: SourceLocation?

    /// Whether the tests of a suite inherit the trait: always true. Each test has its own weather.
    public var isRecursive: Bool { true }

    /// Runs one test case in its own weather; a suite itself has no weather.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        switch source {
        case .profile(let profile):
            let place = sourceLocation ?? #_sourceLocation
            try await withWeather(profile: profile, seed: seed, sourceLocation: place) { weather in
                try await Weather.$current.withValue(weather) { try await function() }
            }
        case .scenario(let path, let file):
            let cases = try Scenarios.cases(in: path, file: file)
            guard let scenario = cases.first, cases.count == 1 else {
                throw SquallTestingError(
                    .usage,
                    "'\(path)' has \(cases.count) cases; the trait takes a scenario with one"
                )
            }
            try await withWeather(scenario, seed: seed, sourceLocation: sourceLocation) { weather in
                try await Weather.$current.withValue(weather) { try await function() }
            }
        }
    }
}
