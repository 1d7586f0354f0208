import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests which scenarios `squall run` selects: with no arguments, from standard input, and only those that failed last
/// time.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct RunSelectionTests {
    /// Returns a scenario that passes, unless `toast` is given: it then fails because that toast is never displayed.
    private static func scenario(_ name: String, toast: String? = nil) -> String {
        """
        squall: 1
        name: \(name)
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
        expect:
          - eventually: { \(toast.map { "toast.text: \($0)" } ?? "connection.state: connected"), within: 1s }

        """
    }

    private func folder(_ files: [String: String]) throws -> Scratch {
        let scratch = try Scratch()
        let scenarios = scratch.folder.appendingPathComponent("Scenarios")
        try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
        for (name, text) in files { try scratch.write(text, to: "Scenarios/\(name)") }
        return scratch
    }

    private func cases(_ output: String) throws -> [String] {
        let runs = try JSON.decode(output)["scenarios"]?.arrayValue ?? []
        return runs.compactMap { $0["name"]?.stringValue }
    }

    @Test("Without a path, run plays the whole folder and says how to select files")
    func noPath() throws {
        let scratch = try folder(["one.yaml": Self.scenario("One")])
        defer { scratch.remove() }
        let all = try Command.run("run", "--world", "sim", in: scratch.folder)
        #expect(all.status == 0 && all.output.hasPrefix("PASS  1 run"))
        #expect(all.errors.contains("no path is given: all of the folder 'Scenarios' is selected"), "\(all.errors)")
        #expect(all.errors.contains("--files-from -"))
        let named = try Command.run("run", "Scenarios", "--world", "sim", in: scratch.folder)
        #expect(named.errors.isEmpty)
        let none = try Command.run("run", "--files-from", "-", "--world", "sim", in: scratch.folder)
        #expect(none.status == 0 && none.output.hasPrefix("PASS  0 runs"))
    }

    @Test("A scenario on standard input is played, and its errors have line numbers")
    func standardInput() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.scenario("Piped"), to: "piped")
        let input = scratch.folder.appendingPathComponent("piped")
        let options = ["--world", "sim", "--format", "json", "--report", "report"]
        let played = try Command(["run", "-"] + options, in: scratch.folder, input: input).ending()
        #expect(played.status == 0, "\(played.errors)")
        #expect(try cases(played.output) == ["Piped"])
        try scratch.write(Self.scenario("Piped") + "  - nevr: client.gave_up\n", to: "piped")
        let wrong = try Command(["check", "-"], in: scratch.folder, input: input).ending()
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("-:8:5: error: unknown expectation 'nevr'"), "\(wrong.errors)")
    }

    @Test("--last-failed plays the cases whose latest run failed, even if other cases were played since")
    func lastFailed() throws {
        let scratch = try folder([
            "one.yaml": Self.scenario("One", toast: "never"), "two.yaml": Self.scenario("Two", toast: "never"),
        ])
        defer { scratch.remove() }
        func run(_ arguments: String...) throws -> Command.Ending {
            let options = ["--world", "sim", "--format", "json", "--report", "report"]
            return try Command(["run"] + arguments + options, in: scratch.folder).ending()
        }
        #expect(try run("Scenarios").status == 1)
        try scratch.write(Self.scenario("One"), to: "Scenarios/one.yaml")
        #expect(try cases(try run("Scenarios/one.yaml").output) == ["One"])
        #expect(try cases(try run("Scenarios", "--last-failed").output) == ["Two"])
        let none = try run("Scenarios/one.yaml", "--last-failed")
        #expect(none.status == 0 && none.errors.contains("none of the selected cases failed last time"))
        #expect(!none.output.contains("report: "), "the report of the earlier runs is kept: \(none.output)")
        #expect(try cases(try run("Scenarios", "--last-failed").output) == ["Two"])
    }

    @Test("--last-failed plays what failed with the same client, profile and defects")
    func lastFailedOfAnotherClient() throws {
        let failing = Self.scenario("One", toast: "never")
        let scratch = try folder(["one.yaml": failing, "two.yaml": Self.scenario("Two")])
        defer { scratch.remove() }
        func run(_ arguments: String...) throws -> Command.Ending {
            let options = ["Scenarios", "--world", "sim", "--format", "json", "--report", "report"]
            return try Command(["run"] + arguments + options, in: scratch.folder).ending()
        }
        #expect(try run("--defect", "noIdempotencyKey").status == 1)
        try scratch.write(Self.scenario("One"), to: "Scenarios/one.yaml")
        #expect(try run().status == 0)
        let none = try run("--last-failed")
        #expect(none.status == 0 && none.errors.contains("no case of this client failed last time"), "\(none.errors)")
        #expect(try cases(try run("--last-failed", "--defect", "noIdempotencyKey").output) == ["One"])
        #expect(try run("--last-failed", "--defect", "noIdempotencyKey").errors.contains("no case of this client"))
    }
}
