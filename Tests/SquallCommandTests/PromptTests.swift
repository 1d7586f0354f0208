import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall serve` in a terminal emulated by Python's `pty`.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: Tool.run("python3", "--version").status == 0, "needs python3")
)
struct PromptTests {
    /// A program that waits for a given text before it types each group of keys. At the end it prints the output,
    /// whether the terminal was restored, and the exit status.
    private static let program = """
        import os, pty, select, sys, termios, time
        child, terminal = pty.fork()
        if child == 0:
            os.environ["TERM"] = "xterm"
            os.execv(sys.argv[1], sys.argv[1:sys.argv.index("--")])
        usual = termios.tcgetattr(terminal)[3]
        seen = b""
        def wait(text):
            global seen
            limit = time.time() + 60
            while text.encode() not in seen and time.time() < limit:
                if select.select([terminal], [], [], 0.2)[0]:
                    try: seen += os.read(terminal, 4096)
                    except OSError: break
            if text.encode() not in seen: print("missing:", text)
        for step in sys.argv[sys.argv.index("--") + 1:]:
            text, keys = step.split("|")
            wait(text)
            os.write(terminal, keys.encode().decode("unicode_escape").encode())
        try:
            while piece := os.read(terminal, 4096): seen += piece
        except OSError: pass
        try: isBack = termios.tcgetattr(terminal)[3] == usual
        except termios.error: isBack = "closed"
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(seen.decode(), "terminal back:", isBack, "status:", status)
        """

    private static func typed(_ steps: String..., at command: [String] = ["serve"]) -> String {
        let words = ["python3", "-c", program, Command.binary.path] + command + ["--"] + steps
        return Tool.run(words, joiningErrors: true, within: 120).output
    }

    @Test("The prompt completes and performs a step and prints its events above the prompt")
    func atThePrompt() {
        let output = Self.typed(
            "squall> |netw\\tsta\\t\\r",
            "fault.began[stall]|status\\r",
            "end it with|network: l\\t",
            "latency  limit_data|\\x15verbose\\r",
            "every event is printed|quit\\r"
        )
        #expect(output.contains("squall> network: stall\r"), "\(output)")
        #expect(!output.contains("missing:"), "\(output)")
        #expect(output.contains("nothing to judge"), "\(output)")
        #expect(output.contains("terminal back: True") || output.contains("terminal back: closed"), "\(output)")
        #expect(output.contains("status: 0"), "\(output)")
    }

    @Test(
        "ctrl-D at the prompt ends the run like 'quit', and ctrl-C interrupts the run",
        arguments: [("\\x04", 0), ("\\x03", 130)]
    )
    func ends(key: String, status: Int) {
        let output = Self.typed("squall> |\(key)")
        #expect(output.contains("status: \(status)"), "\(output)")
        #expect(!output.contains("terminal back: False"), "\(output)")
    }

    @Test("ctrl-C ends a held run with its results so far, and restores the terminal", arguments: ["sim", "live"])
    func interruptsHeldRun(_ world: String) {
        let scenario = "\(Command.package.path)/Scenarios/connection/ordinary-path.yaml"
        let output = Self.typed(
            "squall> |sho\\t connection.sta\\t\\r",
            "connection.state: connected|\\x03",
            at: ["run", scenario, "--world", world, "--hold-at", "client.connected"]
        )
        #expect(output.contains("squall> show connection.state\r"), "\(output)")
        #expect(output.contains("INTERRUPTED"), "\(output)")
        #expect(output.contains("terminal back: True") || output.contains("terminal back: closed"), "\(output)")
        #expect(output.contains("status: 130"), "\(output)")
    }

    @Test("ctrl-D lets a held run continue, as the end of a pipe does")
    func endOfInputReleasesHeldRun() {
        let scenario = "\(Command.package.path)/Scenarios/connection/ordinary-path.yaml"
        let output = Self.typed("squall> |\\x04", at: ["run", scenario, "--hold-at", "client.connected"])
        #expect(output.contains("standard input has ended: the run continues"), "\(output)")
        #expect(output.contains("PASS  1 run"), "\(output)")
        #expect(output.contains("terminal back: True") || output.contains("terminal back: closed"), "\(output)")
        #expect(output.contains("status: 0"), "\(output)")
    }

    @Test("The prompt of squall serve accepts 'hold', 'step' and 'release', and 'quit' ends a held run")
    func heldServe() {
        let output = Self.typed(
            "squall> |release\\r",
            "the run is not held|hold\\r",
            "run.hold_began|status\\r",
            "s, held|quit\\r"
        )
        #expect(!output.contains("missing:"), "\(output)")
        #expect(output.contains("nothing to judge"), "\(output)")
        #expect(output.contains("status: 0"), "\(output)")
    }

    @Test("The command 'new' asks three questions, completes their answers and uses defaults")
    func newScenario() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = scratch.folder.appendingPathComponent("first.yaml").path
        let output = Self.typed(
            "What happens to the network? [drop] |sta\\t\\r",
            "When? [idle] |sometimes\\r",
            "type one of: idle, sending|send\\r",
            "What must the user see? [message] |\\r",
            at: ["new", file]
        )
        #expect(!output.contains("missing:"), "\(output)")
        #expect(output.contains("play it with: squall run"), "\(output)")
        #expect(output.contains("status: 0"), "\(output)")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("network: { stall: 20s }"), "\(text)")
        #expect(text.contains("user: { send: hello }\n    as: hello\n  - network"), "\(text)")
    }

    @Test("The command 'new' writes no file if it is ended by ctrl-C or ctrl-D", arguments: ["\\x03", "\\x04"])
    func newIsLeft(key: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = scratch.folder.appendingPathComponent("first.yaml").path
        let output = Self.typed("[drop] |\(key)", at: ["new", file])
        #expect(output.contains("status: 130"), "\(output)")
        #expect(!output.contains("terminal back: False"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
