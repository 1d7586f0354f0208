import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests the output and exit status of `squall run` as a user would see them.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct RunCommandTests {
    private static let scenario = "Scenarios/sending/dropped-between-send-and-confirm.yaml"

    @Test("squall run prints the verdict first and exits with status 0")
    func opensWithTheVerdictAndEndsWithZero() throws {
        let ending = try Command.run("run", Self.scenario)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.hasPrefix("PASS  2 runs (1 case) in sim and live\n"))
        #expect(ending.output.contains("parity: 1 of 1 equal"))
        #expect(!ending.output.contains("\u{1B}"), "no colour without a terminal")
        #expect(ending.errors.isEmpty, "no progress without a terminal")
    }

    @Test("squall run prints JSON results of schema version 1")
    func printsResultsOfSchemaOne() throws {
        let ending = try Command.run("run", Self.scenario, "--format", "json")
        let json = try JSON.decode(ending.output)
        #expect(json["schema"] == 1)
        let runs = try #require(json["scenarios"]?.arrayValue)
        #expect(runs.map { $0["world"]?.stringValue } == ["sim", "live"])
        for run in runs {
            #expect(run["verdict"] == "pass")
            #expect((run["virtual_ns"]?.intValue ?? 0) > 1_000_000_000)
            #expect(run["digest"]?.stringValue?.count == 16)
            let parts = try #require(run["expectations"]?.arrayValue)
            #expect(parts.allSatisfy { ($0["line"]?.intValue ?? 0) > 1 && $0["verdict"] == "pass" })
        }
        let names = ["pass", "fail", "inconclusive", "skipped", "known_failure", "flaky"]
        #expect(json["totals"]?.members?.map(\.name) == names)
        #expect(json["totals"]?["pass"] == 2)
        #expect(json["parity"]?["compared"] == 1)
        #expect(json["parity"]?["differs"] == 0)
    }

    @Test("A failing run prints the failed line, the reason and the command to replay it")
    func aDefectFailsWithTheLineTheReasonAndTheWayToSeeItAgain() throws {
        let ending = try Command.run("run", Self.scenario, "--world", "sim", "--defect", "sendsBeforeAuth")
        #expect(ending.status == 1)
        #expect(ending.output.hasPrefix("FAIL"))
        #expect(ending.output.contains("\(Self.scenario):13:5"))
        #expect(ending.output.contains("connection.state = auth_required"))
        #expect(
            ending.output.contains("replay: squall run \(Self.scenario) --world sim --seed 1 --defect sendsBeforeAuth")
        )
    }

    @Test(
        "Invalid arguments of squall run exit with status 64 and a reason",
        arguments: [
            (["run", "nowhere"], "there is no file or folder 'nowhere'"),
            (["run", Self.scenario, "--defect", "noHeartbeet"], "did you mean 'noHeartbeat'?"),
            (["run", Self.scenario, "--defect", "nosuch", "--list"], "'squall explain defects' lists them all"),
            (["run", "\(Self.scenario):999", "--list"], "there is no line 999"),
            (["run", "-", "--files-from", "-"], "not both"),
            (["attach"], "there is no command 'attach'; 'squall run --client external' judges a client"),
            (
                ["report", "merge"],
                "there is no command 'report'; 'squall run --report DIR' writes a report, 'squall merge'"
            ),
            (["rum"], "there is no command 'rum'; did you mean 'run'?"),
            (["wheather"], "'squall help' lists all"),
            (["run", Self.scenario, "--profile", "chatux"], "chat-ux"),
            (
                ["run", Self.scenario, "--tag", "unknown-tag"],
                "--tag unknown-tag: the only case does not have it"
            ),
            (["run", "Scenarios", "--tag", "smok"], "did you mean 'smoke'?"),
            (["run", "Scenarios", "--tag", "smoke", "--tag", "smokee"], "did you mean 'smoke'?"),
            (["run", "Scenarios", "--covers", "UX-2.2h", "--covers", "UX-2.2zz"], "--covers UX-2.2zz: none of the"),
            (["run", "Scenarios", "--tag", "smoke", "--covers", "UX-2.2zz"], "--covers UX-2.2zz: none of the"),
            (["run", Self.scenario, "--shard", "3/2"], "--shard"),
            (["run", Self.scenario, "--repeat", "0"], "--repeat"),
            (
                ["run", Self.scenario, "--repeat", "5000000000000000000"],
                "--repeat must be at most 1000000, not 5000000000000000000"
            ),
            (["run", Self.scenario, "--world", "mars"], "sim"),
            (["explain", "connection.stat"], "connection.state"),
            (["explain", "UX-2.2h", "--scenarios", "Typo"], "there is no file or folder 'Typo'"),
            (["trace", "show", "nowhere.jsonl"], "nowhere.jsonl"),
        ]
    )
    func wrongArgumentsEndWith64(_ arguments: [String], _ part: String) throws {
        let ending = try Command(arguments).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains(part), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    /// Two runs of the same file would overwrite each other's files in the report.
    @Test("A file that is given twice is played once")
    func aFileThatIsNamedTwiceIsPlayedOnce() throws {
        let folder = "Scenarios/../Scenarios/sending"
        let ending = try Command.run("run", Self.scenario, "./\(Self.scenario)", folder, "--list")
        let all = try Command.run("run", "Scenarios/sending", "--list")
        #expect(ending.output.split(separator: "\n").last == all.output.split(separator: "\n").last)
        let twice = try Command.run("run", Self.scenario, "./\(Self.scenario)", "--list")
        #expect(twice.output.contains("\n1 case; tags"))
    }

    @Test("squall run --list prints cases and tags and plays nothing")
    func aListTellsCasesAndTagsAndPlaysNothing() throws {
        let ending = try Command.run("run", "Scenarios/connection", "--tag", "portal", "--list")
        #expect(ending.status == 0)
        let heading = "Scenarios/connection/portal-or-plain-outage.yaml  An outage in which no login page answers"
        #expect(ending.output.contains(heading))
        #expect(ending.output.contains("  --case 'the server has crashed'\n"))
        #expect(ending.output.split(separator: "\n").last?.contains(" cases; tags: portal ") == true)
        #expect(!ending.output.contains("PASS"))
    }

    @Test("squall run exits with status 65 for an invalid file and prints all of its errors")
    func aWrongFileEndsWith65AndTellsEveryMistakeOfIt() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(
            """
            squall: 1
            name: Wrong
            script:
              - user: { opne: stukov }
              - wait: { connection.state: connectd }

            """,
            to: "wrong.yaml"
        )
        let ending = try Command.run("check", "wrong.yaml", in: scratch.folder)
        #expect(ending.status == 65)
        let expected = """
            wrong.yaml:4:13: error: unknown user action 'opne'
             4 |   - user: { opne: stukov }
               |             ^^^^
               = help: did you mean 'open'?

            wrong.yaml:5:31: error: invalid value 'connectd' of 'connection.state'
             5 |   - wait: { connection.state: connectd }
               |                               ^^^^^^^^
               = help: did you mean 'connected'?

            2 mistakes

            """
        #expect(ending.errors == expected)
        // A CI server would treat a missing JUnit file as success.
        #expect(try Command.run("run", "wrong.yaml", "--junit", "junit.xml", in: scratch.folder).status == 65)
        let junit = try String(contentsOf: scratch.folder.appendingPathComponent("junit.xml"), encoding: .utf8)
        #expect(junit.contains("errors=\"1\"") && junit.contains("unknown user action 'opne'"), "\(junit)")
    }

    @Test("squall run exits with status 70 before playing if the report cannot be written")
    func aReportThatCannotBeWrittenEndsWith70BeforeAnythingIsPlayed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write("in the way", to: "report")
        let ending = try Command.run("run", Self.scenario, "--report", file)
        #expect(ending.status == 70)
        #expect(ending.errors.contains(file))
        #expect(ending.output.isEmpty)
    }

    /// Whether util-linux's `script`, which runs a program in a terminal, is available.
    private static let hasTerminals = Tool.run("script", "--version").output.contains("util-linux")

    @Test(
        "Output lines are wrapped to the width of the terminal",
        .enabled(if: hasTerminals, "this needs script, of util-linux")
    )
    func linesEndWhereTheTerminalDoes() throws {
        let run = "run \(Self.scenario) --world sim --defect sendsBeforeAuth"
        let folder = Command.package.path
        let ending = Tool.run([
            "script", "-qec", "stty cols 60; cd '\(folder)'; TERM=xterm NO_COLOR=1 '\(Command.binary.path)' \(run)",
            "/dev/null",
        ])
        #expect(ending.status == 1, "\(ending.output)")
        let lines = ending.output.split(whereSeparator: \.isNewline)
        #expect(lines.contains("  FAIL A message whose confirmation is lost is stored once"), "\(lines)")
        // No line may be wider than the terminal, except those with a path or command for the user to copy.
        let long = lines.filter { $0.split(separator: "\u{1B}[K").contains { $0.count > 60 } }
        #expect(long.allSatisfy { $0.contains("dropped-between-send-and-confirm.yaml") }, "\(long)")
        let progress = ending.output.split(separator: "\u{1B}[K").filter { $0.hasPrefix("1 of 1") }
        #expect(!progress.isEmpty && progress.allSatisfy { $0.prefix { !$0.isNewline }.count < 60 }, "\(progress)")
    }

    /// A command prefix that runs a command as a user other than root.
    private static let unprivileged = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    private static let canDropRights =
        geteuid() == 0 && Tool.run(unprivileged + ["test", "-x", Command.binary.path]).status == 0
        && Tool.run(unprivileged + ["test", "-r", "\(Command.package.path)/\(scenario)"]).status == 0

    /// Without the privilege to filter packets, Squall uses a stall instead of a blackhole. Both runs must still agree.
    @Test(
        "Scenarios pass without the privilege to filter packets",
        .enabled(if: canDropRights, "this needs root, setpriv and a package that others can read")
    )
    func scenariosPassWithoutPacketFilters() throws {
        let ending = Tool.run(
            Self.unprivileged + [
                "sh", "-c",
                "cd '\(Command.package.path)' && HOME=/tmp exec '\(Command.binary.path)' run Scenarios/silence",
            ],
            joiningErrors: true
        )
        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("PASS"), "\(ending.output)")
    }

    @Test("A report folder contains an HTML page, results, JUnit XML and traces")
    func aReportFolderHoldsPageResultsJUnitAndTraces() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("report")
        let ending = try Command.run("run", Self.scenario, "--report", folder.path, "--traces", "all")
        #expect(ending.status == 0, "\(ending.errors)")
        let base = "Scenarios/sending/dropped-between-send-and-confirm.seed1"
        for name in ["index.html", "results.json", "junit.xml", "\(base).sim/trace.jsonl", "\(base).live/trace.jsonl"] {
            let size = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)[.size]
            #expect((size as? Int ?? 0) > 100, "\(name)")
        }
        let trace = folder.appendingPathComponent("\(base).sim/trace.jsonl").path
        #expect(try Command.run("trace", "judge", trace).status == 0)
        #expect(try Command.run("trace", "diff", trace, trace).output == "the same\n")
        #expect(try Command.run("trace", "show", trace).output.contains("message.status[hello] = \"delivered\""))
    }

    /// The verdict also depends on how the script ended, so the trace must record that as well.
    @Test(
        "A saved trace gets the same verdict as its run",
        arguments: [
            ("wait: { connection.state: offline, within: 1s }", "never: client.gave_up", 1),
            (
                "wait: { connection.state: connected }",
                "leads_to: { when: client.sent.ping, then: client.sent.ping, within: 2m }", 0
            ),
        ]
    )
    func aTraceIsJudgedAsItsRunWas(_ step: String, _ expectation: String, _ status: Int32) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: Judged again
            script:
              - user: { open: stukov }
              - \(step)
            play_on: 3m
            expect:
              - \(expectation)
            """,
            to: "again.yaml"
        )
        let folder = scratch.folder.appendingPathComponent("report").path
        let run = try Command.run("run", file, "--world", "sim", "--report", folder, "--traces", "all")
        #expect(run.status == status, "\(run.output)")
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let trace = try #require(paths.first { $0.hasSuffix("trace.jsonl") })
        let judged = try Command.run("trace", "judge", "\(folder)/\(trace)")
        #expect(judged.status == status, "\(judged.output)")
        #expect(judged.output.contains("offline") == (status == 1), "\(judged.output)")
    }

    /// The run lasts until the fault ends, even if the script ends earlier.
    @Test(
        "An expectation during a fault is judged until the fault ends, even after the script",
        arguments: [
            "never: client.disconnected\n    during: hole",
            "always: { connection.state: connected }\n    during: hole",
            "never: client.disconnected\n    between: [\"fault.began[hole]\", \"fault.ended[hole]\"]",
            "never: client.disconnected\n    between: [fault.began, fault.ended]",
        ]
    )
    func aScopeIsJudgedToItsEnd(_ expectation: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: A hole
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - network: { blackhole: { for: 5m } }
                as: hole
            expect:
              - \(expectation)
            """,
            to: "hole.yaml"
        )
        let ending = try Command.run("run", file)
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
    }

    @Test("squall run --until-fail continues after a known failure")
    func untilFailGoesOnAfterAKnownFailure() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let scenario = "Scenarios/sending/resent-when-no-replay-comes.yaml"
        let list = try scratch.write("known: [{ scenario: \(scenario), reason: no key }]\n", to: "known.yaml")
        let failing = [
            "run", scenario, "--world", "sim", "--defect", "noIdempotencyKey", "--repeat", "3", "--until-fail",
        ]
        let stopped = try Command(failing).ending()
        #expect(stopped.status == 1)
        #expect(stopped.output.contains("1 run: 1 fail"), "\(stopped.output)")
        let listed = try Command(failing + ["--known-failures", list]).ending()
        #expect(listed.status == 0, "\(listed.output)\(listed.errors)")
        #expect(listed.output.contains("3 runs: 3 known"), "\(listed.output)")
    }

    /// The signals are SIGINT, SIGTERM and SIGHUP.
    @Test("squall run exits with status 130 when it is interrupted", arguments: Command.ends)
    func anInterruptedSuiteEndsWith130AndLeavesNothingRunning(_ signal: Int32) async throws {
        let command = try Command(["run", Self.scenario, "--repeat", "100000"])
        try await command.listens()
        kill(command.process.processIdentifier, signal)
        let ending = try command.ending()
        #expect(ending.status == 130, "\(ending.errors)")
        #expect(ending.output.hasPrefix("INTERRUPTED"))
        #expect(ending.errors.contains(signal == SIGINT ? "interrupted: stopping" : "stopping after a signal"))
    }
}
