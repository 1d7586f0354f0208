import Foundation
import TestSupport
import Testing

/// Compares the documentation page's list with the library's public declarations.
///
/// If `RECORD=1` is set in the environment, the test updates an outdated list instead of failing.
struct SurfacePageTests {
    private struct Declaration: Comparable {
        var name: String
        var meaning: String

        static func < (left: Declaration, right: Declaration) -> Bool { left.name < right.name }
    }

    private static let folder = Tool.package.appendingPathComponent("Sources/SquallTesting")

    private static func sources() throws -> [(name: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.sorted().map
        {
            ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// Returns the public declarations at file scope, one per name, each with the first line of its comment.
    private static func declarations() throws -> [Declaration] {
        var found: [String: Declaration] = [:]
        for source in try sources() {
            var comment: [Substring] = []
            for line in source.text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("///") {
                    comment.append(line.dropFirst(4))
                } else if line.hasPrefix("public "), !line.hasPrefix("public import ") {
                    let words = line.split { !$0.isLetter && !$0.isNumber }
                    let name = String(words[2])
                    let meaning = String(comment.first ?? "")
                    if found[name] == nil { found[name] = Declaration(name: name, meaning: meaning) }
                } else if !line.hasPrefix("@") {
                    comment = []
                }
            }
        }
        return found.values.sorted()
    }

    @Test("The page about SquallTesting lists all of its public types")
    func thePageListsThePublicTypes() throws {
        let file = Tool.package.appendingPathComponent("Sources/Squall/Squall.docc/SwiftTesting.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let parts = page.components(separatedBy: "<!-- BEGIN surface -->\n")
        let rest = try #require(parts.last?.components(separatedBy: "<!-- END -->"))
        try #require(parts.count == 2 && rest.count == 2)
        let rows = try Self.declarations().map { "| `\($0.name)` | \($0.meaning.replacing("``", with: "`")) |" }
        #expect(rows.count > 10)
        let table = (["| Name | Meaning |", "| --- | --- |"] + rows).joined(separator: "\n")
        let wanted = parts[0] + "<!-- BEGIN surface -->\n\n\(table)\n\n<!-- END -->" + rest[1]
        if ProcessInfo.processInfo.environment["RECORD"] == "1", wanted != page {
            try wanted.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(page == wanted, "run the tests with RECORD=1")
    }

    /// A package that uses the library must not depend on the internal modules from which the library is built.
    @Test("SquallTesting imports no module publicly except Testing")
    func nothingIsImportedPublicly() throws {
        for source in try Self.sources() {
            let text = source.text.replacing("public import Testing", with: "")
            #expect(!text.contains("public import"), "\(source.name)")
            #expect(!source.text.contains("@_exported"), "\(source.name)")
        }
    }
}
