import Foundation
import ScenarioLanguage
import ScenarioModel

/// Searches the test sources for the unit tests that the catalogue names.
///
/// A test `Target/function` exists if a Swift file in `Tests/Target` has a function of that name with the attribute
/// `@Test`, and the attribute does not disable it. Whether the test passes is not checked here; `make test` checks it.
enum UnitTestFiles {
    /// Returns the tests in the catalogue that exist in the nearest `Tests` folder above the catalogue's folder.
    ///
    /// An installed catalogue has no such folder, so the result is empty.
    static func existing(of catalogue: Catalogue, above folder: String) throws(SquallError) -> Set<String> {
        guard let tests = testsFolder(above: folder) else { return [] }
        var functions: [String: Set<Substring>] = [:]
        var found: Set<String> = []
        for test in Set(catalogue.rows.compactMap(\.test)) {
            let parts = test.split(separator: "/")
            guard parts.count == 2 else { continue }
            let target = String(parts[0])
            if functions[target] == nil {
                functions[target] = try self.functions(in: "\(tests)/\(target)")
            }
            if functions[target]?.contains(parts[1]) == true { found.insert(test) }
        }
        return found
    }

    private static func testsFolder(above folder: String) -> String? {
        var url = URL(fileURLWithPath: folder).standardizedFileURL
        while url.path != "/", !url.path.isEmpty {
            url.deleteLastPathComponent()
            let tests = url.appendingPathComponent("Tests").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: tests, isDirectory: &isFolder), isFolder.boolValue {
                return tests
            }
        }
        return nil
    }

    /// Returns the test functions in all Swift files below a folder; empty if the folder does not exist.
    private static func functions(in folder: String) throws(SquallError) -> Set<Substring> {
        var found: Set<Substring> = []
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        for case let name as String in names where name.hasSuffix(".swift") {
            found.formUnion(functions(inText: try ScenarioFiles.read("\(folder)/\(name)").text))
        }
        return found
    }

    /// Returns the names of the functions that have an enabled `@Test` attribute.
    static func functions(inText text: String) -> Set<Substring> {
        var found: Set<Substring> = []
        // Each part of the split text begins with the name of a function and ends with the attributes of the next
        // function.
        var attributes: Substring = ""
        for (index, part) in text.split(separator: "func ", omittingEmptySubsequences: false).enumerated() {
            let name = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if index > 0, !name.isEmpty, isEnabledTest(attributes) { found.insert(name) }
            attributes = part
        }
        return found
    }

    private static func isEnabledTest(_ attributes: Substring) -> Bool {
        guard let last = attributes.split(separator: "@Test", omittingEmptySubsequences: false).dropFirst().last
        else { return false }
        return !last.contains(".disabled")
    }
}
