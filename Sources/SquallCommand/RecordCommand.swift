import ArgumentParser
import Live
import Sockets
import Squall
import SquallCore

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a client and a server of your own as a scenario.",
        discussion: """
            Squall listens in the server's place and passes every byte on, until 'quit' or ctrl-C. The file then has what \
            both did: the messages that the user sent, those that came from others, connections that the server ended, \
            and the network steps that you typed. Squall's own server plays the server's part when the file is played.

              squall record --upstream ws://localhost:8080 --port 9000 monday.yaml
              squall record --upstream ws://localhost:8080 --panel monday.yaml     with a button for each fault

            With --from it reads a capture of Wireshark or tcpdump instead, which must have begun before the connections \
            and be readable: without TLS.

              squall record --from monday.pcapng monday.yaml

            exit status: 0 recorded, 64 usage error, nothing to record, an unreadable capture, or the file exists, 65 the \
            profile is invalid, \
            70 the port is taken or the file cannot be written, 130 interrupted (the file is written)
            """
    )

    @Argument(help: "The scenario file to write, which must not exist.")
    var file: String

    @Option(help: ArgumentHelp("The address of your server, such as ws://localhost:8080.", valueName: "url"))
    var upstream: String?

    @Option(help: ArgumentHelp("A capture file, pcap or pcapng, of a client and a server.", valueName: "capture"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "With --from: the server's port. (default: that of the first connection with an HTTP request)",
            valueName: "port"
        )
    )
    var serverPort: UInt16?

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 0

    @Option(help: "The IPv4 address to listen on; 0.0.0.0 is every address of this machine.")
    var host = "127.0.0.1"

    @Option(help: "The name or the file of the profile with the frames of your protocol. (default: default)")
    var profile: String?

    @OptionGroup var page: PanelOptions

    @Flag(help: "At a terminal, print every event; otherwise heartbeats, handshakes and copies are left out.")
    var verbose = false

    func validate() throws {
        guard upstream == nil || from == nil else {
            throw ValidationError("--upstream records a session, and --from reads a capture: give one of them")
        }
        guard upstream != nil || from != nil else {
            throw ValidationError(
                "missing source: --upstream URL, to record in front of a server, or --from FILE, to read a capture"
            )
        }
        guard serverPort == nil || from != nil else { throw ValidationError("--server-port needs --from") }
        guard !page.panel || from == nil else { throw ValidationError("--panel needs --upstream") }
        guard 0...65_535 ~= port else { throw ValidationError("--port must be 0 to 65535, not \(port)") }
        guard LocalAddress(host) != nil else {
            throw ValidationError("--host must be an IPv4 address of this machine, such as 0.0.0.0, not '\(host)'")
        }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish {
            if let from { return try await read(from) }
            guard let address = LocalAddress(host) else {
                throw SquallError.usage("--host \(host): not an IPv4 address")
            }
            let chat = try ChatServe(
                [],
                profile,
                seed: 1,
                .text,
                verbose: verbose,
                panel: page.place,
                record: file,
                upstream: upstream
            )
            let place = LiveOptions.ListenAddress(address: address, port: port)
            let hosts = HostNames.reachable(at: host).filter { !$0.contains(":") }
            do {
                try await Interruption.cancels {
                    try await chat.run(at: place) { chat.announce(at: hosts, ports: $0) }
                }
            } catch is CancellationError {}
            return Interruption.isRequested ? Interruption.serverStatus : .passed
        }
    }

    /// Converts a packet capture to a scenario file.
    private func read(_ capture: String) async throws -> ExitStatus {
        try RecordedFile.check(file)
        let session = try CapturedSession(file: capture, port: serverPort, profile: profile)
        let count = session.connectionCount
        Terminal.printError("\(capture): \(count) connection\(count == 1 ? "" : "s") to \(session.server)")
        for gap in session.gaps { Terminal.printError("  \(gap)") }
        for reason in session.broken { Terminal.printError("  the client broke \(reason)") }
        try await Interruption.cancels {
            let written = try await RecordedFile.write(session.recording, head: session.head, origin: capture, to: file)
            Terminal.printError(written)
        }
        return .passed
    }
}
