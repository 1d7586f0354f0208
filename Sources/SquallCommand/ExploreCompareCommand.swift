import ArgumentParser
import Exploration
import Sockets
import Squall
import SquallCore

/// Compares the behaviour of two clients in scenario files, or saves that of one.
struct ExploreCompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Play scenarios with two clients, and report what they end with, show, ask for and do differently.",
        discussion: """
            The other client plays each case with several seeds; what differs between its own runs depends on chance and is \
            not reported. A case that either client fails is not compared.

            To compare two builds that are not at hand at the same time, save the behaviour of one with --save, and \
            compare the other with the file later, with the same paths.

            exit status: 0 no difference (with --save: saved), 1 differences, 2 no case could be compared (or saved), \
            64 usage error, 65 invalid scenario file, 70 Squall itself failed, 130 interrupted
            """
    )

    @Argument(help: ArgumentHelp("Scenario files, and folders of them.", valueName: "path"))
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "The client to compare with: 'reference' (Squall's own), or the command of an adapter.",
            valueName: "client"
        )
    )
    var against: String?

    @Option(help: ArgumentHelp("Compare with the behaviour in this file, which --save wrote.", valueName: "file"))
    var againstSaved: String?

    @Option(help: ArgumentHelp("Save the client's behaviour in this file; compare nothing.", valueName: "file"))
    var save: String?

    @Option(
        help: ArgumentHelp(
            "The client to judge: 'reference' (Squall's own), or the command of an adapter, played live at wall time.",
            valueName: "client"
        )
    )
    var client = "reference"

    @Option(
        name: .customLong("defect"),
        help: ArgumentHelp("Plant this defect in the client to judge. May be repeated.", valueName: "name")
    )
    var defects: [String] = []

    @Option(help: "The seed of each run. (default: 1, or that of the saved behaviour)")
    var seed: UInt64?

    @Option(help: ArgumentHelp("How many cases to play at once. (default: one per processor)", valueName: "n"))
    var jobs: Int?

    func validate() throws {
        guard [against, againstSaved, save].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("give one of --against, --against-saved and --save")
        }
        if let against { try ComparedClient.validate(against, client: client, defects: defects) }
        if save != nil, !defects.isEmpty {
            throw ValidationError("--save saves the behaviour of a client without planted defects; leave --defect out")
        }
        if againstSaved != nil, seed != nil {
            throw ValidationError("--against-saved uses the seed of the saved behaviour; leave --seed out")
        }
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1, not \(jobs)") }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish { try await perform() }
    }

    private func perform() async throws -> ExitStatus {
        var options = ExploreOptions()
        (options.seed, options.defects) = (Seed(seed ?? 1), defects)
        if client != "reference" { options.client = .adapter(client) }
        options.comparedClient = against.map { ComparedClient.choice($0) }
        if let jobs { options.jobs = jobs }
        options.announce = { Terminal.printError($0) }
        if let save { return try await perform(saving: save, options) }
        let saved = try againstSaved.map { try SavedBehaviour(reading: $0) }
        let comparer = ScenarioComparer(paths, options, against: saved)
        let result = try await Interruption.cancels {
            try await comparer.compare { ProgressLog.show($0.title) }
        }
        Terminal.progress("")
        for compared in result.cases { Self.print(compared) }
        Terminal.print(Self.summary(result))
        if result.isInterrupted { return .interrupted }
        return result.compared == 0 ? .inconclusive : result.differing == 0 ? .passed : .failed
    }

    private func perform(saving path: String, _ options: ExploreOptions) async throws -> ExitStatus {
        try ReportFolder.check(path)
        var options = options
        options.comparedClient = options.client
        let comparer = ScenarioComparer(paths, options)
        let (saved, isInterrupted) = try await Interruption.cancels { try await comparer.save { ProgressLog.show($0) } }
        Terminal.progress("")
        for (title, why) in saved.obstacles { Terminal.print("NOT SAVED  \(title): \(SanitizedText(why))") }
        // An interrupted run must not replace the complete file of an earlier one.
        if isInterrupted {
            Terminal.printError("squall: interrupted; '\(path)' was not written")
            return .interrupted
        }
        if saved.usable > 0 { try saved.write(to: path) }
        let others = saved.obstacles.isEmpty ? "" : ", \(saved.obstacles.count.grouped) not saved"
        Terminal.print("\(saved.usable == 1 ? "1 case" : "\(saved.usable.grouped) cases") saved\(others)")
        return saved.usable == 0 ? .inconclusive : .passed
    }

    private static func print(_ compared: ScenarioComparer.Case) {
        if let obstacle = compared.obstacle {
            Terminal.print("NOT COMPARED  \(compared.title): \(SanitizedText(obstacle))")
        }
        guard !compared.differences.isEmpty else { return }
        Terminal.print("DIFFERS  \(compared.title)")
        for difference in compared.differences.prefix(maximumLines) {
            let kind = difference.kind.rawValue
            let padding = String(repeating: " ", count: 7 - kind.count)
            Terminal.print("         \(kind)\(padding)\(SanitizedText(difference.why))")
        }
        let rest = compared.differences.count - maximumLines
        if rest > 0 { Terminal.print("         and \(rest) more differences") }
    }

    /// The maximum number of differences printed for a case. One difference can cause many others, so only the first
    /// ones, the most significant, are printed.
    private static let maximumLines = 12

    private static func summary(_ result: ScenarioComparer.Result) -> String {
        let kinds = BehaviourDifference.Kind.allCases.compactMap { kind -> String? in
            let count = result.cases.count { compared in compared.differences.contains { $0.kind == kind } }
            return count == 0 ? nil : "\(count) in what it \(kind.verb)"
        }
        let details = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
        let others = result.cases.count - result.compared
        let left = others == 0 ? "" : ", \(others.grouped) not compared"
        return "\(result.compared == 1 ? "1 case" : "\(result.compared.grouped) cases") compared, "
            + "\(result.differing == 1 ? "1 differs" : "\(result.differing.grouped) differ")\(details)\(left)"
    }
}

extension BehaviourDifference.Kind {
    fileprivate var verb: String {
        switch self {
        case .ends: "ends with"
        case .shows: "shows"
        case .asks: "asks for"
        case .does: "does"
        }
    }
}

/// Parses and validates the value of `--against`.
enum ComparedClient {
    /// Rejects a value that is not a command and, if `defects` is empty, a comparison of the client with itself.
    static func validate(_ text: String, client: String, defects: [String]) throws {
        if text.allSatisfy(\.isWhitespace) { throw ValidationError("--against is blank; name a client") }
        if text == "external" || text == AppChoice.word {
            throw ValidationError("--against \(text): a client is started for every run; name its command")
        }
        if text == client, defects.isEmpty {
            throw ValidationError(
                "--against \(text) compares a client with itself; name another with --client or --defect"
            )
        }
        if client != "reference", text == "reference", !defects.isEmpty {
            throw ValidationError("--defect plants defects in Squall's own client; leave --client out")
        }
    }

    static func choice(_ text: String) -> ClientChoice { text == "reference" ? .reference : .adapter(text) }
}
