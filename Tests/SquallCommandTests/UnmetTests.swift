import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests that a step without any effect makes a run inconclusive, regardless of the run's other results.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct UnmetTests {
    private static func scenario(_ steps: [String]) -> String {
        """
        squall: 1
        name: Aimed at nothing
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
        \(steps.map { "  - \($0)" }.joined(separator: "\n"))
          - user: { send: "hello" }
            as: hello
          - wait: 2s
        expect:
          - count: { of: "user.send[hello]", exactly: 1 }
        """
    }

    /// Runs the steps. Returns the verdict and the inconclusive expectations, formatted as `line word: why`.
    private static func unmet(_ steps: [String], world: String) throws -> (verdict: String?, parts: [String]) {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(scenario(steps), to: "aimed.yaml")
        let ending = try Command(["run", file, "--world", world, "--format", "json"]).ending()
        let run = try #require(try JSON.decode(ending.output)["scenarios"]?.arrayValue?.first, "\(ending.errors)")
        let parts = try #require(run["expectations"]?.arrayValue).filter { $0["verdict"] == "inconclusive" }
        return (
            run["verdict"]?.stringValue,
            parts.map {
                "\($0["line"]?.intValue ?? 0) \($0["word"]?.stringValue ?? "?"): \($0["why"]?.stringValue ?? "")"
            }
        )
    }

    @Test(
        "A step that has no effect makes the run inconclusive",
        arguments: [
            (["network: drop", "network: drop"], "7 network: the fault drop", "there was no connection"),
            (
                ["network: drop", "wait: 100ms", "network: reset_peer"], "8 network: the fault reset_peer",
                "there was no connection"
            ),
            (
                ["network: drop", "wait: 100ms", "server: { disconnect: fin }"], "8 server: ",
                "there was no connection"
            ),
            (
                ["network: { upgrade_status: { status: 503 } }"], "6 network: the fault upgrade_status",
                "no matching connection arrived"
            ),
            (
                ["network: { accept_then_close: { for: 1s } }"], "6 network: the fault accept_then_close",
                "no matching connection arrived"
            ),
            (["network: { cut: 100000 }"], "6 network: the fault cut", "no connection reached its byte"),
            (
                ["network: { limit_data: 100000 }"], "6 network: the fault limit_data",
                "no connection reached its byte"
            ),
            (
                ["network: { corrupt: { at_byte: 90000 } }"], "6 network: the fault corrupt",
                "no connection reached its byte"
            ),
            (
                ["network: { frames: { action: drop, type: confirm, stream: upstream } }"],
                "6 network: the fault frames",
                "no message matched it"
            ),
            (["server: { swallow: typing }"], "6 server: 'swallow: typing'", "no such answer"),
            (["server: { delay: { frame: typing, by: 1s } }"], "6 server: 'delay: typing'", "no such answer"),
            (
                ["server: { fail: { route: upload, status: 500 } }"], "6 server: 'fail: upload'",
                "no such request arrived"
            ),
            (
                ["server: { reject: { frame: sync, code: malformed } }"], "6 server: 'reject: sync'",
                "no such request arrived"
            ),
            (
                ["server: { hold: confirm }", "server: { release: confirm }"], "7 server: 'release: confirm'",
                "nothing was held"
            ),
            (["server: { push: { to: stukov, back: 3 } }"], "6 server: 'push: stukov back 3'", "fewer messages"),
            (
                [
                    "device: { token: phone-1 }", "wait: 1s", "server: { post: { to: stukov }, as: old }",
                    "server: { push: { to: stukov, back: 0 }, as: news }",
                ], "9 server: ", "the message that was pushed as 'news' already has the label 'old'"
            ),
            (["user: tap"], "6 user: ", "there was no notification on the phone"),
            (
                [
                    "device: { token: phone-1 }", "wait: 1s", "server: { push: stukov, as: news }",
                    "user: { tap: news }",
                ], "9 user: ", "there was no notification 'news' on the phone"
            ),
        ]
    )
    func stepsWithoutEffectAreInconclusive(_ steps: [String], _ place: String, _ why: String) throws {
        let told = try Self.unmet(steps, world: "sim")
        #expect(told.verdict == "inconclusive")
        #expect(told.parts.contains { $0.hasPrefix(place) && $0.contains(why) }, "\(told.parts)")
    }

    /// Once a wait has timed out, the remaining steps of the script are not performed.
    @Test("A step that was not performed is not reported as having no effect")
    func skippedStepsAreNotReported() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let steps = ["wait: { next: server.stopped, within: 1s }", "server: { swallow: typing }"]
        let file = try scratch.write(Self.scenario(steps), to: "aimed.yaml")
        let report = scratch.folder.appendingPathComponent("report").path
        #expect(try Command(["run", file, "--world", "sim", "--report", report]).ending().status == 1)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: report)
        let trace = try #require(paths.first { $0.hasSuffix("trace.jsonl") })
        let judged = try Command(["trace", "judge", "\(report)/\(trace)", "--scenario", file]).ending()
        #expect(judged.output.contains("count"), "\(judged.output)\(judged.errors)")
        #expect(!judged.output.contains("had no effect"), "\(judged.output)")
    }

    @Test("A step that had an effect is not reported", arguments: ["sim", "live"])
    func effectiveStepsAreNotReported(_ world: String) throws {
        let told = try Self.unmet(
            [
                "network: { frames: { action: delay, delay: 10ms, type: confirm } }",
                "server: { delay: { frame: confirm, by: 10ms } }",
                "network: { corrupt: { at_byte: 100000, toxicity: 50 } }",
            ],
            world: world
        )
        #expect(told.verdict == "pass")
        #expect(told.parts.isEmpty, "\(told.parts)")
    }
}
