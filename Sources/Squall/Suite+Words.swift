package import Foundations
import ScenarioLanguage

extension Suite {
    /// What a word of scenarios and traces means, for a reader.
    package static func explain(_ word: String) throws(SquallError) -> String {
        do {
            return try Explanation.explain(word)
        } catch {
            throw .usage(error.message)
        }
    }

    /// The JSON Schema of scenario files.
    package static var schema: JSON { ScenarioSchema.json() }
}
