import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall run --hold-at` with commands on standard input.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct HoldCommandTests {
    private static let scenario = "Scenarios/connection/ordinary-path.yaml"

    /// Runs the command with `lines` on its standard input.
    private static func run(_ arguments: [String], typing lines: String) -> (output: String, status: Int32) {
        let command = ([Command.binary.path, "run"] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let ending = Tool.run(
            ["sh", "-c", "cd '\(Command.package.path)' && printf '\(lines)' | \(command) 2>&1; echo \"status $?\""],
            joiningErrors: true,
            within: 60
        )
        return (ending.output, ending.status)
    }

    @Test("A held run answers queries, performs single steps and continues", arguments: ["sim", "live"])
    func orders(_ world: String) {
        let (output, _) = Self.run(
            [Self.scenario, "--world", world, "--hold-at", "client.connected"],
            typing: #"status\nconnection.state\nevents 2\nexplain client.connected\nnonsense\nstep\nrelease\n"#
        )
        #expect(output.contains("held at client.connected, "), "\(output)")
        #expect(output.contains("s, held: no invariant is broken so far"), "\(output)")
        #expect(output.contains("connection.state: connected\n"), "\(output)")
        #expect(output.contains("client.connected: an event"), "\(output)")
        #expect(output.contains("'nonsense' is not a command here"), "\(output)")
        #expect(output.components(separatedBy: "held at ").count == 3, "\(output)")
        #expect(output.contains("PASS  1 run"), "\(output)")
        #expect(output.contains("status 0"), "\(output)")
    }

    @Test("A held run continues when standard input ends, and 'quit' makes the run inconclusive")
    func endOfInput() {
        let (output, _) = Self.run([Self.scenario, "--hold-at", "client.connected"], typing: "")
        #expect(output.contains("standard input has ended: the run continues"), "\(output)")
        #expect(output.contains("status 0"), "\(output)")
        let (quit, _) = Self.run([Self.scenario, "--hold-at", "client.connected"], typing: #"quit\n"#)
        #expect(quit.contains("INCONCLUSIVE"), "\(quit)")
        #expect(quit.contains("status 2"), "\(quit)")
    }

    @Test("While a run is held, standard output still contains only the JSON results")
    func json() throws {
        let arguments = ["run", Self.scenario, "--hold-at", "client.connected", "--format", "json"]
        let ending = try Command(arguments).ending()
        #expect(ending.errors.contains("held at client.connected"), "\(ending.errors)")
        #expect(try JSON.decode(ending.output)["schema"] == 1)
        #expect(ending.status == 0)
    }

    @Test(
        "A run that cannot be held, or whose hold event never occurred, is reported",
        arguments: [
            ([scenario, "--hold-at", "client.conected"], 64, "did you mean 'client.connected'?"),
            (
                [scenario, "--hold-at", "client.connected#77"], 0,
                "the run was not held: it ended before client.connected#77"
            ),
            (["Scenarios/connection", "--hold-at", "client.connected"], 64, "--hold-at plays one case, and "),
            ([scenario, "--hold-at", "client.connected", "--world", "both"], 64, "choose --world sim or --world live"),
            (
                [scenario, "--hold-at", "client.connected", "--repeat", "2"], 64,
                "--hold-at cannot be used with --repeat"
            ),
        ]
    )
    func refusals(_ arguments: [String], _ status: Int32, _ sentence: String) throws {
        let ending = try Command(["run"] + arguments).ending()
        #expect(ending.status == status, "\(ending.errors)")
        #expect(ending.errors.contains(sentence), "\(ending.errors)")
    }
}
