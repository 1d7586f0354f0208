import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests the files that `squall run` writes, and how it behaves if some of them cannot be written.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct RunOutputTests {
    private static let scenario = Command.package.path + "/Scenarios/sending/dropped-between-send-and-confirm.yaml"

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// The shell limits the file size to 24 kB, which a program cannot distinguish from a full disk.
    @Test("A full disk does not suppress the verdict of squall run") func aFullDiskDoesNotSuppressTheVerdict() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let command = """
            trap '' XFSZ; ulimit -f 48; exec '\(Command.binary.path)' run '\(Self.scenario)' --world sim --seed 7 \
            --report report --junit junit.xml
            """
        let shell = Process()
        let (output, errors) = (Pipe(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        shell.currentDirectoryURL = scratch.folder
        shell.standardOutput = output
        shell.standardError = errors
        try shell.run()
        let messages = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 70)
        #expect(messages.hasPrefix("PASS  1 run (1 case) in sim\n"), "\(messages)")
        #expect(complaints.contains("squall: 'report/index.html' cannot be written: "), "\(complaints)")
        #expect(try Self.names(in: scratch.folder) == ["junit.xml", "report"])
        let report = scratch.folder.appendingPathComponent("report")
        let written = try Self.names(in: report)
        #expect(written.contains("results.json") && written.contains("junit.xml"), "\(written)")
        #expect(!written.contains("index.html"), "half a page is worse than none")
        #expect(!written.contains { $0.hasPrefix(".") }, "nothing half done stays: \(written)")
    }

    @Test("Overwriting an output file keeps its permissions and follows symbolic links")
    func aFileThatIsThereKeepsItsRightsAndALinkStaysOne() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let real = try scratch.write("old", to: "real.xml")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: real)
        let link = scratch.folder.appendingPathComponent("link.xml").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        let ending = try Command.run("run", Self.scenario, "--world", "sim", "--junit", link)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
        #expect(try String(contentsOfFile: real, encoding: .utf8).hasPrefix("<?xml"))
        #expect(try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o600)
    }

    private static func table(_ names: [String]) -> String {
        """
        squall: 1
        name: A table
        with:
        \(names.map { "  - { spare: a, name: \"\($0)\" }" }.joined(separator: "\n"))
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: "${spare}", as: hi }
        expect:
          - eventually: { "message.status[hi]": delivered, within: 20s }

        """
    }

    @Test("Every case has its own trace file, named after the case")
    func everyCaseHasATraceOfItsOwnAndItsName() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let cases = ["clock +5s", "clock -5s", "a b", "a-b", "A-b", "one/two", "../up"]
        try scratch.write(Self.table(cases), to: "table.yaml")
        try FileManager.default.createDirectory(
            at: scratch.folder.appendingPathComponent("in"),
            withIntermediateDirectories: false
        )
        try scratch.write(Self.table(["a-b"]), to: "in/table.yaml")
        let ending = try Command.run(
            "run",
            "../table.yaml",
            "table.yaml",
            "--world",
            "sim",
            "--report",
            "report",
            "--traces=all",
            in: scratch.folder.appendingPathComponent("in")
        )
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let report = scratch.folder.appendingPathComponent("in/report")
        let names = try Self.names(in: report).filter { $0.hasPrefix("table") }
        #expect(names.count == cases.count + 1, "\(names)")
        #expect(names.contains("table.a-b.seed1.sim"), "what needs no change has none: \(names)")
        let shown = try names.map { name in
            let trace = report.appendingPathComponent("\(name)/trace.jsonl").path
            return try Command.run("trace", "show", trace, "--name", "nothing").output
        }
        for name in cases {
            #expect(shown.contains { $0.hasPrefix("../table.yaml, case \"\(name)\", profile default") }, "\(shown)")
        }
    }

    @Test("A trace is judged with the profile of its run") func aTraceIsJudgedUnderTheProfileItWasMadeUnder() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("heartbeat.interval: 60s\n", to: "slow.yaml")
        try scratch.write(
            """
            squall: 1
            name: As slow as its profile
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - network: { blackhole: { for: 5m } }
                as: hole
              - wait: { next: { connection.state: reconnecting }, within: 5m }
            expect:
              - leads_to: { when: "fault.began[hole]", then: { connection.state: reconnecting }, within: $heartbeat.interval + 25s }

            """,
            to: "profile.yaml"
        )
        let ending = try Command.run(
            "run",
            "profile.yaml",
            "--profile",
            "./slow.yaml",
            "--world",
            "sim",
            "--report",
            "report",
            "--traces=all",
            in: scratch.folder
        )
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let judged = try Command.run(
            "trace",
            "judge",
            "report/profile.seed1.sim/trace.jsonl",
            in: scratch.folder
        )
        #expect(judged.status == 0, "\(judged.output)\(judged.errors)")
    }

    @Test("The results of a run record an interruption") func anInterruptedRunSaysSoToMachines() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let report = scratch.folder.appendingPathComponent("report")
        let command = try Command(["run", Self.scenario, "--repeat", "100000", "--report", report.path])
        try await command.listens()
        kill(command.process.processIdentifier, SIGINT)
        #expect(try command.ending().status == 130)
        let results = try JSON.decode(
            String(contentsOf: report.appendingPathComponent("results.json"), encoding: .utf8)
        )
        #expect(results["interrupted"] == true)
        let left = try #require(results["not_played"]?.intValue)
        #expect(left > 0 && left + Int64(results["scenarios"]?.arrayValue?.count ?? 0) == 200_000)
        let junit = try String(contentsOf: report.appendingPathComponent("junit.xml"), encoding: .utf8)
        let message = "interrupted: \(Int(left).grouped) runs were not played"
        #expect(junit.contains("<error message=\"\(message)\">"), "\(junit)")
    }

    private static func forOneWorld(_ world: String) -> String {
        """
        squall: 1
        name: For \(world)
        worlds: [\(world)]
        why: "it counts to a \(world) number"
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }

        """
    }

    @Test("A scenario for another world is skipped with its reason") func scenariosForAnotherWorldAreSkipped() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.forOneWorld("sim"), to: "sim.yaml")
        try scratch.write(Self.forOneWorld("live"), to: "live.yaml")
        let alone = try Command.run(
            "run",
            "sim.yaml",
            "--world",
            "live",
            "--junit",
            "junit.xml",
            in: scratch.folder
        )
        #expect(alone.status == 2, "nothing was judged: \(alone.output)\(alone.errors)")
        #expect(alone.output.hasPrefix("INCONCLUSIVE  1 run (1 case) in live\n"), "\(alone.output)")
        #expect(alone.output.contains("  skip For sim  live, 1 of 1 parts skipped\n"), "\(alone.output)")
        let why = "for sim only: it counts to a sim number"
        #expect(alone.output.contains("sim.yaml:1:1  worlds: \(why)"), "\(alone.output)")
        let junit = try String(contentsOf: scratch.folder.appendingPathComponent("junit.xml"), encoding: .utf8)
        #expect(junit.contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""), "\(junit)")
        #expect(junit.contains("worlds: \(why)"), "\(junit)")
        let foreign = try Command.run("run", "sim.yaml", "--client", "true", "--wire-only", in: scratch.folder)
        #expect(foreign.status == 2 && foreign.output.contains(why), "\(foreign.output)\(foreign.errors)")
        // The case that cannot be run must not keep the other one from passing.
        let both = ["run", "sim.yaml", "live.yaml", "--world", "sim", "--repeat", "2", "--format", "json"]
        let mixed = try Command(both, in: scratch.folder).ending()
        #expect(mixed.status == 0, "\(mixed.errors)")
        let results = try JSON.decode(mixed.output)
        #expect(results["totals"]?["pass"] == 2 && results["totals"]?["skipped"] == 2 && results["not_played"] == 0)
        let each = try Command.run("run", "sim.yaml", "live.yaml", in: scratch.folder)
        #expect(each.status == 0, "\(each.errors)")
        #expect(each.output.contains("2 runs: 2 pass"), "each in its own world, and nothing else: \(each.output)")
    }

    @Test("A suite stopped at the first failure counts the runs that were not played")
    func aSuiteStoppedByAFailureSaysWhatItLeft() throws {
        let ending = try Command.run(
            "run",
            Self.scenario,
            "--world",
            "sim",
            "--defect",
            "sendsBeforeAuth",
            "--repeat",
            "5",
            "--until-fail",
            "--format",
            "json"
        )
        #expect(ending.status == 1, "\(ending.errors)")
        let results = try JSON.decode(ending.output)
        #expect(results["interrupted"] == true && results["not_played"] == 4, "\(ending.output)")
        #expect(results["broken_off_by"] == "failure")
    }

    private static let wrong = """
        squall: 1
        name: Wrong
        script:
          - user: { opne: stukov }

        """

    @Test("Errors are printed even if the reports cannot be written") func mistakesArePrintedInAnyCase() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.wrong, to: "wrong.yaml")
        let messages = "wrong.yaml:4:13: error: unknown user action 'opne'"
        let lost = try Command.run(
            "run",
            "wrong.yaml",
            "--junit",
            "/nonexistent/j.xml",
            "--report",
            "out",
            in: scratch.folder
        )
        #expect(lost.status == 70)
        #expect(lost.errors.hasPrefix(messages), "\(lost.errors)")
        #expect(lost.errors.contains("squall: '/nonexistent/j.xml' cannot be written: "), "\(lost.errors)")
        let out = scratch.folder.appendingPathComponent("out")
        #expect(try Self.names(in: out) == ["junit.xml"], "the folder's is written all the same")
    }

    @Test("An invalid scenario file replaces the report of an earlier run")
    func noReportOfAnEarlierRunStandsForAWrongFile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(Self.forOneWorld("sim"), to: "a.yaml")
        let arguments = ["run", file, "--world", "sim", "--report", "out", "--junit", "junit.xml"]
        #expect(try Command(arguments, in: scratch.folder).ending().status == 0)
        let out = scratch.folder.appendingPathComponent("out")
        #expect(try Self.names(in: out).contains("index.html"))
        try scratch.write(Self.wrong, to: "a.yaml")
        #expect(try Command(arguments, in: scratch.folder).ending().status == 65)
        let junit = try String(contentsOf: out.appendingPathComponent("junit.xml"), encoding: .utf8)
        #expect(junit.contains("errors=\"1\"") && junit.contains("unknown user action 'opne'"), "\(junit)")
        #expect(try junit == String(contentsOf: scratch.folder.appendingPathComponent("junit.xml"), encoding: .utf8))
        let names = try Self.names(in: out)
        #expect(!names.contains("index.html") && !names.contains("results.json"), "\(names)")
    }

    @Test("A scenario's name cannot inject escape sequences or GitHub commands") func aNameIsNoMoreThanAName() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let named = Self.forOneWorld("sim")
            .replacingOccurrences(of: "For sim", with: #""dup\n::error::injected\e[2J""#)
        try scratch.write(named, to: "a.yaml")
        for arguments in [["--list"], ["--format", "github", "--world", "sim"], ["--world", "sim"]] {
            let ending = try Command(["run", "a.yaml"] + arguments, in: scratch.folder).ending()
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.output.contains("dup ::error::injected\u{FFFD}[2J"), "\(arguments): \(ending.output)")
        }
    }

    @Test("A word in a bad file cannot inject GitHub commands") func aWordOfAWrongFileIsNoCommandToGitHub() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let word = #""op\n::error::x##[add-mask]y""#
        try scratch.write(Self.wrong.replacingOccurrences(of: "opne", with: word), to: "a.yaml")
        let ending = try Command.run("run", "a.yaml", "--format", "github", in: scratch.folder)
        #expect(ending.status == 65)
        let messages = "unknown user action 'op ::error::x##[add-mask]y'"
        #expect(ending.output == "::error file=a.yaml,line=4,col=13::\(messages)\n", "\(ending.output)")
        #expect(!ending.errors.contains("##["), "\(ending.errors)")
        #expect(!ending.errors.contains("\n::"), "\(ending.errors)")
    }

    @Test("An empty shard passes and prints a warning") func anEmptyPartIsNoMistake() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let junit = scratch.folder.appendingPathComponent("junit.xml").path
        let ending = try Command.run("run", Self.scenario, "--shard", "2/2", "--junit", junit)
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors == "squall: part 2 of 2 is empty: there are fewer scenarios than parts\n")
        #expect(ending.output.hasPrefix("PASS  0 runs (0 cases)\n"), "\(ending.output)")
        #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("tests=\"0\" failures=\"0\" errors=\"0\""))
    }

    @Test("The report is complete even if the reader of standard output closes the pipe")
    func aClosedPipeDoesNotPreventTheReport() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let script = """
            { '\(Command.binary.path)' run '\(Command.package.path)/Scenarios/sending' --world sim --report report --format json; \
            echo $? > status; } | true
            """
        let shell = Tool.run("/bin/sh", "-c", "cd '\(scratch.folder.path)' && \(script)")
        #expect(shell.status == 0, "\(shell)")
        let status = scratch.folder.appendingPathComponent("status").path
        #expect(try String(contentsOfFile: status, encoding: .utf8) == "0\n")
        #expect(try Self.names(in: scratch.folder.appendingPathComponent("report")).contains("results.json"))
    }

    @Test("The JSON results of a passing run contain the client's metrics") func passingRunsHaveMetrics() throws {
        let printed = try Command.run("run", Self.scenario, "--world", "sim", "--format", "json")
        let results = try JSON.decode(Array(printed.output.utf8))
        #expect(results["scenarios"]?[0]?["metrics"]?["client"]?["attempts"] != nil, "\(printed.output)")
    }

    @Test("squall run exits with status 70 before playing if a folder is given as the JUnit file")
    func aFolderInTheFilesPlaceIsFoundBeforeAnythingIsPlayed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let ending = try Command.run("run", Self.scenario, "--world", "sim", "--junit", scratch.folder.path)
        #expect(ending.status == 70)
        #expect(ending.output == "")
        #expect(ending.errors.contains("cannot be written: it is a folder"), "\(ending.errors)")
    }

    @Test("Skipped runs write no trace file") func skippedRunsLeaveNoTrace() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = """
            squall: 1
            name: For sim alone
            worlds: [sim]
            why: a test
            script:
              - wait: { connection.state: connected }
            expect:
              - never: client.gave_up

            """
        let file = try scratch.write(text, to: "sim.yaml")
        let report = scratch.folder.appendingPathComponent("report").path
        #expect(try Command.run("run", file, "--world", "live", "--report", report).status == 2)
        let left = try FileManager.default.subpathsOfDirectory(atPath: report).filter { $0.hasSuffix(".jsonl") }
        #expect(left == [])
        #expect(try Command.run("run", file, "--world", "sim", "--report", report, "--traces=all").status == 0)
        let trace = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: report).first { $0.hasSuffix(".jsonl") }
        )
        let judged = try Command.run("trace", "judge", "\(report)/\(trace)", "--scenario", scratch.folder.path)
        #expect(judged.status == 64)
        #expect(judged.errors.contains("is a folder; give the scenario file"), "\(judged.errors)")
    }

    /// File names are byte strings, so two names that look the same may identify different files.
    @Test("Two files whose names look the same are both played") func filesWhoseNamesLookTheSameAreBothPlayed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let text = try String(contentsOfFile: Self.scenario, encoding: .utf8)
        for name in ["\u{E9}.yaml", "e\u{301}.yaml"] {
            let path = Array("\(scratch.folder.path)/\(name)".utf8CString)
            let file = try #require(fopen(path, "w"))
            fputs(text, file)
            fclose(file)
        }
        // If the file system normalizes names, both names refer to the same file.
        let count = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).count
        let ending = try Command.run("run", scratch.folder.path, "--world", "sim")
        #expect(ending.output.contains("\(count) run\(count == 1 ? "" : "s"): \(count) pass"), "\(ending.output)")
    }
}
