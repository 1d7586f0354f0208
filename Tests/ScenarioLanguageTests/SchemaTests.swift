import Foundation
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

@testable import ScenarioLanguage

/// Tests the JSON Schema that editors use for completion and validation.
@Suite struct SchemaTests {
    private static let schema = ScenarioSchema.json()
    private let validator = SchemaValidator(root: schema)

    /// Converts a node to JSON as an editor would interpret it.
    private func json(_ node: SourceNode) -> JSON {
        switch node.kind {
        case .list(let items): return .array(items.map(json))
        case .mapping(let members): return .object(members.map { JSONMember($0.name, json($0.value)) })
        case .scalar(let text, quoted: true): return .string(text)
        case .scalar(let text, quoted: false):
            if node.isNull { return .null }
            if text == "true" || text == "false" { return .bool(text == "true") }
            return Int64(text).map { .integer($0) } ?? .string(text)
        }
    }

    private func fits(_ text: String) throws -> Bool {
        let node = try YAMLReader.read(SourceText(file: "f.yaml", text: text))
        return validator.fits(json(node))
    }

    @Test("The schema is deterministic and is valid JSON")
    func isTheSameEachTime() throws {
        let text = Self.schema.encodePretty()
        #expect(ScenarioSchema.json().encodePretty() == text)
        #expect(try JSON.decode(text) == Self.schema)
        #expect(Self.schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test("Every reference of the schema can be resolved")
    func referencesLeadSomewhere() {
        func check(_ value: JSON) {
            if let target = value["$ref"]?.stringValue { #expect(validator.resolve(target) != nil, "\(target)") }
            for member in value.members ?? [] { check(member.value) }
            for item in value.arrayValue ?? [] { check(item) }
        }
        check(Self.schema)
    }

    @Test("The schema allows every shipped scenario", arguments: ShippedScenarioTests.files)
    func allowsShippedScenarios(_ file: String) throws {
        #expect(try fits(String(contentsOf: ShippedScenarioTests.folder.appendingPathComponent(file), encoding: .utf8)))
    }

    @Test("The schema allows the examples of the grammar page", arguments: GrammarPageTests.examples)
    func allowsThePagesExamples(_ example: String) throws {
        #expect(try fits(example.hasPrefix("squall:") ? example : "squall: 1\nname: An example\n\(example)"))
    }

    @Test(
        "The schema allows every action",
        arguments: ActionTests.withAllParameters + ActionTests.withRequiredParameters
    )
    func allowsEveryAction(_ written: ActionTests.Written) throws {
        #expect(try fits("squall: 1\nname: n\n\(written.body)"))
    }

    @Test(
        "The schema allows every name of the registry",
        arguments: Registry.entries.filter { $0.kind != .fault }.map(\.name)
    )
    func allowsEveryName(_ name: String) throws {
        let lines = try Explanation.explain(name).split(separator: "\n").map { $0.drop { $0 == " " } }
        let expectations = lines.filter { $0.hasPrefix("- eventually:") || $0.hasPrefix("- leads_to:") }
        #expect(try fits("squall: 1\nname: n\nexpect:\n  \(expectations.joined(separator: "\n  "))"))
    }

    @Test(
        "The schema rejects invalid scenarios",
        arguments: [
            "name: n", "squall: 2\nname: n", "squall: 1\nname: n\nscrpt: []", "squall: 1\nname: n\nprofile: chat",
            "squall: 1\nname: n\nwithin: 5", "squall: 1\nname: n\nset: { heartbeat.interval: 10 }",
            "squall: 1\nname: n\nset: { heartbeat.intervall: 10s }",
            "squall: 1\nname: n\ninvariants: { waive: { oder: x } }",
            "squall: 1\nname: n\nscript: [drop]", "squall: 1\nname: n\nscript: [{ user: { opn: stukov } }]",
            "squall: 1\nname: n\nscript: [{ user: open }]",
            "squall: 1\nname: n\nscript: [{ server: { restart: 12 } }]",
            "squall: 1\nname: n\nscript: [{ server: { restart: { dwn: 12s } } }]",
            "squall: 1\nname: n\nscript: [{ wait: client.conected }]",
            "squall: 1\nname: n\nscript: [{ wait: { conection.state: connected } }]",
            "squall: 1\nname: n\nscript: [{ wait: { connection.state: conected } }]",
            "squall: 1\nname: n\nexpect: [{ eventualy: { connection.state: connected } }]",
            "squall: 1\nname: n\nexpect: [{ eventually: { connection.state: connected, withn: 5s } }]",
            "squall: 1\nname: n\nexpect: [{ always: { connection.state: connected, within: 5s } }]",
            "squall: 1\nname: n\nexpect: [{ eventually: { outbox.count: { at_lest: 5 } } }]",
            "squall: 1\nname: n\nexpect: [{ count: { of: client.connected, exactly: some } }]",
            "squall: 1\nname: n\nexpect: [{ leads_to: { whn: client.connected } }]",
            "squall: 1\nname: n\nexpect: [{ same: { of: [view.rows] } }]",
        ]
    )
    func refusesMistakes(_ text: String) throws {
        #expect(try !fits(text))
    }
}
