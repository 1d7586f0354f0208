import ChatWire
import Foundation
import SquallCore
import Testing

/// Compares the chat protocol's documentation page with the tables in the code.
///
/// With `RECORD=1` in the environment, the page's tables are regenerated first.
@Suite struct ProtocolPageTests {
    private let page: ProtocolPage

    init() throws {
        var text = try String(contentsOf: ProtocolPage.file, encoding: .utf8)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            let recorded = ProtocolPage.rewriting(text, with: ProtocolTables.all)
            if recorded != text { try recorded.write(to: ProtocolPage.file, atomically: true, encoding: .utf8) }
            text = recorded
        }
        page = ProtocolPage(text)
    }

    @Test("The protocol page contains the tables that the code generates") func thePageHasTheTablesOfTheCode() {
        #expect(page.regions.map(\.name) == ProtocolTables.all.map(\.name))
        for (region, table) in zip(page.regions, ProtocolTables.all) {
            #expect(region.text == "\n\(table.text)\n", "\(region.name): run the tests with RECORD=1")
        }
    }

    @Test("The protocol page has no tables outside the generated regions") func thePageHasNoOtherTables() {
        #expect(page.looseRows == [])
    }

    @Test("The protocol page has an example of every frame and object, in the order of the tables")
    func everyFrameAndObjectHasAnExample() {
        let frames = FrameShape.all.map { "\($0.role.rawValue), from the \($0.origin.rawValue)" }
        let objects = ObjectShape.all.map { "Object: \($0.name)" }
        #expect(page.examples.map(\.heading) == frames + objects)
    }

    @Test("Every example on the protocol page survives decoding and encoding unchanged")
    func examplesAreReadAndWrittenUnchanged() throws {
        let wire = WireProfile()
        for (heading, json) in page.examples {
            let bytes = Array(json.utf8)
            let written: [UInt8]
            if heading.hasPrefix("Object: ") {
                let name = heading.dropFirst("Object: ".count)
                let object = try #require(Samples.objects.first { type(of: $0).shape.name == name })
                written = try rewritten(bytes, as: object, wire)
            } else if heading.hasSuffix("client") {
                guard case .frame(let frame) = ClientFrame.decode(bytes, wire) else {
                    Issue.record("\(heading) is not a frame: \(json)")
                    continue
                }
                #expect(heading.hasPrefix("\(frame.role.rawValue),"))
                written = frame.encode(wire)
            } else {
                guard case .frame(let frame) = ServerFrame.decode(bytes, wire) else {
                    Issue.record("\(heading) is not a frame: \(json)")
                    continue
                }
                #expect(heading.hasPrefix("\(frame.role.rawValue),"))
                written = frame.encode(wire)
            }
            #expect(String(decoding: written, as: UTF8.self) == json)
        }
    }

    private func rewritten<Object: WireObject>(_ bytes: [UInt8], as _: Object, _ wire: WireProfile) throws -> [UInt8] {
        try Object.decode(bytes, wire).encode(wire)
    }

    @Test("A generated table on the page that differs from the code is detected") func aChangedTableIsNoticed() throws {
        let text = try String(contentsOf: ProtocolPage.file, encoding: .utf8)
        let tables = ProtocolTables.all.map { ($0.name, $0.text.replacing("`seq`", with: "`number`")) }
        let changed = ProtocolPage(ProtocolPage.rewriting(text, with: tables))
        #expect(changed.regions.map(\.name) == page.regions.map(\.name))
        #expect(changed.regions.map(\.text) != page.regions.map(\.text))
    }
}
