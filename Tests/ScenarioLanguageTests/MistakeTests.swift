import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Compares the diagnostics of invalid files, `Mistakes/NAME.yaml`, with `NAME.txt`.
///
/// `RECORD=1` writes the current diagnostics to the text files. A missing text file is written as well, and the test
/// fails so that the new file is reviewed.
@Suite struct MistakeTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Mistakes")
        .resolvingSymlinksInPath()

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    private static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

    @Test("The fixtures contain at least 45 invalid scenario files")
    func thereAreManyOfThem() {
        #expect(Self.names.count >= 45)
    }

    @Test("An invalid scenario file gives exactly the recorded diagnostics", arguments: names)
    func hasTheRecordedDiagnostics(_ name: String) throws {
        let file = Self.folder.appendingPathComponent("\(name).yaml")
        let source = SourceText(file: "\(name).yaml", text: try String(contentsOf: file, encoding: .utf8))
        guard case .failure(let mistakes) = ScenarioReader.read(source, catalogue: CatalogueTests.catalogue) else {
            Issue.record("\(name).yaml is read without a mistake")
            return
        }
        let told = mistakes.rendered(in: source) + "\n"
        let baseline = Self.folder.appendingPathComponent("\(name).txt")
        let expected = try? String(contentsOf: baseline, encoding: .utf8)
        if Self.isRecording || expected == nil {
            try told.write(to: baseline, atomically: true, encoding: .utf8)
            if expected == nil { Issue.record("recorded new baseline \(name).txt; look at it, and run again") }
            return
        }
        #expect(told == expected)
    }

    @Test("Diagnostics are sorted by their position in the file and not repeated", arguments: names)
    func isInOrder(_ name: String) throws {
        let file = Self.folder.appendingPathComponent("\(name).yaml")
        let source = SourceText(file: "\(name).yaml", text: try String(contentsOf: file, encoding: .utf8))
        guard case .failure(let mistakes) = ScenarioReader.read(source, catalogue: CatalogueTests.catalogue) else {
            return
        }
        let places = mistakes.diagnostics.map { ($0.location.line, $0.location.column) }
        #expect(zip(places, places.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(Set(mistakes.diagnostics).count == mistakes.diagnostics.count)
    }
}
