import Foundation
import ScenarioLanguage
package import ScenarioModel
import TemporalLogic

/// Where the catalogue of the audits' rows lies.
package enum CatalogueFiles {
    /// The folder below `share/squall` of an installation, and below `Fixtures` of a checkout.
    static let folder = "catalogue"

    /// The catalogue that belongs to this binary, or the one asked for.
    ///
    /// An installed binary has it in `../share/squall/catalogue`; one that was built in a checkout finds the checkout's
    /// `Fixtures/catalogue` above itself, wherever it is called from.
    ///
    /// - Throws: exit status 64 where there is none, 65 where one of its files is wrong.
    package static func load(_ asked: String? = nil) throws(SquallError) -> Catalogue {
        if let asked {
            guard isFolder(asked) else { throw .usage("there is no folder '\(asked)' for --catalogue") }
            return try read(asked)
        }
        let places = candidates(for: executable)
        guard let found = places.first(where: isFolder) else {
            throw .usage(
                "the catalogue of the audits' rows is not beside this binary; looked for it in \(places[0]) and in "
                    + "Fixtures/\(folder) of every folder above; name its folder with --catalogue DIR"
            )
        }
        return try read(found)
    }

    /// The same, or nil where this binary has none and none was asked for.
    package static func loadIfPresent(_ asked: String? = nil) throws(SquallError) -> Catalogue? {
        guard asked != nil || candidates(for: executable).contains(where: isFolder) else { return nil }
        return try load(asked)
    }

    /// In the order in which they are looked at: the installation's, then those of the folders above the binary.
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

    /// All files of a folder; all mistakes of all files are told at once.
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

    /// As the profiles of the audits are listed; others behind them, by name.
    private static func inReadingOrder(_ files: [String]) -> [String] {
        let names = ProfileReader.names
        func place(_ file: String) -> Int {
            names.firstIndex(of: URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent) ?? names.count
        }
        return files.enumerated().sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}
