import Foundation
import Reports
import ScenarioModel
import SquallCore
import Synchronization
import TestSupport
import Testing

@testable import Squall

/// Tests how the cases to run are selected: by patterns, lines, lists of files, parts and limits.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct SelectionTests {
    private let folder = NSTemporaryDirectory() + "squall-selection-\(getpid())-\(UInt64.random(in: 0...(.max)))"

    private func table(_ expectation: String = "connection.state: connected") throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/table.yaml"
        try """
        squall: 1
        name: A message arrives
        tags: [small]
        with:
          - { spare: a, name: first }
          - { spare: b, name: second }
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: "${spare}" }
        expect:
          - eventually: { \(expectation), within: 20s }

        """.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func chosen(_ selection: SuiteSelection) throws -> [String?] {
        try Suite.load(selection).map(\.variant)
    }

    @Test("A line inside a table selects its case, and any other line selects the whole file")
    func aLineSelectsACase() throws {
        let path = try table()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try chosen(SuiteSelection(paths: ["\(path):5"])) == ["first"])
        #expect(try chosen(SuiteSelection(paths: ["\(path):6"])) == ["second"])
        #expect(try chosen(SuiteSelection(paths: ["\(path):2"])) == ["first", "second"])
        #expect(try chosen(SuiteSelection(paths: ["\(path):6", path])) == ["first", "second"])
        #expect(throws: SquallError.self) { try chosen(SuiteSelection(paths: ["\(folder)/none.yaml:3"])) }
        #expect(try chosen(SuiteSelection(paths: ["\(path):12"])) == ["first", "second"])
        let beyond = #expect(throws: SquallError.self) { try chosen(SuiteSelection(paths: ["\(path):999"])) }
        #expect(beyond?.message.contains("there is no line 999 in '\(path)', which has 12") == true)
    }

    @Test("A failed case stays in a report's list until it is played again in the same world or no longer exists")
    func failuresThatWerePlayedElsewhere() async throws {
        let scenarios = try Suite.load(SuiteSelection(paths: [table("toast.text: never")]))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = SuiteOptions()
        options.worlds = [.sim]
        let report = try ReportFolder(path: "\(folder)/report")
        #expect(report.write(try await Suite.play(scenarios, options)).isEmpty)
        let first = try LastResults(report: "\(folder)/report")
        #expect(first.failed == Set(scenarios.map(\.caseKey)) && first.failures.count == 2)
        // This selection runs only one of the two previously failed cases, and that case now passes.
        let mended = try Suite.load(SuiteSelection(paths: ["\(table()):5"]))
        let passed = try await Suite.play(mended, options)
        #expect(report.write(passed, earlier: first.failures).isEmpty)
        let second = try LastResults(report: "\(folder)/report")
        #expect(second.failed.map(\.variant) == ["second"])
        // If a suite cannot be run because of an error in a file, the list of failed cases stays unchanged. Nor is a
        // case removed from the list because it passed in another world.
        #expect(report.write(UnplayedSuite("a mistake", of: .files)).isEmpty)
        #expect(try LastResults(report: "\(folder)/report").failures == second.failures)
        options.worlds = [.live]
        let live = try await Suite.play(try Suite.load(SuiteSelection(paths: [table()])), options)
        #expect(report.write(live, earlier: second.failures).isEmpty)
        #expect(try LastResults(report: "\(folder)/report").failures == second.failures)
        #expect(second.failures(among: mended).isEmpty, "the case is in the file no more")
        #expect(second.failures(among: scenarios) == second.failures)
        try FileManager.default.removeItem(atPath: "\(folder)/table.yaml")
        #expect(second.failures(among: []).isEmpty, "the file is gone")
    }

    @Test("A pattern selects cases by file and title, and an excluded tag removes cases")
    func patternsAndExcludedTags() throws {
        let path = try table()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var selection = SuiteSelection(paths: [path])
        selection.pattern = CasePattern("ARRIVES \\(sec")
        #expect(try chosen(selection) == ["second"])
        selection.pattern = CasePattern("nothing")
        #expect(throws: SquallError.self) { try chosen(selection) }
        #expect(CasePattern("(") == nil)
        selection.pattern = nil
        selection.excludedTags = ["small"]
        #expect(throws: SquallError.self) { try chosen(selection) }
        selection.excludedTags = ["smal"]
        #expect(throws: SquallError.self) { try chosen(selection) }
    }

    @Test("Files in a list that are not scenarios or do not exist are skipped")
    func listsOfFiles() throws {
        let path = try table()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let workflow = "\(folder)/workflow.yml"
        try "on: push\n".write(toFile: workflow, atomically: true, encoding: .utf8)
        let list = FileList.scenarios(in: "\(path)\nREADME.md\n\(folder)/deleted.yaml\n\(workflow)\n")
        #expect(list.paths == [path] && list.missing == ["\(folder)/deleted.yaml"] && list.others == [workflow])
        #expect(FileList.scenarios(in: "").paths.isEmpty)
    }

    @Test("A list of files may have the names that git quotes, or a NUL after each name")
    func quotedNames() {
        let quoted = FileList.scenarios(in: #""a/w\303\244rme.yaml""# + "\n" + #""tab\there \"q\".yaml""# + "\n")
        #expect(quoted.missing == ["a/wärme.yaml", "tab\there \"q\".yaml"])
        #expect(FileList.scenarios(in: "one two.yaml\0three.yaml\0").missing == ["one two.yaml", "three.yaml"])
        #expect(FileList.scenarios(in: #""cut\.yaml"#).missing == [#""cut\.yaml"#])
    }

    @Test("The shard is read from the environment variables of each CI system")
    func partsFromVariables() throws {
        func part(_ text: String, _ variables: [String: String]) throws -> Shard? {
            try ShardChoice(text)?.shard { variables[$0] }
        }
        #expect(try part("2/5", [:]) == Shard("2/5"))
        #expect(try part("auto", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "4"]) == Shard("1/4"))
        #expect(try part("auto", ["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "4"]) == Shard("1/4"))
        let slurm = ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "4"]
        #expect(try part("auto", slurm) == Shard("3/4"))
        #expect(try part("auto/8", ["JOB_COMPLETION_INDEX": "7"]) == Shard("8/8"))
        #expect(throws: SquallError.self) { try part("auto", ["JOB_COMPLETION_INDEX": "7"]) }
        #expect(throws: SquallError.self) { try part("auto/7", ["JOB_COMPLETION_INDEX": "7"]) }
        #expect(throws: SquallError.self) { try part("auto/4", ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "3"]) }
        let stepped = ["SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4"]
        for (id, number) in [("1", 1), ("3", 2), ("7", 4)] {
            let variables = stepped.merging(["SLURM_ARRAY_TASK_ID": id]) { $1 }
            #expect(try part("auto", variables) == Shard("\(number)/4"))
        }
        #expect(throws: SquallError.self) { try part("auto", [:]) }
        #expect(Shard("3/1000000") != nil && Shard("3/1000001") == nil, "a merge reads no more parts")
        #expect(ShardChoice("auto/0") == nil && ShardChoice("5/4") == nil)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let status = "\(folder)/status"
        try ShardChoice.acknowledge { ["TEST_SHARD_STATUS_FILE": status][$0] }
        #expect(FileManager.default.fileExists(atPath: status), "Bazel fails a test that does not touch it")
    }

    @Test("A suite stops after the allowed number of failures, and a budget names the cases that were left out")
    func limits() async throws {
        let scenarios = try Suite.load(SuiteSelection(paths: [table("toast.text: never")]))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = SuiteOptions()
        options.worlds = [.sim]
        options.jobs = 1
        options.times = 3
        options.maximumFailures = 2
        let stopped = try await Suite.play(scenarios, options)
        #expect(stopped.runs.count == 2 && stopped.exitStatus == .failed)
        #expect(stopped.stopDescription == "stopped after 2 failed cases: 4 runs were not played")
        options.maximumFailures = nil
        options.times = 1
        options.budget = TimeSpan(nanoseconds: 1)
        let short = try await Suite.play(scenarios, options)
        #expect(short.runs.isEmpty && short.stopReason == .budget)
        let names = "A message arrives (first); A message arrives (second)"
        #expect(short.stopDescription == "the budget is spent: 2 runs were not played (\(names))")
        options.budget = .seconds(600)
        #expect(try await Suite.play(scenarios, options).stopDescription == nil)
        // Even with a budget too short for a single case, one case is run, but not a whole batch.
        options.budget = .milliseconds(1)
        let many = (1...40).map { number in
            var scenario = scenarios[0]
            scenario.variant = "\(number)"
            return scenario
        }
        let result = try await Suite.play(many, options)
        #expect(result.runs.count < 5 && result.leftOut.count == 40 - result.runs.count, "\(result.runs.count)")
    }

    @Test("Attachment paths resolve in GitLab and in Jenkins")
    func attachmentPaths() async throws {
        let scenarios = try Suite.load(SuiteSelection(paths: ["\(table("toast.text: never")):5"]))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = SuiteOptions()
        options.worlds = [.sim]
        let result = try await Suite.play(scenarios, options)
        let name = RunFolder.name(of: result.runs[0])
        func attached(_ path: String, _ variables: [String: String]) -> String? {
            let junit = ReportFolder.junit(of: result, in: path) { variables[$0] }
            return junit.firstMatch(of: /\[\[ATTACHMENT\|(.*)\]\]/).map { String($0.output.1) }
        }
        #expect(attached("out", [:]) == "out/\(name)/trace.jsonl")
        #expect(attached("/builds/x/out", ["CI_PROJECT_DIR": "/builds/x"]) == "out/\(name)/trace.jsonl")
        let here = FileManager.default.currentDirectoryPath
        #expect(attached("out", ["JENKINS_URL": "http://j"]) == "\(here)/out/\(name)/trace.jsonl")
    }

    @Test("A failure in sim is not retried and keeps its verdict")
    func simIsNotRetried() async throws {
        let scenarios = try Suite.load(SuiteSelection(paths: [table("toast.text: never")]))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let played = Mutex(0)
        var options = SuiteOptions()
        options.retries = 2
        options.finished = { _ in played.withLock { $0 += 1 } }
        let result = try await Suite.play(scenarios, options)
        #expect(result.count(.fail) == 4 && result.count(.flaky) == 0)
        #expect(played.withLock { $0 } == 4, "both cases, once in each world")
    }

    @Test("A live run that fails and then passes when retried is flaky")
    func aRunThatPassesAtTheSecondPlay() async throws {
        let path = try table()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plans = try Suite.load(SuiteSelection(paths: ["\(path):5"])).map { RunPlan($0) }
        var options = SuiteOptions()
        options.worlds = [.live]
        options.retries = 1
        let player = SuitePlayer(
            plans: plans,
            client: try await ClientAnswer.ask(.reference),
            options: options,
            obstacle: { _ in },
            failures: FailureCount(limit: nil),
            progress: { _ in }
        )
        var reports = try await player.play()
        reports[0].runs[0].verdict = .fail
        let run = try #require(try await player.retrying(reports).first?.runs.first)
        #expect(run.verdict == .flaky && run.plays == 2)
    }

    @Test("With a budget, the cases that failed last time are played first")
    func failedCasesComeFirst() async throws {
        let scenarios = try Suite.load(SuiteSelection(paths: [table()]))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let json = """
            {"scenarios": [{"file": "\(folder)/table.yaml", "case": "second", "verdict": "fail", "wall_ns": 5},
             {"file": "\(folder)/table.yaml", "case": "first", "verdict": "pass", "wall_ns": 7000000000000}]}
            """
        try json.write(toFile: "\(folder)/results.json", atomically: true, encoding: .utf8)
        var options = SuiteOptions()
        options.worlds = [.sim]
        options.last = try LastResults(report: folder)
        options.budget = .seconds(600)
        let result = try await Suite.play(scenarios, options)
        #expect(result.runs.map(\.variant) == ["second"], "the other took longer than the budget")
        #expect(result.leftOut == ["A message arrives (first)"])
        #expect(options.last.failed == [CaseKey(file: "\(folder)/table.yaml", variant: "second")])
        #expect(throws: SquallError.self) { try LastResults(report: "\(folder)/none") }
    }

    @Test("With a budget, cases that were not played last time come before those that passed, important ones first")
    func unplayedCasesComeNext() async throws {
        let scenarios = try Suite.load(SuiteSelection(paths: [table()]))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let tags = ["passed": ["smoke"], "plain": [], "rank 2": ["rank:2"], "rank 1": ["rank:1"], "smoke": ["smoke"]]
        let cases = tags.sorted { $0.key < $1.key }.map { name, tags in
            var scenario = scenarios[0]
            (scenario.variant, scenario.tags) = (name, tags)
            return scenario
        }
        let json = """
            {"scenarios": [{"file": "\(folder)/table.yaml", "case": "passed", "verdict": "pass", "wall_ns": 5}]}
            """
        try json.write(toFile: "\(folder)/results.json", atomically: true, encoding: .utf8)
        var options = SuiteOptions()
        (options.worlds, options.jobs, options.budget) = ([.sim], 1, .seconds(600))
        options.last = try LastResults(report: folder)
        let played = try await Suite.play(cases, options).runs.map(\.variant)
        #expect(played == ["smoke", "rank 1", "rank 2", "plain", "passed"])
    }
}
