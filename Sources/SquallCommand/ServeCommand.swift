import ArgumentParser
import ConformanceRunner
import Live
import Sockets
import Squall
import SquallCore

extension ChatServe.Format: ExpressibleByArgument {}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the fake chat server behind a faulty link, for an app in somebody's hand; or an echo.",
        discussion: """
            What is typed makes the weather, a step of a scenario a line: network: drop
            What happens is printed as it happens. 'help' lists more, 'quit' ends and judges.

              squall serve --port 9000                  a simulator on this machine
              squall serve --host 0.0.0.0 --tls         a phone, which refuses cleartext
              squall serve --format json < steps.txt    a program: steps in, events out
              squall serve --echo                       a strict WebSocket echo alone
            """
    )

    @Flag(help: "Not the chat server: a strictly conforming WebSocket endpoint that sends every message back.")
    var echo = false

    @Option(help: "The port; 0 takes any that is free. Several clients take it and those behind it.")
    var port = 0

    @Option(help: "The IPv4 address to listen on, or with --tls any; 0.0.0.0 is every address of this machine.")
    var host = "127.0.0.1"

    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "A client, which gets a port of its own and is known by it; may be repeated. One, unless said.",
            valueName: "name"
        )
    )
    var clients: [String] = []

    @Option(help: "The profile that server and network go by: a name, or the path of a file.")
    var profile: String?

    @Option(help: "Where all chance comes from.")
    var seed: UInt64 = 1

    @Option(
        help: "What is seen: text for people, or json, a line of a trace each, behind a line that tells the addresses."
    )
    var format = ChatServe.Format.text

    @Flag(help: "Speak TLS, with a certificate of Squall's own authority, for clients that refuse cleartext.")
    var tls = false

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
        guard tls || names.isEmpty && tlsCA == nil else { throw ValidationError("--name and --tls-ca go with --tls") }
        guard 0...65_535 ~= port, port <= 65_535 - max(0, clients.count - 1) else {
            throw ValidationError("--port is 0 to 65535, for every client, not \(port)")
        }
        if echo {
            guard clients.isEmpty, profile == nil else {
                throw ValidationError("an echo has no clients and no profile: leave --client and --profile away")
            }
            guard tls || host == "127.0.0.1" else { throw ValidationError("with --echo, --host goes with --tls") }
        } else if tls, clients.count > 1 {
            throw ValidationError("with --tls there is one client")
        } else if !tls, LocalAddress(host) == nil {
            throw ValidationError("--host is an IPv4 address of this machine, such as 0.0.0.0, not '\(host)'")
        }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish {
            // To be told to end is how a server ends.
            do { try await serve() } catch is CancellationError {}
            return Interruption.serverStatus
        }
    }
}

extension ServeCommand {
    private func serve() async throws {
        if !echo { FilterNotice.emit() }
        switch (echo, tls) {
        case (true, true):
            try await secure {
                try await EchoSession.serve(port: 0, onReady: $0)
            } announce: { hosts, port in
                for host in hosts { Terminal.print("wss://\(host):\(port)") }
            }
            .run()
        case (true, false):
            let port = port
            try await Interruption.cancels {
                try await EchoSession.serve(port: port) { Terminal.print("ws://127.0.0.1:\($0)") }
            }
        case (false, true): try await serveSecurely(chat)
        case (false, false): try await serve(chat)
        }
    }

    private var chat: ChatServe {
        get throws { try ChatServe(clients, profile, seed: seed, format, behindTLS: tls) }
    }

    private func secure(
        _ backend: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void,
        announce: @escaping @Sendable ([String], Int) -> Void
    ) -> SecureServe {
        SecureServe(host: host, port: port, names: names, folder: tlsCA, backend: backend, announce: announce)
    }

    private func serve(_ chat: ChatServe) async throws {
        guard let address = LocalAddress(host) else { throw SquallError.usage("--host \(host): no IPv4 address") }
        let listenAddress = LiveOptions.ListenAddress(address: address, port: port)
        // It listens at IPv4 addresses alone.
        let hosts = HostNames.reachable(at: host).filter { !$0.contains(":") }
        try await Interruption.cancels {
            try await chat.run(at: listenAddress) { chat.announce(at: hosts, ports: $0) }
        }
    }

    /// The chat server is behind what ends TLS, on this machine alone.
    private func serveSecurely(_ chat: ChatServe) async throws {
        let behind = LiveOptions.ListenAddress(address: .common, port: 0)
        try await secure { onReady in
            try await chat.run(at: behind) { if let port = $0.first { onReady(port) } }
        } announce: { hosts, port in
            chat.announce(at: hosts, ports: [port], letter: "s")
        }
        .run()
    }
}
