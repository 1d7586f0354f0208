import Foundation
import ScenarioLanguage
import ScenarioModel
package import SquallCore

extension Suite {
    /// Explains a word from the scenario language or a catalogue row (requirement); for a row, also lists the
    /// expectations that cover it.
    ///
    /// `folder` is the catalogue's folder; if it is nil, the binary's own catalogue is used. Covering expectations are
    /// looked up in `scenarios`, a file or folder; if it is nil, in the folder `Scenarios`, if that exists.
    ///
    /// - Throws: ``SquallError`` if the word is unknown or a file cannot be read.
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
                    """
                    '\(word)' looks like a row of an audit, but this binary has no catalogue; give its folder with \
                    --catalogue
                    """
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

    /// Explains a word that occurs in scenarios or traces.
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
