import ScenarioModel
import TemporalLogic
public import Testing

/// A case of a scenario, parsed and checked. One test runs one case.
public struct ScenarioCase: Sendable {
    /// The origin of the scenario.
    enum Origin: Sendable {
        /// A file; the value is its absolute path.
        case file(String)
        /// A string in the test's source code. The value is the location at which failures are reported.
        case code(Testing.SourceLocation)
    }

    let scenario: Scenario
    let origin: Origin
    /// The profile that replaces the scenario's own; nil if the scenario's profile is used.
    let profile: String?

    init(_ scenario: Scenario, origin: Origin, profile: String?) {
        self.scenario = scenario
        self.origin = origin
        self.profile = profile
    }

    /// The scenario's name, a sentence that describes the scenario.
    public var name: String { scenario.name }
    /// The name of the case in the scenario's `with:` table; nil if the scenario has no such table.
    public var variant: String? { scenario.variant }
    /// The path of the scenario file as shown in messages; for a scenario that is parsed from a string, the name given
    /// to the string.
    public var file: String { scenario.file }
    /// The scenario's tags.
    public var tags: [String] { scenario.tags }
    /// The audit rows (requirements) that the scenario's expectations cover, without duplicates.
    public var covers: [String] {
        var rows: [String] = []
        for row in scenario.expectations.flatMap(\.covers) where !rows.contains(row) { rows.append(row) }
        return rows
    }
}

extension ScenarioCase: Identifiable {
    /// An ID that is unique within its suite and stable across test runs.
    public var id: String { variant.map { "\(file)#\($0)" } ?? file }
}

extension ScenarioCase: CustomStringConvertible {
    /// The names of the scenario and the case, which a test framework displays as the test's argument.
    public var description: String { variant.map { "\(name) (\($0))" } ?? name }
}

extension ScenarioCase: CustomTestStringConvertible {
    /// The names of the scenario and the case, which a test framework displays as the test's argument.
    public var testDescription: String { description }
}

extension ScenarioCase: CustomTestArgumentEncodable {
    /// Encodes the ``id``, so that a test framework can rerun this case on its own.
    public func encodeTestArgument(to encoder: some Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}
