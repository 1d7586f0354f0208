import ChatWire
import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import Testing

/// Compares the documentation page about templates with the code: the profile on the page must produce the frames that
/// the page shows.
@Suite struct WireTemplatesPageTests {
    private static let text: String = {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Squall/Squall.docc/WireTemplates.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// Returns the page's code blocks in the given language.
    private static func blocks(_ language: String) -> [String] {
        text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }
            .map(\.element).filter { $0.prefix { $0 != "\n" } == language }
            .map { String($0.dropFirst(language.count + 1)) }
    }

    private static func wire() throws -> WireProfile {
        let profile = try #require(blocks("yaml").first)
        return try ProfileReader.read(SourceText(file: "my-app.yaml", text: profile), named: "my-app.yaml").get().wire
    }

    @Test("The example profile on the page encodes and decodes the frames that the page shows")
    func itsProfileSpeaksAsItShows() throws {
        let wire = try Self.wire()
        var (client, server) = (WireDialogue(), WireDialogue())
        var told: [String] = []
        func note(_ title: String, _ bytes: [UInt8]?) throws -> String {
            let text = String(decoding: try #require(bytes), as: UTF8.self)
            told.append(title.padding(toLength: 17, withPad: " ", startingAt: 0) + text)
            return text
        }
        func say(_ frame: ClientFrame) throws {
            let text = try note("client \(frame.role.rawValue)", frame.encode(wire, in: &client))
            #expect(ClientFrame.decode(text, wire, in: &server) == .frame(frame))
        }
        func say(_ frame: ServerFrame) throws {
            let bytes = frame.encode(wire, answering: server.lastReference, in: &server)
            let text = try note("server \(frame.role.rawValue)", bytes)
            #expect(ServerFrame.decode(text, wire, in: &client) == .frame(frame))
        }
        try say(.connect(.init(key: "key-1")))
        try say(.connected(.init(session: "s-7", resumed: false, lastSequence: 40)))
        try say(.send(.init(clientMessageID: "c-12", conversation: "stukov", text: "hello")))
        let confirmation = ServerFrame.Confirmation(
            clientMessageID: "c-12",
            messageID: "m-41",
            sequence: 41,
            timestamp: 1_772_368_245_250,
            duplicate: false
        )
        try say(.confirm(confirmation))
        try say(.ping(id: nil) as ClientFrame)
        try say(.pong(id: nil) as ServerFrame)
        #expect(Self.blocks("") == [told.joined(separator: "\n")])
    }

    @Test("The templates page documents every template form and key")
    func itNamesEveryFormAndKey() {
        let words = [
            "frame", "text", "when", "assume", "answers", "after", "then", "number", "seconds", "milliseconds",
        ]
        for word in words {
            #expect(Self.text.contains("`\(word)`"), "\(word) is not on the page")
        }
        for name in FrameProfileTests.names + FrameProfileTests.presets { #expect(Self.text.contains("`\(name)`")) }
    }
}
