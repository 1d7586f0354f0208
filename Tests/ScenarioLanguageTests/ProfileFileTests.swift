import ChatWire
import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests profiles in the user's own files: how they are found, and the diagnostics of invalid ones.
///
/// `RECORD=1` writes the current diagnostics to the text files.
@Suite struct ProfileFileTests {
    static let folder = MistakeTests.folder.appendingPathComponent("Profiles")

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
    }()

    @Test("The fixtures contain at least ten invalid profiles")
    func thereAreSome() {
        #expect(Self.names.count >= 10)
    }

    @Test("An invalid profile gives exactly the recorded diagnostics", arguments: names)
    func hasTheRecordedDiagnostics(_ name: String) throws {
        let file = Self.folder.appendingPathComponent("\(name).yaml")
        let source = SourceText(file: "\(name).yaml", text: try String(contentsOf: file, encoding: .utf8))
        guard case .failure(let mistakes) = ProfileReader.read(source, named: name) else {
            Issue.record("\(name).yaml is read without a mistake")
            return
        }
        let told = mistakes.rendered(in: source) + "\n"
        let baseline = Self.folder.appendingPathComponent("\(name).txt")
        let expected = try? String(contentsOf: baseline, encoding: .utf8)
        if ProcessInfo.processInfo.environment["RECORD"] == "1" || expected == nil {
            try told.write(to: baseline, atomically: true, encoding: .utf8)
            if expected == nil { Issue.record("recorded new baseline \(name).txt; look at it, and run again") }
            return
        }
        #expect(told == expected)
    }

    private static func read(
        _ head: String,
        as file: String,
        with override: String? = nil,
        _ load: @escaping @Sendable (String) -> ProfileFiles.Answer
    ) -> Result<[Scenario], ScenarioMistakes> {
        let source = SourceText(file: file, text: "squall: 1\nname: A test\n\(head)\n")
        return ScenarioReader.read(source, profile: override, profiles: ProfileFiles(load: load))
    }

    @Test("The path of a profile in a scenario is relative to the scenario file")
    func pathsAreSeenFromTheScenario() throws {
        for (file, written, path) in [
            ("Scenarios/a/b.yaml", "./my-app.yaml", "Scenarios/a/my-app.yaml"),
            ("Scenarios/a/b.yaml", "../my-app.yaml", "Scenarios/a/../my-app.yaml"),
            ("b.yaml", "my-app.yml", "my-app.yml"),
            ("Scenarios/b.yaml", "/etc/my-app.yaml", "/etc/my-app.yaml"),
        ] {
            let cases = try Self.read("profile: \(written)", as: file) { asked in
                asked == path ? .profile(Profile(name: asked)) : .unreadable("asked for \(asked)")
            }.get()
            #expect(cases.first?.profile.name == path)
            #expect(cases.first?.isProfileForced == false)
        }
    }

    @Test("The path of a profile on the command line is relative to the current folder")
    func anotherProfileIsSeenFromWhereTheUserIs() throws {
        let cases = try Self.read("profile: ./gone.yaml", as: "a/b.yaml", with: "mine/app.yaml") { asked in
            asked == "mine/app.yaml" ? .profile(Profile(name: asked)) : .unreadable("asked for \(asked)")
        }.get()
        #expect(cases.first?.profile.name == "mine/app.yaml")
        #expect(cases.first?.isProfileForced == true)
        let named = try Self.read("profile: ./gone.yaml", as: "a/b.yaml", with: "polish") { .unreadable($0) }.get()
        #expect(named.first?.profile.name == "polish")
    }

    @Test("A missing profile is reported at the line that names it")
    func aMissingProfileIsReported() {
        let read = Self.read("profile: ./my-app.yaml", as: "a/b.yaml") { _ in .unreadable("there is no such file") }
        guard case .failure(let mistakes) = read else {
            Issue.record("a profile that is not there is read")
            return
        }
        #expect(
            mistakes.diagnostics.map(\.message)
                == ["the profile 'a/my-app.yaml' cannot be read: there is no such file"]
        )
        #expect(mistakes.diagnostics.first?.location.line == 3)
    }

    @Test("A scenario that uses a frame missing from its profile's protocol is refused")
    func missingFramesAreRefused() {
        let told = complaints(
            """
            profile: array-frames
            script:
              - user: { open: stukov }
              - server: { stream: { conversation: stukov, text: hi } }
              - server: { hold: message, as: kept }
              - server: { hold: hello, as: first }
              - wait: { next: client.sent.message_ack }
            expect:
              - count: { of: client.received.token, exactly: 0 }
            """
        )
        #expect(
            told == [
                "the protocol of 'array-frames' has no 'token' from the server",
                "the protocol of 'array-frames' has no 'hello' from the server",
                "the protocol of 'array-frames' has no 'message_ack' from the client",
                "the protocol of 'array-frames' has no 'token' from the server",
            ]
        )
    }
}
