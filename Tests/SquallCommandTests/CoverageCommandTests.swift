import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall coverage` as a user would run it.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct CoverageCommandTests {
    private static let scenario = "Scenarios/sending/resent-when-no-replay-comes.yaml"

    @Test("squall coverage prints the proven and the missing rows")
    func printsProvenAndMissingRows() throws {
        let ending = try Command.run("coverage", Self.scenario, "--rows", "UX-2.2h,UX-2.2i")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(
            ending.output.hasPrefix(
                "COVERAGE  1 of 2 testable rows proven; 2 of 2 defects killed  (1 case in sim and live)"
            )
        )
        #expect(
            ending.output.contains("UX-2.2i  A message shows at once, then as delivered\n      no expectation covers")
        )
        #expect(!ending.output.contains("\u{1B}"))
        #expect(ending.errors.isEmpty)
    }

    @Test("squall coverage prints JSON of schema version 1")
    func printsCoverageOfSchemaOne() throws {
        let ending = try Command.run("coverage", Self.scenario, "--world", "sim", "--format", "json")
        let json = try JSON.decode(ending.output)
        #expect(json["schema"] == 1)
        #expect(json["rows"]?["total"] == 380)
        #expect(json["rows"]?["testable"] == 365)
        #expect((json["rows"]?["proven"]?.intValue ?? 0) >= 1)
        let unproven = try #require(json["rows"]?["unproven"]?.arrayValue)
        #expect(unproven.allSatisfy { $0["id"]?.stringValue != nil && $0["why"]?.stringValue?.isEmpty == false })
        #expect(json["defects"]?.members?.map(\.name) == ["total", "killed", "survivors", "not_built"])
        #expect(json["unprovable_expectations"]?.arrayValue != nil)
    }

    @Test("Merged parts of a measurement give the same report as the whole")
    func partsGiveTheSameReport() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let measured = ["Scenarios/sending", "--world", "sim", "--rows", "UX-2.2h,UX-2.2i"]
        let parts = try (1...2).map { index in
            let file = scratch.folder.appendingPathComponent("part-\(index).json").path
            let ending = try Command(["coverage"] + measured + ["--shard", "\(index)/2", "--out", file]).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            return file
        }
        let whole = try Command(["coverage"] + measured).ending()
        let merged = try Command(["coverage", "--merge"] + parts).ending()
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(merged.output == whole.output)
        #expect(merged.output.contains("2 of 2 testable rows proven"))
        let incomplete = try Command.run("coverage", "--merge", parts[1])
        #expect(incomplete.status == 65)
        #expect(incomplete.errors.contains("part 1 of 2 is missing"))
        let twice = try Command.run("coverage", "--merge", parts[0], parts[0], parts[1])
        #expect(twice.errors.contains("are both part 1 of 2"))
        let unmeasured = try Command.run("coverage", Self.scenario, "--shard", "1/2")
        #expect(unmeasured.status == 64)
        #expect(unmeasured.errors.contains("--shard and --out need each other"))
    }

    @Test("Options of a merge that belong to the parts, and the reverse, are refused")
    func misplacedOptionsAreRefused() throws {
        for (options, reason) in [
            (["--merge", "part.json", "--world", "sim"], "give --world when you measure the parts"),
            (["--merge"], "--merge needs the files of all parts"),
            (["--shard", "1/2", "--out", "part.json", "--baseline", "f"], "give --baseline to"),
            (["--shard", "1/2", "--out", "part.json", "--full"], "leave out --shard"),
            (["--merge", "Makefile"], "'Makefile' is not a part"),
        ] {
            let ending = try Command(["coverage"] + options).ending()
            #expect(ending.status != 0)
            #expect(ending.errors.contains(reason), "\(ending.errors)")
        }
    }

    @Test("squall coverage prints a Markdown table")
    func printsATableForAPage() throws {
        let ending = try Command.run(
            "coverage",
            Self.scenario,
            "--world",
            "sim",
            "--rows",
            "UX-2.2h",
            "--format",
            "markdown"
        )
        #expect(ending.output.contains("| UX-2.2h | A message whose confirmation was lost"))
        #expect(ending.output.contains("| proven | \(Self.scenario):"))
    }

    @Test("squall coverage lists an expectation that no change to the trace makes fail")
    func anExpectationThatNothingCanFlipIsFoundOut() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: Says nothing
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
            expect:
              - count: { of: client.connected, at_least: 0, covers: [WS-1a] }

            """,
            to: "idle.yaml"
        )
        let ending = try Command.run("coverage", file, "--world", "sim", "--rows", "WS-1a")
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("COVERAGE  0 of 1 testable rows proven; 0 of 1 defects killed"))
        #expect(ending.output.contains("expectations that prove nothing\n  \(file):7:5  count  Says nothing"))
        #expect(ending.output.contains("its defect noBackoff fails no expectation that covers it; tried: \(file)"))
    }

    @Test("squall coverage with a baseline fails if a row is no longer proven, and names the row")
    func aBaselineRefusesLessAndNamesIt() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write("proven UX-2.2h\nproven UX-2.2i\nkilled noIdempotencyKey\n", to: "before.txt")
        let arguments = ["coverage", Self.scenario, "--world", "sim", "--rows", "UX-2.2*", "--baseline", file]
        let refused = try Command(arguments).ending()
        #expect(refused.status == 1)
        #expect(refused.errors.contains("lost: UX-2.2i was proven: no expectation covers it"))
        #expect(!refused.errors.contains("UX-2.2h"))
    }

    /// Running in only one world, or running only some of the files, measures only some of the rows.
    @Test("squall coverage --record updates only the rows that were measured")
    func onlyMeasuredRowsAreRecorded() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write("proven UX-2.2i\n", to: "before.txt")
        let arguments = ["coverage", Self.scenario, "--rows", "UX-2.2*", "--baseline", file, "--record"]
        let refused = try Command(arguments + ["--world", "sim"]).ending()
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--record needs results of both worlds: leave --world sim out"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "proven UX-2.2i\n")

        let ending = try Command(arguments).ending()
        #expect(ending.status == 0)
        #expect(ending.errors.contains("kept unchanged, as it was not measured: UX-2.2i"))
        let recorded = try String(contentsOfFile: file, encoding: .utf8)
        #expect(recorded.contains("proven UX-2.2h\nproven UX-2.2i\nkilled "))
        #expect(recorded.contains("killed clockStays\nkilled noIdempotencyKey\n"))
    }

    @Test(
        "Invalid arguments of squall coverage exit with status 64 and a reason",
        arguments: [
            (["coverage", "--rows", "WS-99"], "WS-99"),
            (["coverage", "--area", "weather"], "degraded-links"),
            (["coverage", "--catalogue", "nowhere"], "nowhere"),
            (["coverage", "--baseline", "nowhere.txt"], "nowhere.txt"),
            (["coverage", "--record"], "--baseline"),
            (["coverage", "--brief", "--format", "json"], "--brief"),
            (["explain", "WS-99"], "did you mean"),
        ]
    )
    func wrongArgumentsEndWith64(_ arguments: [String], _ part: String) throws {
        let ending = try Command(arguments).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains(part), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test("squall coverage exits with status 65 for an invalid catalogue")
    func aWrongCatalogueEndsWith65() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("audit: mine\nprefix: UX\nareas:\n  one:\n    - row: UX-1\n", to: "mine.yaml")
        let ending = try Command.run("coverage", "--catalogue", scratch.folder.path)
        #expect(ending.status == 65)
        #expect(ending.errors.contains("mine.yaml:5:7: error: a row needs 'title'"))
    }

    @Test("squall explain shows a catalogue row with its defects and the scenarios that cover it")
    func explainsARowWithWhoCoversIt() throws {
        let row = try Command.run("explain", "UX-2.2h")
        #expect(row.output.hasPrefix("UX-2.2h: A message whose confirmation was lost is stored once"))
        #expect(row.output.contains("Must fail with noIdempotencyKey (client): every attempt has a new id"))
        #expect(row.output.contains("\(Self.scenario):"))
        let audit = try Command.run("explain", "FL-")
        #expect(audit.output.split(separator: "\n").count == 26)
        #expect(try Command.run("explain", "noIdempotencyKey").output.contains("UX-2.2h"))
    }

    @Test("squall check refuses a scenario that covers an unknown catalogue row")
    func checkRefusesARowThatTheCatalogueDoesNotHave() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            "squall: 1\nname: Covers\nexpect:\n  - eventually: { connection.state: connected, covers: [UX-2.5z] }\n",
            to: "covers.yaml"
        )
        let ending = try Command.run("check", file)
        #expect(ending.status == 65)
        #expect(ending.errors.contains("unknown row 'UX-2.5z'"))
        #expect(ending.errors.contains("known rows: UX-2.5a, UX-2.5b"))
    }
}
