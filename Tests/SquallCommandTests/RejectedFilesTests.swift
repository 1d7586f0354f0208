import Foundation
import TestSupport
import Testing

/// Tests folders that contain other files besides scenarios, and outdated lists of known failures.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct FilesBesideTests {
    private static let scenario = """
        squall: 1
        name: One
        profile: ./my-app.yaml
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
        expect:
          - eventually: { connection.state: connected, within: 5s, name: "It comes up" }

        """

    private static func folder() throws -> Scratch {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            at: scratch.folder.appendingPathComponent("mine"),
            withIntermediateDirectories: false
        )
        try scratch.write(scenario, to: "mine/one.yaml")
        try scratch.write("heartbeat.interval: 20s\n", to: "mine/my-app.yaml")
        try scratch.write("known: []\n", to: "mine/known.yaml")
        return scratch
    }

    @Test("squall check reports a wait that ends at once because the killed client's last state still holds")
    func waitBesideKill() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let head = "squall: 1\nname: One\nscript:\n  - wait: { connection.state: connected }\n  - device: kill\n"
        try scratch.write(head + "  - wait: { connection.state: connected }\n", to: "held.yaml")
        try scratch.write(head + "  - wait: { next: { connection.state: connected } }\n", to: "next.yaml")
        let held = try Command.run("check", "held.yaml", in: scratch.folder)
        #expect(held.status == 65)
        #expect(held.output.contains("held.yaml:6:5: this wait holds at once"), "\(held.output)")
        #expect(try Command.run("check", "next.yaml", in: scratch.folder).status == 0)
    }

    @Test(
        "squall check reports a duration that no run can reach, and waits that take days together",
        arguments: [
            ("wait: 800h", "within: 20s", ["long.yaml:4:5: 800h is longer than a run can be, which is 744h: was"]),
            ("wait: { next: client.connected, within: 745h }", "within: 20s", ["long.yaml:4:5: 745h is longer"]),
            ("wait: 1s", "within: 745h", ["long.yaml:7:5: 745h is longer than a run can be"]),
            ("wait: 90h", "within: 744h", ["long.yaml:4:5: the waits of this case take 180h, in every run and"]),
            ("wait: 78h", "within: 744h", []),
        ]
    )
    func overlongDurations(_ wait: String, _ bound: String, _ expected: [String]) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = """
            squall: 1
            name: Long
            script:
              - \(wait)
              - wait: 90h
            expect:
              - eventually: { connection.state: connected, \(bound) }

            """
        try scratch.write(text, to: "long.yaml")
        let checked = try Command.run("check", "long.yaml", in: scratch.folder)
        #expect(checked.status == (expected.isEmpty ? 0 : 65), "\(checked.output)\(checked.errors)")
        for line in expected { #expect(checked.output.contains(line), "\(checked.output)") }
    }

    @Test(
        "Profiles and known-failure lists in a folder of scenarios are not read as scenarios",
        arguments: [
            ["check", "mine"], ["check", "."], ["run", "mine", "--world", "sim"],
            ["run", "mine", "--world", "sim", "--profile", "polish"],
        ]
    )
    func profilesAndListsBesideScenariosArePassedOver(_ arguments: [String]) throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        let ending = try Command(arguments, in: scratch.folder).ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }

    @Test("A profile that no scenario uses is an error, and so is a known-failure list given as a scenario")
    func unusedProfilesAndNamedListsAreMistakes() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        let named = try Command.run("check", "mine/known.yaml", in: scratch.folder)
        #expect(named.status == 65 && named.errors.contains("mine/known.yaml:1:1: error: this is not a scenario"))
        let profile = try Command.run("check", "mine/one.yaml", "mine/my-app.yaml", in: scratch.folder)
        #expect(profile.status == 65 && profile.errors.contains("mine/my-app.yaml:1:1: error: this is not a scenario"))
        try scratch.write("heartbeat.interval: 20s\n", to: "mine/other.yaml")
        let other = try Command.run("check", "mine", in: scratch.folder)
        #expect(other.status == 65)
        #expect(other.errors.contains("mine/other.yaml:1:1: error: this is not a scenario"), "\(other.errors)")
        #expect(!other.errors.contains("my-app"), "\(other.errors)")
    }

    /// When there are hundreds of errors, only the end of the output is visible in a terminal.
    @Test("The total number of errors in several files is printed at the end")
    func mistakesOfSeveralFilesAreCounted() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        try scratch.write("squall: 1\nname: Two\ntag: a\nscripts: []\n", to: "mine/two.yaml")
        try scratch.write("squall: 1\nname: Three\ntag: a\n", to: "mine/three.yaml")
        let ending = try Command.run("run", "mine", in: scratch.folder)
        #expect(ending.status == 65)
        #expect(ending.errors.hasSuffix("\n\n3 mistakes in 2 files\n"), "\(ending.errors)")
    }

    /// A file named on the command line is checked even if its folder has already been searched.
    @Test("A known-failure list given on the command line is an error even if its folder is given too")
    func namedFilesAreAlwaysChecked() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        let ending = try Command.run("check", "mine", "./mine/known.yaml", in: scratch.folder)
        #expect(ending.status == 65)
        #expect(ending.errors.contains("mine/known.yaml:1:1: error: this is not a scenario"), "\(ending.errors)")
    }

    @Test("A folder without scenarios is a usage error")
    func aFolderWithoutScenariosSaysSo() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        try FileManager.default.removeItem(at: scratch.folder.appendingPathComponent("mine/one.yaml"))
        try FileManager.default.removeItem(at: scratch.folder.appendingPathComponent("mine/my-app.yaml"))
        let ending = try Command.run("check", "mine", in: scratch.folder)
        #expect(ending.status == 64)
        #expect(ending.errors == "squall: there is no scenario in 'mine'\n")
    }

    @Test("Known failures of missing files or cases fail the run, and --fix removes their entries")
    func staleEntriesFailAndAreRemoved() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        let text = """
            known:
              - { scenario: mine/gone.yaml, reason: it was hard }
              - { scenario: mine/one.yaml, case: nosuch, reason: so it was }

            """
        let list = try scratch.write(text, to: "known.yaml")
        let run = ["run", "mine", "--world", "sim", "--known-failures", "known.yaml"]
        let ending = try Command(run, in: scratch.folder).ending()
        #expect(ending.status == 1)
        #expect(ending.output.hasPrefix("FAIL  1 run (1 case) in sim\n"), "\(ending.output)")
        #expect(
            ending.output.contains("FAIL known.yaml:2:5  known failure: there is no file 'mine/gone.yaml'"),
            "\(ending.output)"
        )
        #expect(ending.output.contains("known.yaml:3:5  known failure: 'mine/one.yaml' has no case 'nosuch'"))
        let fixed = try Command(run + ["--fix"], in: scratch.folder).ending()
        #expect(fixed.status == 0, "\(fixed.output)\(fixed.errors)")
        #expect(try String(contentsOfFile: list, encoding: .utf8).contains("known: []"))
    }

    /// Paths in the list are relative to the list's folder. The list also has entries for files that are not run here;
    /// these must not cause an error.
    @Test("Paths in a list of known failures are relative to the list's folder")
    func aFileThatIsElsewhereIsThere() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        try scratch.write(Self.scenario, to: "mine/two.yaml")
        try scratch.write("known: [{ scenario: mine/two.yaml, reason: not today }]\n", to: "known.yaml")
        let ending = try Command.run(
            "run",
            "one.yaml",
            "--world",
            "sim",
            "--known-failures",
            "../known.yaml",
            in: scratch.folder.appendingPathComponent("mine")
        )
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }

    @Test("A file that is not UTF-8 is reported with other errors, and a folder with the name x.yaml is searched")
    func whatCannotBeRead() throws {
        let scratch = try Self.folder()
        defer { scratch.remove() }
        let folders = FileManager.default
        try folders.createDirectory(
            at: scratch.folder.appendingPathComponent("mine/d.yaml"),
            withIntermediateDirectories: false
        )
        #expect(try Command(["check", "mine"], in: scratch.folder).ending().status == 0)
        try Data([0x6E, 0xFF, 0xFE]).write(to: scratch.folder.appendingPathComponent("mine/a.yaml"))
        let alone = try Command(["check", "mine"], in: scratch.folder).ending()
        #expect(alone.status == 65)
        #expect(alone.errors.contains("mine/a.yaml:1:1: error: this is not text in UTF-8"), "\(alone.errors)")
        try scratch.write("squall: 1\nname: Wrong\nscrypt: []\n", to: "mine/z.yaml")
        let both = try Command(["check", "mine"], in: scratch.folder).ending()
        #expect(both.status == 65)
        #expect(both.errors.contains("mine/a.yaml:1:1") && both.errors.contains("mine/z.yaml:3:1"), "\(both.errors)")
    }
}
