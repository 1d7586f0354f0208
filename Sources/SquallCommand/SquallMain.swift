import ArgumentParser
import ScenarioModel
import SquallCore

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
        // A reader such as `head` that closes the pipe early must not end Squall, because it may still have files to
        // write.
        signal(SIGPIPE, SIG_IGN)
        if let word = CommandLine.arguments.dropFirst().first, let reason = unknownCommand(word) {
            Terminal.printError("squall: \(reason)")
            exit(withError: ExitCode(ExitStatus.usage.code))
        }
        await main(nil)
    }

    /// Command names from other tools, with the corresponding Squall commands.
    private static let synonyms = [
        "attach": "'squall run --client external' judges a client that you start yourself, --client http an app",
        "test": "'squall run' plays scenarios", "play": "'squall run' plays scenarios",
        "replay": "'squall run' plays scenarios; each failure is printed with the command that repeats it",
        "list": "'squall run --list' lists the cases", "lint": "'squall check' reports mistakes",
        "validate": "'squall check' reports mistakes",
        "diff": "'squall compare' compares two reports, 'squall trace diff' two traces",
        "init": "'squall new' writes a first scenario", "start": "'squall serve' serves the chat server",
        "fuzz": "'squall explore' plays random scenarios",
        "report": "'squall run --report DIR' writes a report, 'squall merge' and 'squall compare' read reports",
    ]

    /// Returns an error message if the first argument is an unknown command; nil for a command or an option.
    private static func unknownCommand(_ word: String) -> String? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
        let near = Suggestion.nearest(to: word, among: names).map { "did you mean '\($0)'?" }
        return "there is no command '\(SanitizedText(word))'; \(synonyms[word] ?? near ?? "'squall help' lists all")"
    }
}
