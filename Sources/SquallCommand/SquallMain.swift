import ArgumentParser
import ScenarioModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
struct SquallMain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "squall",
        abstract: "Bad network weather on demand, for chat clients that must reconnect.",
        discussion: """
            A scenario file describes what the user, the phone, the server and the network do, and what is expected of \
            the client. Squall plays it in virtual time and over real sockets, and judges what the client showed.

            exit status: 0 passed, 1 failed, 2 inconclusive or all skipped, 64 usage error, 65 invalid scenario file, \
            70 Squall itself failed, 130 interrupted
            """,
        version: "squall \(SquallVersion.current)",
        subcommands: [
            RunCommand.self, MergeReportsCommand.self, CompareCommand.self, CheckCommand.self, CoverageCommand.self,
            ExplainCommand.self, TraceCommand.self, ProxyCommand.self, PacketsCommand.self, ConformanceCommand.self,
            ServeCommand.self,
            ExploreCommand.self, NewCommand.self, RecordCommand.self,
            StandaloneClientCommand.self,
        ]
    )

    static func main() async {
        // A reader that closes the output early, such as head, must not end the work or keep files from being written.
        signal(SIGPIPE, SIG_IGN)
        await main(nil)
    }
}
