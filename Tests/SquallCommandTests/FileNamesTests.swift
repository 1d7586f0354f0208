import Foundation
import TestSupport
import Testing

/// Tests output files with unusual names, and unreadable standard input.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct FileNamesTests {
    private static let scenario = """
        squall: 1
        name: One
        script:
          - wait: { connection.state: connected }

        """

    /// Runs a shell command line in which `squall` is the executable under test.
    private func shell(_ line: String, in scratch: Scratch, _ environment: [String: String] = [:]) throws
        -> Command.Ending
    {
        try Command(
            ["-c", "squall() { exec '\(Command.binary.path)' \"$@\"; }; \(line)"],
            in: scratch.folder,
            environment: environment,
            binary: URL(fileURLWithPath: "/bin/sh")
        ).ending()
    }

    @Test("The name of an output file may be one character long")
    func oneCharacter() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.scenario, to: "a.yaml")
        let ending = try shell("squall run a.yaml --world sim --junit j", in: scratch, ["GITHUB_STEP_SUMMARY": "s"])
        #expect(ending.status == 0, "\(ending.errors)")
        for name in ["j", "s"] {
            let text = try String(contentsOf: scratch.folder.appendingPathComponent(name), encoding: .utf8)
            #expect(!text.isEmpty)
        }
    }

    @Test("'-' is refused as an output file", arguments: ["--junit -", "--client http --control-file -"])
    func dash(options: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.scenario, to: "a.yaml")
        let ending = try shell("squall run a.yaml \(options)", in: scratch)
        #expect(ending.status == 64, "\(ending.errors)")
        #expect(ending.errors.contains("'-' is not an output file"), "\(ending.errors)")
    }

    @Test(
        "Standard input that is closed or a folder is reported in one sentence",
        arguments: ["run - <&-", "run - < /tmp", "check - <&-", "run --files-from - <&-", "run --files-from - < /tmp"]
    )
    func unreadableInput(line: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let ending = try shell("squall \(line)", in: scratch)
        #expect(ending.status == 64, "\(ending.errors)")
        #expect(ending.errors.contains("standard input ('-') cannot be read"), "\(ending.errors)")
    }
}
