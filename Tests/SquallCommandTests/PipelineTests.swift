import Foundation
import SquallCore
import TestSupport
import Testing

/// Runs the commands from the pipelines in `Examples/ci` with Squall's own client.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct PipelineTests {
    /// Returns a pipeline's commands, each joined into one line. A line that begins with an option continues the
    /// previous one.
    private static func commands(of name: String) throws -> [String] {
        let file = Tool.package.appendingPathComponent("Examples/ci/\(name)")
        var commands: [String] = []
        var isContinued = false
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let text = line.trimmingCharacters(in: .whitespaces)
            if isContinued, text.hasPrefix("--") {
                commands[commands.count - 1] += " " + text
            } else if let start = text.firstRange(of: "squall run ") ?? text.firstRange(of: "squall merge "),
                !text.hasPrefix("#"), !text.hasPrefix("//")
            {
                commands.append(String(text[start.lowerBound...]))
                isContinued = true
            } else {
                isContinued = false
            }
        }
        return commands.map { command in
            command.replacing(#"\\"#, with: " ").replacing("'''", with: "")
                .replacing("--client ./my-adapter", with: "--world sim")
                .replacing("${{ matrix.part }}", with: "$CI_NODE_INDEX")
        }
    }

    @Test(
        "The commands of a pipeline play all parts and write the files that it publishes",
        arguments: [("github.yml", 4), ("gitlab.yml", 4), ("Jenkinsfile", 1)]
    )
    func pipeline(_ name: String, _ parts: Int) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let scenarios = scratch.folder.appendingPathComponent("Scenarios")
        try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
        for number in 1...6 {
            let toast = number == 6 ? "toast.text: never" : "connection.state: connected"
            try scratch.write(
                "squall: 1\nname: Case \(number)\ntags: [wall]\nscript:\n  - user: { open: anna }\nexpect:\n"
                    + "  - eventually: { \(toast), within: 2s }\n",
                to: "Scenarios/\(number).yaml"
            )
        }
        try scratch.write(
            "known:\n  - scenario: Scenarios/6.yaml\n    fails: [eventually]\n    reason: it has no toasts\n",
            to: "known-failures.yaml"
        )
        let commands = try Self.commands(of: name)
        #expect(commands.count == (parts == 1 ? 1 : 2), "\(commands)")
        let path = Command.binary.deletingLastPathComponent().path
        func run(_ command: String, part: Int) throws -> Command.Ending {
            let variables = [
                "PATH": "\(path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
                "CI_NODE_INDEX": "\(part)", "CI_NODE_TOTAL": "\(parts)", "GITHUB_STEP_SUMMARY": "summary.md",
            ]
            let shell = URL(fileURLWithPath: "/bin/sh")
            return try Command(["-c", command], in: scratch.folder, environment: variables, binary: shell).ending()
        }
        let play = try #require(commands.first)
        var output = ""
        for (command, part) in (1...parts).map({ (play, $0) }) + commands.dropFirst().map({ ($0, 1) }) {
            let ending = try run(command, part: part)
            #expect(ending.status == 0, "\(command)\n\(ending.output)\(ending.errors)")
            output = ending.output
        }
        #expect(output.contains("6 runs: 5 pass, 1 known failure\n"), "\(output)")
        func contents(_ name: String) throws -> String {
            try String(contentsOf: scratch.folder.appendingPathComponent(name), encoding: .utf8)
        }
        #expect(try contents("report/index.html").contains("<!doctype html>"))
        #expect(try contents("report/junit.xml").contains(#"tests="6""#))
        let runs = try JSON.decode(try contents("report/results.json"))["scenarios"]?.arrayValue ?? []
        #expect(runs.count == 6)
        #expect(runs.count { $0["verdict"]?.stringValue == "known_failure" } == 1)
        #expect(try contents("summary.md").contains("6 runs"))
    }
}
