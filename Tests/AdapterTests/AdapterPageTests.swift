import Adapter
import Foundation
import SquallCore
import Testing

/// Compares the documentation page on the adapter protocol with the catalogue in the code.
///
/// If `RECORD=1` is set in the environment, the test updates outdated generated sections instead of failing.
@Suite struct AdapterPageTests {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Squall/Squall.docc/AdapterProtocol.md")

    /// The text between `<!-- BEGIN direction -->` and `<!-- END -->`.
    private static func section(_ direction: AdapterEntry.Direction) -> String {
        AdapterCatalogue.entries.filter { $0.direction == direction }.map { entry in
            var lines = ["### `\(entry.name)`", "", entry.meaning, ""]
            if !entry.fields.isEmpty {
                lines += ["| Field | Kind | Required | Meaning |", "| --- | --- | --- | --- |"]
                lines += entry.fields.map {
                    "| `\($0.name)` | \($0.kind) | \($0.isRequired ? "yes" : "no") | \($0.meaning) |"
                }
                lines.append("")
            }
            return (lines + ["```json", entry.example, "```"]).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static func written(_ page: String) throws -> String {
        try AdapterEntry.Direction.allCases.reduce(page) { page, direction in
            let parts = page.components(separatedBy: "<!-- BEGIN \(direction.rawValue) -->\n")
            try #require(parts.count == 2)
            let rest = try #require(parts[1].range(of: "<!-- END -->"))
            return parts[0] + "<!-- BEGIN \(direction.rawValue) -->\n\n\(section(direction))\n\n"
                + parts[1][rest.lowerBound...]
        }
    }

    @Test("The adapter page documents every message of the adapter protocol")
    func thePageHasEveryMessageOfTheCode() throws {
        let page = try String(contentsOf: Self.file, encoding: .utf8)
        let wanted = try Self.written(page)
        if ProcessInfo.processInfo.environment["RECORD"] == "1", wanted != page {
            try wanted.write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(page == wanted, "run the tests with RECORD=1")
    }

    @Test(
        "The example of every message has exactly the fields in the message's table",
        arguments: AdapterCatalogue.entries
    )
    func examplesHaveTheFieldsOfTheirTable(_ entry: AdapterEntry) throws {
        let json = try JSON.decode(entry.example)
        let frame: [String] =
            switch entry.direction {
            case .command: ["id", "type"]
            case .answer: ["in_reply_to", "type"]
            case .event: ["event"]
            }
        let names = try #require(json.members).map(\.name)
        #expect(names.prefix(frame.count) == frame[...])
        let known = entry.fields.map(\.name)
        #expect(names.dropFirst(frame.count).allSatisfy(known.contains), "\(entry.name) has a field that no table has")
        for field in entry.fields where field.isRequired { #expect(names.contains(field.name)) }
        #expect((json["type"] ?? json["event"])?.stringValue == entry.name)
    }

    @Test(
        "The adapter parser knows every answer and event of the adapter protocol",
        arguments: AdapterCatalogue.entries.filter { $0.direction != .command }
    )
    func examplesAreRead(_ entry: AdapterEntry) throws {
        let message = try AdapterMessage(line: Array(entry.example.utf8)[...])
        if case .unknown = message { Issue.record("\(entry.name) is not known to the reader") }
    }

    @Test(
        "The error for an adapter message names the required field that is missing",
        arguments: AdapterCatalogue.entries.filter { $0.direction != .command }
    )
    func aRequiredFieldThatIsMissingIsNamed(_ entry: AdapterEntry) throws {
        for field in entry.fields where field.isRequired {
            var json = try JSON.decode(entry.example)
            json.remove(field.name)
            #expect(throws: AdapterFailure.Kind.badField(message: entry.name, field: field.name)) {
                try AdapterMessage(line: json.encode()[...])
            }
        }
    }

    @Test("the encoded init message equals the example on the adapter page") func initIsWrittenAsThePageHasIt() throws {
        let greeting = AdapterInit(
            client: "client",
            addresses: AdapterAddresses(endpoint: "127.0.1.7:40113", path: "/ws", stateFolder: "/tmp/squall-x/0"),
            key: "key-1",
            seed: 1
        )
        let line = String(decoding: greeting.command.line(id: 1), as: UTF8.self)
        #expect(line == AdapterCatalogue.entry(.command, "init").map { $0.example + "\n" })
    }

    @Test(
        "A 64-bit seed is encoded and decoded as an unsigned number",
        arguments: [(1, "1"), (1 << 63, "9223372036854775808"), (.max, "18446744073709551615")] as [(UInt64, String)]
    )
    func aSeedIsWrittenWithoutASign(_ seed: UInt64, _ digits: String) throws {
        let addresses = AdapterAddresses(endpoint: "127.0.1.7:1", path: "/ws")
        let line = AdapterInit(client: "client", addresses: addresses, key: "key-1", seed: seed).command.line(id: 1)
        #expect(String(decoding: line, as: UTF8.self).contains(#""seed":\#(digits),"#))
        let read = try #require(AdapterCommand.read(line: line.dropLast()))
        #expect(read.command[field: "seed"]?.unsignedValue == seed)
    }

    @Test("With a certificate authority the client receives wss and https addresses and the path of the CA file")
    func withAnAuthorityClientsComeByTLS() {
        let addresses = AdapterAddresses(endpoint: "127.0.1.7:1", path: "/ws", authorityFile: "/tmp/ca.pem")
        #expect(addresses.webSocketURL == "wss://127.0.1.7:1/ws" && addresses.httpURL == "https://127.0.1.7:1")
        let variables = addresses.environment(of: "client", key: "key-1").map { "\($0.name)=\($0.value)" }
        #expect(variables.contains("SQUALL_CA_FILE=/tmp/ca.pem") && variables.contains("SQUALL_STATE_DIR="))
        let greeting = AdapterInit(client: "client", addresses: addresses, key: "key-1", seed: 1)
        #expect(greeting.command.fields.contains { $0.name == "ca_file" && $0.value == "/tmp/ca.pem" })
    }
}
