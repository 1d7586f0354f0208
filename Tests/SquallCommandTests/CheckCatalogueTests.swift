import Foundation
import TestSupport
import Testing

/// Tests `squall check` with an executable that cannot find the catalogue.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct CheckCatalogueTests {
    @Test("A missing catalogue is mentioned only if a scenario names its rows", arguments: [false, true])
    func missingCatalogue(_ covers: Bool) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let body = "squall: 1\nname: Drop\nscript:\n  - network: drop\nexpect:\n  - never: client.crashed\n"
        try scratch.write(covers ? "\(body)    covers: [WS-01a]\n" : body, to: "one.yaml")
        let binary = scratch.folder.appendingPathComponent("squall")
        try FileManager.default.copyItem(at: Command.binary, to: binary)
        let ending = try Command(["check", "one.yaml"], in: scratch.folder, binary: binary).ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.errors.contains("no catalogue next to this binary") == covers, "\(ending.errors)")
    }
}
