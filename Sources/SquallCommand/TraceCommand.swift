import ArgumentParser
import Squall
import SquallCore

struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Look at saved traces.",
        subcommands: [Show.self, Diff.self, Judge.self]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print a trace for reading, one event a line.")

        @Argument(help: "A trace.jsonl of a report folder.")
        var file: String

        @Option(help: ArgumentHelp("Only events whose name begins so.", valueName: "prefix"))
        var name: String = ""

        func run() async throws {
            try await finish {
                Terminal.print(try TraceFiles.show(file, names: name)); return .passed
            }
        }
    }

    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell the first event in which two traces differ.",
            discussion: """
                Traces of simulated runs are compared event for event, others by what was shown and in which order, not when.
                Exit status: 0 where they are the same, 1 where they differ.
                """
        )

        @Argument(help: "One trace.")
        var left: String
        @Argument(help: "The other.")
        var right: String

        func run() async throws {
            try await finish {
                guard let difference = try TraceFiles.difference(left, right) else {
                    Terminal.print("the same")
                    return .passed
                }
                Terminal.print(difference)
                return .failed
            }
        }
    }

    struct Judge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Judge a saved trace by a scenario's expectations, as it is written now."
        )

        @Argument(help: "A trace.jsonl of a report folder.")
        var file: String

        @Option(help: "The scenario file; that of the trace's header where none is given.")
        var scenario: String?

        func run() async throws {
            try await finish {
                let judged = try TraceFiles.judge(file, scenario: scenario)
                Terminal.print(judged.text)
                return judged.exitStatus
            }
        }
    }
}
