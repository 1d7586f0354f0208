import ArgumentParser
import ScenarioModel
import Squall

/// The options that select cases.
struct RunSelection: ParsableArguments {
    @Argument(
        help: """
            Scenario files, or folders that are searched for them; FILE:LINE selects the case of a table at that line, \
            and '-' is a scenario on standard input. Without any, the folder Scenarios is played, and standard error \
            says so: a script whose list of files may be empty uses --files-from.
            """
    )
    var paths: [String] = []

    private static let defaultFolder = "Scenarios"

    @Option(
        help: ArgumentHelp(
            """
            Play the scenario files listed in this file, one on each line, or on standard input for '-'. Other and \
            deleted files are left out. With none left, nothing is played, and the exit status is 0.
            """,
            valueName: "file|-"
        )
    )
    var filesFrom: String?

    @Option(
        help: ArgumentHelp(
            """
            Play only part i of n of the suite, counted from 1. 'auto' takes the part from the variables of GitLab, \
            Slurm, Bazel or an indexed job of Kubernetes, auto/n if they do not provide the number of parts. (default: \
            all of it)
            """,
            valueName: "i/n"
        )
    )
    var shard: ShardChoice?

    @Option(name: .customLong("tag"), help: "Play only scenarios with this tag, or with one of several.")
    var tags: [String] = []

    @Option(
        name: .customLong("exclude-tag"),
        help: ArgumentHelp("Leave out scenarios with this tag. May be repeated.", valueName: "tag")
    )
    var excludedTags: [String] = []

    @Option(
        help: ArgumentHelp(
            "Play only cases whose file or name contains a match of this regular expression; letter case is ignored.",
            valueName: "regex"
        )
    )
    var grep: String?

    @Option(
        name: .customLong("covers"),
        help: ArgumentHelp("Play only scenarios that cover this row of an audit. May be repeated.", valueName: "id")
    )
    var covers: [String] = []

    @Option(
        name: .customLong("case"),
        help: ArgumentHelp("Play only this case of a 'with' table. May be repeated.", valueName: "name")
    )
    var cases: [String] = []

    @Flag(help: "Play only the cases that failed or were inconclusive when they were last played with --report DIR.")
    var lastFailed = false

    func validate() throws {
        if let grep, CasePattern(grep) == nil {
            throw ValidationError(
                "--grep: '\(grep)' is not a regular expression; write \\ before a sign that is meant as itself, as in '\\('"
            )
        }
        if filesFrom == "-", paths.contains(ScenarioFiles.standardInput) {
            throw ValidationError("standard input is either a scenario ('-') or the list of --files-from, not both")
        }
    }

    func selection(profile: String?) throws(SquallError) -> SuiteSelection {
        var files = paths
        if let filesFrom {
            let list = FileList.scenarios(in: try FileList.read(filesFrom))
            for file in list.missing { Terminal.printError("squall: there is no file '\(file)' any more") }
            for file in list.others { Terminal.printError("squall: '\(file)' is left out: it has no 'squall:'") }
            files += list.paths
        } else if paths.isEmpty {
            files = [Self.defaultFolder]
            // A notice is printed, because a script that passes an empty list of files by mistake runs all scenarios.
            Terminal.printError(
                """
                squall: no path is given: all of the folder '\(Self.defaultFolder)' is selected; for a list of files that \
                may be empty, such as that of $(command), use 'command | squall run --files-from -', which then plays \
                nothing
                """
            )
        }
        if shard != nil { try ShardChoice.acknowledge(Terminal.environment) }
        var selection = SuiteSelection(
            paths: files,
            profile: profile,
            tags: tags,
            covers: covers,
            cases: cases,
            shard: try shard.map { (shard) throws(SquallError) in try shard.shard(Terminal.environment) }
        )
        selection.excludedTags = excludedTags
        selection.pattern = grep.flatMap { CasePattern($0) }
        return selection
    }

    /// Explains why the selection contains no case even though all requested names exist; returns nil if no explanation
    /// is found.
    func emptiness(of selection: SuiteSelection) -> String? {
        if selection.paths.isEmpty { return "--files-from lists no scenario file: nothing is played" }
        if selection.only?.isEmpty == true { return "no case of this client failed last time: nothing is played" }
        return nil
    }

    /// Returns a message if the criteria other than `--last-failed` select some of the given cases, but none of these
    /// failed last time; otherwise nil.
    func emptiness(of selection: SuiteSelection, among scenarios: [Scenario]) -> String? {
        guard selection.only != nil, !scenarios.contains(where: selection.includes) else { return nil }
        var all = selection
        all.only = nil
        guard scenarios.contains(where: all.includes) else { return nil }
        return "none of the selected cases failed last time: nothing is played"
    }
}
