import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Returns the cases of a file with this body. If the file is invalid, records an issue and returns none.
func scenarios(_ body: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) -> [Scenario] {
    let source = SourceText(file: "test.yaml", text: "squall: 1\nname: A test\n\(body)\n")
    switch ScenarioReader.read(source) {
    case .success(let cases): return cases
    case .failure(let mistakes):
        Issue.record("\(mistakes.rendered(in: source))", sourceLocation: sourceLocation)
        return []
    }
}

/// Returns the only case of a file with this body.
func scenario(_ body: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws -> Scenario {
    let cases = scenarios(body, sourceLocation: sourceLocation)
    return try #require(cases.count == 1 ? cases.first : nil, sourceLocation: sourceLocation)
}

/// Parses a script and returns its steps.
func script(_ steps: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws -> [Step] {
    try scenario("script:\n\(steps)", sourceLocation: sourceLocation).script
}

/// Returns the only expectation of a file whose script creates the labels `hello` and `tunnel`.
func expectation(_ line: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws
    -> TemporalLogic.Expectation
{
    let body = """
        script:
          - user: { send: hi, to: stukov, as: hello }
          - network: { blackhole: { for: 5s }, as: tunnel }
        expect:
          - \(line)
        """
    let found = try scenario(body, sourceLocation: sourceLocation).expectations
    return try #require(found.count == 1 ? found.first : nil, sourceLocation: sourceLocation)
}

/// Returns the error messages for an invalid file, without their locations.
func complaints(_ body: String) -> [String] {
    let source = SourceText(file: "test.yaml", text: "squall: 1\nname: A test\n\(body)\n")
    switch ScenarioReader.read(source) {
    case .success: return []
    case .failure(let mistakes): return mistakes.diagnostics.map(\.message)
    }
}

extension Step {
    var stimulus: Stimulus? {
        if case .act(let stimulus) = kind { stimulus } else { nil }
    }
}

let connected = ObservablePredicate(ObservableReference("connection.state"), .equals("connected"))
