import Foundation
import SquallTesting
import Testing

/// Tests how scenarios are found in folders, and the errors reported if there are none.
struct ScenarioFilesTests {
    @Test("Loading a folder returns every case of its scenarios")
    func aFolderAboveTheTestGivesACaseEach() throws {
        let cases = try Scenarios.cases(in: "Scenarios/server")
        #expect(cases.count > 5)
        #expect(Set(cases.map(\.id)).count == cases.count)
        let table = cases.filter { $0.variant != nil }
        #expect(!table.isEmpty)
        #expect(table.allSatisfy { $0.description.hasSuffix("(\($0.variant ?? ""))") })
        let all = cases.flatMap(\.covers)
        #expect(!all.isEmpty)
    }

    @Test("Tags select scenarios from a folder")
    func tagsChoose() throws {
        let all = try Scenarios.cases(in: "Scenarios/sending")
        let smoke = try Scenarios.cases(in: "Scenarios/sending", tags: ["smoke"])
        #expect(!smoke.isEmpty && smoke.count < all.count)
        #expect(smoke.allSatisfy { $0.tags.contains("smoke") })
    }

    @Test("The error for a missing folder names the folder")
    func aFolderThatIsMissingIsNamed() throws {
        let error = try #require(throws: SquallTestingError.self) { try Scenarios.cases(in: "No such weather") }
        #expect(error.kind == .usage)
        #expect(error.description.contains("no file or folder 'No such weather' next to \(#filePath)"))
    }

    @Test("All errors in a scenario text are reported with their locations")
    func aTextWithMistakesTellsThemAllWithTheirPlaces() throws {
        let yaml = """
            squall: 1
            name: wrong
            script:
              - network: { stal: { for: 3s } }
              - wait: { connection.state: conected }
            """
        let error = try #require(throws: SquallTestingError.self) { try Scenarios.cases(yaml: yaml, name: "wrong") }
        #expect(error.kind == .scenario)
        #expect(error.message.contains("wrong:4:16: error: unknown network action 'stal'"))
        #expect(error.message.contains("did you mean 'stall'?"))
        #expect(error.message.contains("wrong:5:31: error: "))
        #expect(error.message.contains("^^^^"))
    }

    @Test("An error in a scenario file is reported with the path of the file")
    func aFileWithAMistakeTellsItsPath() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("bad.yaml")
        try "squall: 1\nname: bad\nscript:\n  - server: dance\n".write(to: file, atomically: true, encoding: .utf8)
        let error = try #require(throws: SquallTestingError.self) { try Scenarios.cases(in: folder.path) }
        #expect(error.message.contains("\(file.path):4:13: error: unknown server action 'dance'"))
    }

    @Test("The error for an unknown profile names the profile")
    func aProfileThatThereIsNotIsNamed() throws {
        let error = try #require(throws: SquallTestingError.self) {
            try Scenarios.cases(in: "Scenarios/sending", profile: "chat-xu")
        }
        #expect(error.message.contains("there is no profile 'chat-xu'"))
    }
}
