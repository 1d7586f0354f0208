import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests commands that use profiles in the user's own files.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ProfileFileCommandTests {
    /// Returns the profile shown on the documentation page about templates.
    private static func profile() throws -> String {
        let page = Command.package.appendingPathComponent("Sources/Squall/Squall.docc/WireTemplates.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```yaml\n"))
        let end = try #require(text.range(of: "\n```", range: start.upperBound..<text.endIndex))
        return String(text[start.upperBound..<end.lowerBound]) + "\n"
    }

    private static func scenario(_ profile: String = "./my-app.yaml", _ step: String = "user: { send: bye }") -> String
    {
        """
        squall: 1
        name: In our own words
        profile: \(profile)
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: hello }
            as: hello
          - wait: { "message.status[hello]": delivered }
          - network: drop
          - server: { post: { to: stukov, count: 2 } }
          - wait: { next: { connection.state: connected } }
          - server: { post: { to: stukov } }
          - \(step)
        expect:
          - delivered: { conversation: stukov, lost: 0, duplicated: 0, reordered: 0 }
          - count: { of: client.malformed_frame, exactly: 0 }

        """
    }

    @Test("A scenario can name a profile file by a path relative to the scenario")
    func aScenarioNamesItsOwnFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.profile(), to: "my-app.yaml")
        try scratch.write(Self.scenario(), to: "first.yaml")
        let file = scratch.folder.appendingPathComponent("first.yaml").path
        let ending = try Command.run("run", file, "--format", "json")
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let json = try JSON.decode(ending.output)
        #expect(json["totals"]?["pass"] == 2)
        #expect(json["parity"]?["equal"] == 1)
        let named = json["scenarios"]?[0]?["profile"]?.stringValue
        #expect(named == scratch.folder.appendingPathComponent("my-app.yaml").path)
    }

    @Test("--profile with a file replaces the profile of any scenario")
    func anyScenarioIsPlayedUnderAFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.profile(), to: "my-app.yaml")
        try scratch.write(Self.scenario("polish"), to: "first.yaml")
        let ending = try Command.run("run", "first.yaml", "--profile", "my-app.yaml", in: scratch.folder)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("parity: 1 of 1 equal"))
    }

    @Test("A scenario that needs a frame missing from the given profile is skipped with the reason")
    func scenariosThatNeedMissingFramesAreSkipped() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.profile(), to: "my-app.yaml")
        let streaming = "server: { stream: { conversation: stukov, text: hi } }"
        try scratch.write(Self.scenario("polish", streaming), to: "first.yaml")
        let ending = try Command.run(
            "run",
            "first.yaml",
            "--profile",
            "my-app.yaml",
            "--format",
            "json",
            in: scratch.folder
        )
        #expect(ending.status == 2, "\(ending.output)\(ending.errors)")
        let json = try JSON.decode(ending.output)
        #expect(json["totals"]?["skipped"] == 2)
        #expect(json["parity"]?["compared"] == 0)
        let why = json["scenarios"]?[0]?["expectations"]?[0]
        #expect(why?["why"] == "the protocol of 'my-app.yaml' has no 'token' from the server")
        #expect(why?["line"] == 14)
    }

    @Test("An invalid profile exits with status 65 and is reported once for several scenarios")
    func wrongProfilesEndWith65() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(
            try Self.profile().replacing("{api_key}", with: "{api_kye}").replacing("on: denied", with: "on: ack"),
            to: "my-app.yaml"
        )
        for name in ["first.yaml", "second.yaml"] { try scratch.write(Self.scenario(), to: name) }
        let own = try Command.run("check", "first.yaml", "second.yaml", in: scratch.folder)
        #expect(own.status == 65)
        #expect(own.errors.ranges(of: "my-app.yaml:6:43: error: the client's connect has no 'api_kye'").count == 1)
        #expect(own.errors.contains("first.yaml:3:10: error: the profile 'my-app.yaml' has errors"))
        #expect(own.errors.contains("second.yaml:3:10"))
        let asked = try Command.run("run", "first.yaml", "--profile", "./my-app.yaml", in: scratch.folder)
        #expect(asked.status == 65)
        #expect(asked.errors.contains("./my-app.yaml:6:43: error:"), "\(asked.errors)")
        let checked = try Command.run("check", "first.yaml", "--profile", "./my-app.yaml", in: scratch.folder)
        #expect(checked.status == 65)
        #expect(checked.errors == asked.errors)
    }

    @Test("squall run exits with status 64 if the profile file is missing")
    func aFileThatIsNotThereEndsWith64() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.scenario(), to: "first.yaml")
        let asked = try Command.run("run", "first.yaml", "--profile", "./gone.yaml", in: scratch.folder)
        #expect(asked.status == 64)
        #expect(asked.errors.contains("the profile './gone.yaml' cannot be read: there is no such file"))
        let own = try Command.run("check", "first.yaml", in: scratch.folder)
        #expect(own.status == 65)
        #expect(own.errors.contains("the profile 'my-app.yaml' cannot be read: there is no such file"))
    }
}
