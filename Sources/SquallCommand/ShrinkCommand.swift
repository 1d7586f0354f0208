import ArgumentParser
import Sockets
import Squall
import SquallCore

struct ShrinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shrink",
        abstract: "Shrink a failing scenario as far as possible while it fails with the same cause.",
        discussion: """
            The scenario is played in virtual time, and live with another client. The smaller one is written next to \
            it, as NAME.small.yaml, unless --out names a file.

            exit status: 0 written, 64 usage error, such as a scenario that does not fail, 65 invalid scenario file, \
            70 Squall itself failed, 130 interrupted (the smallest so far is written)
            """
    )

    @Argument(help: "The scenario file.")
    var file: String

    @Option(name: .customLong("case"), help: ArgumentHelp("The case of a 'with' table.", valueName: "name"))
    var variant: String?

    @Option(help: "The seed with which the scenario fails.")
    var seed: UInt64 = 1

    @Option(
        name: .customLong("defect"),
        help: ArgumentHelp("Plant this defect, without which it must pass. May be repeated.", valueName: "name")
    )
    var defects: [String] = []

    @Option(
        help: ArgumentHelp(
            "The client to judge: 'reference' (Squall's own), or the command of an adapter, played live at wall time.",
            valueName: "client"
        )
    )
    var client = "reference"

    @Option(
        help: ArgumentHelp(
            "The client to compare with, as in squall explore compare, if the client violates nothing.",
            valueName: "client"
        )
    )
    var against: String?

    @Option(help: ArgumentHelp("The file to write. (default: NAME.small.yaml)", valueName: "file"))
    var out: String?

    func validate() throws {
        if let against { try ComparedClient.validate(against, client: client, defects: defects) }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish { try await perform() }
    }

    private var path: String {
        out ?? (file.hasSuffix(".yaml") ? "\(file.dropLast(5)).small.yaml" : "\(file).small.yaml")
    }

    private func perform() async throws -> ExitStatus {
        var options = ExploreOptions()
        (options.seed, options.defects) = (Seed(seed), defects)
        if client != "reference" { options.client = .adapter(client) }
        options.comparedClient = against.map(ComparedClient.choice)
        options.announce = { Terminal.printError($0) }
        try ReportFolder.check(path)
        let (shrinker, variant, path) = (ScenarioShrinker(file, options), variant, path)
        let result = try await Interruption.cancels {
            try await shrinker.shrink(case: variant, writingTo: path)
        }
        try WholeFile.write(result.text, to: path)
        let needed = result.isMinimal ? "; if any single step is removed, it passes" : ""
        Terminal.print("\(SanitizedText(result.why))")
        Terminal.print("\(result.sizes.before) steps became \(result.sizes.after) in \(result.tries) runs\(needed)")
        Terminal.print("replay: \(result.replay)")
        return Interruption.isRequested ? .interrupted : .passed
    }
}
