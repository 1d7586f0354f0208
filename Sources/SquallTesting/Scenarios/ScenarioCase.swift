import ScenarioModel
import TemporalLogic

/// One case of a scenario, read and checked: what one test plays.
public struct ScenarioCase: Sendable {
    /// Where it stands.
    enum Origin: Sendable {
        /// By its absolute path.
        case file(String)
        /// In a string of a test.
        case code(TestLocation)
    }

    let scenario: Scenario
    let origin: Origin
    /// The one that was asked for in place of the scenario's own.
    let profile: String?

    init(_ scenario: Scenario, origin: Origin, profile: String?) {
        self.scenario = scenario
        self.origin = origin
        self.profile = profile
    }

    /// What happens, in a sentence.
    public var name: String { scenario.name }
    /// The case of a `with:` table; nil where the scenario has none.
    public var variant: String? { scenario.variant }
    /// The file as messages name it, or the name that the text was given.
    public var file: String { scenario.file }
    public var tags: [String] { scenario.tags }
    /// The audit rows that its expectations cover, each once.
    public var covers: [String] {
        var rows: [String] = []
        for row in scenario.expectations.flatMap(\.covers) where !rows.contains(row) { rows.append(row) }
        return rows
    }
}

extension ScenarioCase: Identifiable {
    /// The same in every run of the tests, and no other case's of the same suite.
    public var id: String { variant.map { "\(file)#\($0)" } ?? file }
}

extension ScenarioCase: CustomStringConvertible {
    /// Name and case: what a test framework shows as the argument.
    public var description: String { variant.map { "\(name) (\($0))" } ?? name }
}

/// A place in the source of a test.
struct TestLocation: Hashable, Sendable {
    var fileID: String
    var filePath: String
    var line: Int
    var column: Int
}
