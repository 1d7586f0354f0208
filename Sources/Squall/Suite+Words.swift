import Foundation
package import Foundations
import ScenarioLanguage
import ScenarioModel

extension Suite {
    /// What a word or a row means; a row of the catalogue also by who covers it.
    ///
    /// The catalogue's folder is named where it is not the binary's own; where there is nothing at `scenarios`, nobody
    /// who covers a row is named.
    package static func explain(
        _ word: String,
        catalogue folder: String?,
        scenarios: String
    ) throws(SquallError) -> String {
        guard let catalogue = try CatalogueFiles.loadIfPresent(folder),
            RowExplanation.isMeant(by: word, in: catalogue)
        else { return try explain(word) }
        let isThere = FileManager.default.fileExists(atPath: scenarios)
        let known = isThere ? try load(SuiteSelection(paths: [scenarios])) : nil
        guard let text = RowExplanation.text(for: word, in: catalogue, scenarios: known) else {
            throw .usage("there is no row '\(word)'; \(RowExplanation.help(for: word, in: catalogue))")
        }
        return text
    }

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
