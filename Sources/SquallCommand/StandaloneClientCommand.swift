import ArgumentParser
import Squall
import SquallCore

struct StandaloneClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client",
        abstract: "Run the reference client as a process, behind the adapter protocol.",
        discussion: """
            It reads commands from standard input and writes answers and events to standard output, as an adapter of your \
            own does. Its state is in an SQLite database in the folder that 'init' names, so that it survives SIGKILL:

              squall run Scenarios/sending --tag wall --client 'squall client'

            exit status: 0 standard input has ended, 64 usage error, 70 the database or a socket cannot be opened, or \
            a line is not a command
            """
    )

    @Option(help: "The name or the file of the profile with the frames and the client's settings.")
    var profile = "default"

    @Option(help: ArgumentHelp("Plant a defect in the client; may be repeated.", valueName: "name"))
    var defect: [String] = []

    func run() async throws {
        try await finish {
            try StandaloneClients.run(
                profile: profile,
                defects: defect,
                nextLine: { readLine() },
                emit: { Terminal.emit($0) },
                fail: { Terminal.fail("squall client: \($0)") }
            )
            return .passed
        }
    }
}
