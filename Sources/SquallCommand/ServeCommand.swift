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

    @Option(help: "The port on loopback; 0 takes any that is free.")
    var port = 0

    func validate() throws {
        guard echo else { throw ValidationError("say what to serve: --echo") }
        guard 0...65_535 ~= port else { throw ValidationError("--port is 0 to 65535, not \(port)") }
    }

    func run() async throws {
        let code = await reportingErrors {
            let port = port
            try await Interruption.cancels {
                try await EchoSession.serve(port: port) { Terminal.print("ws://127.0.0.1:\($0)") }
            }
            return 0
        }
        if code != 0 { throw ExitCode(code) }
    }
}
