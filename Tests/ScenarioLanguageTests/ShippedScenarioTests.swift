import Foundation
import ScenarioLanguage
import ScenarioModel
import Testing

/// Tests the scenarios shipped with Squall.
@Suite struct ShippedScenarioTests {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Scenarios").resolvingSymlinksInPath()

    static let files: [String] = {
        let walk = FileManager.default.enumerator(atPath: folder.path)
        return (walk?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".yaml") }.sorted()
    }()

    @Test("At least one scenario is shipped with Squall")
    func thereAreSome() {
        #expect(!Self.files.isEmpty)
    }

    @Test("Every shipped scenario can be parsed", arguments: files)
    func reads(_ file: String) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        let source = SourceText(file: file, text: text)
        let result = ScenarioReader.read(source)
        if case .failure(let mistakes) = result { Issue.record("\(mistakes.rendered(in: source))") }
        #expect(try !result.get().isEmpty)
    }
}
