import Foundation
import SquallTesting
import Testing

/// Tests running scenarios with Squall's own client, and the issues that the test framework records.
@Suite(.timeLimit(.minutes(2)))
struct PlayTests {
    private static let file = "Scenarios/sending/dropped-between-send-and-confirm.yaml"

    private static func dropped() throws -> ScenarioCase { try #require(try Scenarios.cases(in: file).first) }

    @Test("A scenario played from Swift passes in both worlds", arguments: ScenarioWorld.allCases)
    func passes(in world: ScenarioWorld) async throws {
        let result = try await Self.dropped().play(in: world)
        result.expectPass()
        try result.requirePass()
        #expect(result.verdict == .pass && result.client == "reference")
        #expect(result.parts.map(\.word).contains("delivered"))
        #expect(result.parts.allSatisfy { $0.verdict == .pass && $0.why == nil && $0.file.hasSuffix(Self.file) })
        #expect(result.trace.events.contains { $0.name == "client.connected" })
    }

    @Test("The same seed gives the same trace")
    func theSameSeedGivesTheSameTrace() async throws {
        let scenario = try Self.dropped()
        let first = try await scenario.play(seed: 7).trace.jsonLines
        #expect(try await scenario.play(seed: 7).trace.jsonLines == first)
        #expect(first.hasPrefix(#"{"squall_trace":1,"#) && first.contains(#""seed":7"#))
    }

    @Test("A failed scenario is reported at its line in the scenario file")
    func aFailureIsReportedAtTheScenariosLine() async throws {
        let result = try await Self.dropped().play(in: .sim, defects: ["sendsBeforeAuth"])
        #expect(result.verdict == .fail)
        withKnownIssue {
            result.expectPass()
        } matching: { issue in
            issue.sourceLocation?.line == 1 && issue.sourceLocation?.filePath.hasSuffix("/\(Self.file)") == true
                && issue.comments.contains { $0.rawValue.contains("invariant subscriptions_follow_session") }
        }
        let failure = try #require(throws: ScenarioFailure.self) { try result.requirePass() }
        #expect(failure.description.contains("Last fault: drop at 0.002"))
    }

    @Test("A failed expectation is reported at its line and column in the scenario file")
    func anExpectationsFailureIsReportedAtItsLine() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let yaml = "squall: 1\nname: Hope\nexpect:\n  - eventually: { toast.text: hope, within: 1s }\n"
        try yaml.write(to: file, atomically: true, encoding: .utf8)
        let result = try await #require(try Scenarios.cases(in: file.path).first).play()
        withKnownIssue {
            result.expectPass()
        } matching: { issue in
            issue.sourceLocation.map { [$0.line, $0.column] } == [4, 5]
                && issue.sourceLocation?.filePath == file.path
                && issue.comments.contains { $0.rawValue.contains("expected hope within 1s") }
        }
    }

    /// Compares the message with the output of the `squall` command for the same run.
    @Test("The failure message contains what the squall command prints")
    func theMessageIsTheCommandsOwn() async throws {
        let result = try await Self.dropped().play(in: .sim, defects: ["sendsBeforeAuth"])
        let printed = try await TheCommand.prints(Self.file, defect: "sendsBeforeAuth")
        for line in result.message.split(separator: "\n") {
            #expect(printed.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
        #expect(
            result.message.contains("replay: squall run \(Self.file) --world sim --seed 1 --defect sendsBeforeAuth")
        )
    }

    @Test("expectPass fails for an inconclusive run")
    func inconclusiveIsNoPass() async throws {
        let yaml = """
            squall: 1
            name: Nothing ever stops
            expect:
              - leads_to: { when: server.stopped, then: { connection.state: reconnecting }, within: 1s }
            """
        let result = try await #require(try Scenarios.cases(yaml: yaml).first).play()
        #expect(result.verdict == .inconclusive)
        withKnownIssue {
            result.expectPass()
        } matching: { issue in
            issue.sourceLocation?.fileID.hasSuffix("PlayTests.swift") == true
                && issue.comments.contains { $0.rawValue.contains("inconclusive, which does not count as a pass") }
                && issue.comments.contains {
                    $0.rawValue.contains("scenario:4:5  leads_to: server.stopped never happened")
                }
                && issue.comments.contains { $0.rawValue.contains("replay: the same test, with the seed 1") }
        }
    }

    @Test("A scenario for the other world is skipped with the reason")
    func aScenarioOfTheOtherWorldIsSkippedWithTheReason() async throws {
        let yaml = """
            squall: 1
            name: Only in sim
            worlds: sim
            why: it takes a week
            """
        let result = try await #require(try Scenarios.cases(yaml: yaml).first).play(in: .live)
        #expect(result.verdict == .skipped)
        #expect(result.message.contains("for sim only: it takes a week"))
        #expect(throws: ScenarioFailure.self) { try result.requirePass() }
        // A skipped case is reported as a warning, so this call does not fail the test.
        result.expectPass()
    }

    @Test("The error for an unknown defect names the defect")
    func aDefectThatThereIsNotIsNamed() async throws {
        let scenario = try Self.dropped()
        let error = await #expect(throws: SquallTestingError.self) { try await scenario.play(defects: ["forgetful"]) }
        #expect(error?.message.contains("there is no defect 'forgetful'") == true)
    }

    @Test("Many scenarios played concurrently all pass")
    func manyAtOnceArePlayedInTurn() async throws {
        let cases = try Scenarios.cases(in: "Scenarios/sending")
        let verdicts = try await withThrowingTaskGroup(of: ScenarioVerdict.self) { group in
            for scenario in cases { group.addTask { try await scenario.play(in: .live).verdict } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts == cases.map { _ in .pass })
    }

    @Test("ScenarioReport writes the same report folder as the squall command")
    func aReportIsTheCommandsFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let results = [
            try await Self.dropped().play(), try await Self.dropped().play(seed: 2, defects: ["sendsBeforeAuth"]),
        ]
        try ScenarioReport.write(results, to: folder)
        let json = try String(contentsOfFile: "\(folder)/results.json", encoding: .utf8)
        #expect(json.contains(#""verdict": "fail""#) && json.contains(#""verdict": "pass""#))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(files.contains("index.html") && files.contains("junit.xml"))
        #expect(files.count { $0.hasSuffix("trace.jsonl") } == 2)
    }

    @Test("A report that cannot be written throws an error")
    func aReportThatCannotBeWrittenIsAnError() async throws {
        let result = try await Self.dropped().play()
        let error = #expect(throws: SquallTestingError.self) { try ScenarioReport.write([result], to: "/proc/nowhere") }
        #expect(error?.kind == .failed && error?.message.contains("/proc/nowhere") == true)
    }
}
