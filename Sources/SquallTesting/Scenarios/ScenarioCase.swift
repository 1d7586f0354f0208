import ScenarioModel
import TemporalLogic
public import Testing

/// One case of a scenario, read and checked; one test plays it.
public struct ScenarioCase: Sendable {
    /// The origin of the scenario.
    enum Origin: Sendable {
        /// A file, by its absolute path.
        case file(String)
        /// A string in a test.
        case code(Testing.SourceLocation)
    }

    let scenario: Scenario
    let origin: Origin
    /// The profile that replaces the scenario's own; nil for none.
    let profile: String?

    init(_ scenario: Scenario, origin: Origin, profile: String?) {
        self.scenario = scenario
        self.origin = origin
        self.profile = profile
    }

    /// The scenario's name, a sentence that says what happens.
    public var name: String { scenario.name }
    /// The case of a `with:` table; nil if the scenario has none.
    public var variant: String? { scenario.variant }
    /// The file as messages name it, or the name of the string.
    public var file: String { scenario.file }
    /// The scenario's tags.
    public var tags: [String] { scenario.tags }
    /// The audit rows that its expectations cover, each once.
    public var covers: [String] {
        var rows: [String] = []
        for row in scenario.expectations.flatMap(\.covers) where !rows.contains(row) { rows.append(row) }
        return rows
    }
}

extension ScenarioCase: Identifiable {
    /// An id that is the same in every run of the tests and unique in its suite.
    public var id: String { variant.map { "\(file)#\($0)" } ?? file }
}

extension ScenarioCase: CustomStringConvertible {
    /// The scenario's name and the case, which a test framework shows as the argument.
    public var description: String { variant.map { "\(name) (\($0))" } ?? name }
}

extension ScenarioCase: CustomTestStringConvertible {
    /// The scenario's name and the case, which a test framework shows as the argument.
    public var testDescription: String { description }
}

extension ScenarioCase: CustomTestArgumentEncodable {
    /// Encodes the ``id``, so that a single case can be run again.
    public func encodeTestArgument(to encoder: some Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}
