import ArgumentParser
import Squall
import SquallCore

struct TraceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Print, compare and judge saved traces, or make scenarios of them.",
        subcommands: [Show.self, Diff.self, Judge.self, Record.self]
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print a trace as text, one event per line.")

        @Argument(help: "The trace.jsonl of a run, or its folder in a report.")
        var file: String

        @Option(help: ArgumentHelp("Print only events whose name has this prefix. (default: all)", valueName: "prefix"))
        var name: String = ""

        func run() async throws {
            try await finish {
                Terminal.print(try TraceFiles.show(file, names: name)); return .passed
            }
        }
    }

    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the first event in which two traces differ.",
            discussion: """
                Traces of simulated runs are compared event by event; others by the values shown and their order, not \
                their times.

                exit status: 0 the traces are the same, 1 they differ
                """
        )

        @Argument(help: "The first trace.")
        var left: String
        @Argument(help: "The second trace.")
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
            abstract: "Judge a saved trace by the current expectations of a scenario."
        )

        @Argument(help: "The trace.jsonl of a run, or its folder in a report.")
        var file: String

        @Option(help: "The scenario file. (default: the one that the trace names in its header)")
        var scenario: String?

        func run() async throws {
            try await finish {
                let judged = try TraceFiles.judge(file, scenario: scenario)
                Terminal.print(judged.text)
                return judged.exitStatus
            }
        }
    }

    struct Record: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a scenario from the actions and observations of a saved trace.",
            discussion: """
                The steps wait for the events that they followed. Expectations say what the client showed; each is \
                played with Squall's own client, and kept if it passes and can fail.

                exit status: 0 written, 64 not a trace, nothing to record, or the file exists, 65 invalid profile, \
                70 the file cannot be written, 130 interrupted
                """
        )

        @Argument(help: "The trace.jsonl of a run, or its folder in a report.")
        var trace: String

        @Argument(help: "The scenario file to write, which must not exist.")
        var file: String

        func run() async throws {
            try await finish {
                let (trace, file) = (trace, file)
                let text = try await Interruption.cancels { try await TraceFiles.record(trace, to: file) }
                Terminal.print("\(SanitizedText(lines: text))")
                return .passed
            }
        }
    }
}
