import ArgumentParser
import ConformanceRunner
import Squall

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve something for an app, or another suite, to talk to."
    )

    // What is served: one flag each, exactly one of them.
    @Flag(help: "A strictly conforming WebSocket endpoint that sends every message back.")
    var echo = false

    @Option(help: "The port; 0 takes any that is free.")
    var port = 0

    @Flag(help: "Speak TLS, with a certificate of Squall's own authority, for clients that refuse cleartext.")
    var tls = false

    @Option(help: "With --tls, the address to listen on; 0.0.0.0 is every address of this machine.")
    var host = "127.0.0.1"

    @Option(
        name: .customLong("name"),
        help: "With --tls, a name that clients have for this machine, where that is not its address; may be repeated."
    )
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "With --tls, keep the authority in this folder, so that a phone installs it once.",
            valueName: "folder"
        )
    )
    var tlsCA: String?

    func validate() throws {
        guard echo else { throw ValidationError("say what to serve: --echo") }
        guard tls || host == "127.0.0.1" && names.isEmpty && tlsCA == nil else {
            throw ValidationError("--host, --name and --tls-ca go with --tls")
        }
        guard 0...65_535 ~= port else { throw ValidationError("--port is 0 to 65535, not \(port)") }
    }

    func run() async throws {
        let code = await reportingErrors {
            guard !tls else {
                try await SecureServe(host: host, port: port, names: names, folder: tlsCA).run()
                return Interruption.serverStatus
            }
            let port = port
            try await Interruption.cancels {
                try await EchoSession.serve(port: port) { Terminal.print("ws://127.0.0.1:\($0)") }
            }
            return Interruption.serverStatus
        }
        if code != 0 { throw ExitCode(code) }
    }
}
