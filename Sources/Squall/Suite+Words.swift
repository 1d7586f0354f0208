import Foundation
import ScenarioLanguage
import ScenarioModel
package import SquallCore

extension Suite {
    /// What a word or a row means; a row of the catalogue also by who covers it.
    ///
    /// The catalogue's folder is named where it is not the binary's own. Those who cover a row are looked for in
    /// `scenarios`; where none is named, in the folder that files have when nobody says otherwise, if it is there.
    package static func explain(
        _ word: String,
        catalogue folder: String?,
        scenarios: String?
    ) throws(SquallError) -> String {
        let files = FileManager.default
        if let scenarios, !files.fileExists(atPath: scenarios) {
            throw .usage("there is no file or folder '\(scenarios)'")
        }
        guard let catalogue = try CatalogueFiles.loadIfPresent(folder) else {
            do throws(SquallError) {
                return try explain(word)
            } catch {
                guard RowExplanation.hasForm(word) else { throw error }
                throw .usage(
                    "'\(word)' has the form of an audit's row, and there is no catalogue beside this binary; name its folder with "
                        + "--catalogue"
                )
            }
        }
        guard RowExplanation.isMeant(by: word, in: catalogue) else { return try explain(word) }
        let folder = scenarios ?? (files.fileExists(atPath: "Scenarios") ? "Scenarios" : nil)
        let known = try folder.map { (path) throws(SquallError) in try load(SuiteSelection(paths: [path])) }
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
