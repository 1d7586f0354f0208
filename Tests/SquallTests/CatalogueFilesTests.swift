import Foundation
import ScenarioModel
import SquallCore
import Testing

@testable import Squall

/// Tests which folders a binary searches for the catalogue.
@Suite struct CatalogueFilesTests {
    @Test("An installed binary looks for the catalogue in its own prefix first")
    func anInstalledBinaryLooksBesideItselfFirst() {
        let places = CatalogueFiles.candidates(for: URL(fileURLWithPath: "/opt/squall/bin/squall"))
        #expect(places.first == "/opt/squall/share/squall/catalogue")
    }

    @Test("A binary built in a checkout looks for the catalogue in the checkout")
    func aBuiltOneFindsItsCheckout() {
        let places = CatalogueFiles.candidates(for: URL(fileURLWithPath: "/src/squall/.build/debug/squall"))
        #expect(places.contains("/src/squall/Fixtures/catalogue"))
        #expect(places.last == "/Fixtures/catalogue")
    }

    /// The test executable is inside the checkout.
    @Test("The catalogue of the current checkout is found")
    func thisCheckoutsIsFound() throws {
        let catalogue = try CatalogueFiles.load()
        #expect(catalogue.rows.count == 380)
        #expect(catalogue.rows.first?.id == "UX-1.1a")
        #expect(catalogue.rows.last?.audit == "push")
    }

    @Test("The error for a missing catalogue folder names the folder")
    func aFolderThatIsNotThereIsNamed() {
        let error = #expect(throws: SquallError.self) { try CatalogueFiles.load("/nowhere") }
        #expect(error?.exitStatus == .usage)
        #expect(error?.message.contains("/nowhere") == true)
    }

    @Test("The same row id in two audits is an error")
    func twoAuditsMustNotHaveTheSameRow() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["one", "two"] {
            let text =
                "audit: \(name)\nprefix: UX\nareas:\n  all:\n    - { row: UX-1a, title: A row, section: \"1\" }\n"
            try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).yaml"))
        }
        let error = #expect(throws: SquallError.self) { try CatalogueFiles.load(folder.path) }
        #expect(error?.exitStatus == .invalidInput)
        #expect(error?.message.contains("two audits have a row UX-1a") == true)
    }
}
