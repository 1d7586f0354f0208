import Foundation
import ScenarioLanguage
package import ScenarioModel
import TemporalLogic

/// Finds and reads the catalogue: the audit requirements (rows) that scenarios must verify.
package enum CatalogueFiles {
    /// The name of the catalogue's folder, which is in `share/squall` in an installation and in `Fixtures` in a
    /// checkout.
    static let folder = "catalogue"

    /// Reads the catalogue in the folder `asked` or, if `asked` is nil, the catalogue that belongs to this binary.
    ///
    /// An installed binary has its catalogue in `../share/squall/catalogue`. A binary built in a checkout uses
    /// `Fixtures/catalogue` in the nearest parent folder that has one.
    ///
    /// - Throws: ``SquallError`` with exit status 64 if there is no catalogue, or 65 if one of its files is invalid.
    package static func load(_ asked: String? = nil) throws(SquallError) -> Catalogue {
        try read(place(asked))
    }

    private static func place(_ asked: String?) throws(SquallError) -> String {
        if let asked {
            guard isFolder(asked) else { throw .usage("there is no folder '\(asked)' for --catalogue") }
            return asked
        }
        let places = candidates(for: executable)
        guard let found = places.first(where: isFolder) else {
            throw .usage(
                """
                no catalogue of the audits' rows in \(places[0]) or in Fixtures/\(folder) of any folder above this \
                binary; give its folder with --catalogue DIR
                """
            )
        }
        return found
    }

    /// Reads the catalogue as ``load(_:)`` does, but returns nil if `asked` is nil and no catalogue belongs to this
    /// binary.
    package static func loadIfPresent(_ asked: String? = nil) throws(SquallError) -> Catalogue? {
        guard asked != nil || candidates(for: executable).contains(where: isFolder) else { return nil }
        return try load(asked)
    }

    /// Returns the folders to search, in order: the installation's folder, then `Fixtures` in each folder above the
    /// binary.
    static func candidates(for executable: URL) -> [String] {
        var folder = executable.deletingLastPathComponent()
        var places = [folder.deletingLastPathComponent().appendingPathComponent("share/squall/\(Self.folder)").path]
        while folder.path != "/", !folder.path.isEmpty {
            folder.deleteLastPathComponent()
            places.append(folder.appendingPathComponent("Fixtures/\(Self.folder)").path)
        }
        return places
    }

    private static var executable: URL {
        (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "squall"))
            .resolvingSymlinksInPath()
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Reads all files in a folder.
    ///
    /// - Throws: ``SquallError`` with the errors in all files.
    private static func read(_ folder: String) throws(SquallError) -> Catalogue {
        var rows: [AuditRow] = []
        var mistakes: [String] = []
        for file in inReadingOrder(try ScenarioFiles.find([folder])) {
            let source = try ScenarioFiles.read(file)
            switch CatalogueReader.read(source) {
            case .success(let read): rows += read
            case .failure(let found): mistakes.append(found.rendered(in: source))
            }
        }
        let catalogue = Catalogue(rows)
        let twice = Dictionary(grouping: rows, by: \.id).filter { $1.count > 1 }.keys.sorted()
        mistakes += (catalogue.problems + twice.map { "two audits have a row \($0)" }).map { "\(folder): error: \($0)" }
        guard mistakes.isEmpty else { throw .scenarios(mistakes.joined(separator: "\n\n")) }
        return catalogue
    }

    /// Sorts files: those named after built-in profiles come first, in the profiles' order; the others keep their
    /// relative order.
    private static func inReadingOrder(_ files: [String]) -> [String] {
        let names = ProfileReader.names
        func place(_ file: String) -> Int {
            names.firstIndex(of: URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent) ?? names.count
        }
        return files.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}
