import ArgumentParser
import ConformanceRunner
import Live
import Panel
import Sockets
import Squall
import SquallCore
import TLSLink

extension ChatServe.Format: ExpressibleByArgument {}

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the fake chat server behind a faulty link, for testing an app by hand; or a WebSocket echo.",
        discussion: """
            Each line that you type is one step of a scenario, such as: network: drop
            Events are printed as they happen. 'help' lists more steps; 'quit' ends the run and judges it.

              squall serve --port 9000                  for a simulator on this machine
              squall serve --host 0.0.0.0 --tls         for a phone, which refuses cleartext
              squall serve --format json < steps.txt    steps in, events out; the step 'quit' ends it
              squall serve --panel                      with a page in the browser that shows and does the same
              squall serve --record tunnel.yaml         writes what was done as a scenario at the end
              squall serve --echo                       only a strict WebSocket echo
            """
    )

    @Flag(
        help: "Serve a strictly conforming WebSocket endpoint that echoes every message, in place of the chat server."
    )
    var echo = false

    @Option(help: "The port to listen on; 0 chooses a free one. Further clients use the ports that follow.")
    var port = 0

    @Option(
        help:
            """
            The IPv4 address to listen on, or with --echo --tls an IPv6 address too; 0.0.0.0 is every address of \
            this machine.
            """
    )
    var host = "127.0.0.1"

    @Option(
        name: .customLong("client"),
        help: ArgumentHelp(
            "The name of a client, which gets its own port. May be repeated. (default: one client)",
            valueName: "name"
        )
    )
    var clients: [String] = []

    @Option(help: "The name or the file of the profile of server and network. (default: default)")
    var profile: String?

    @Option(help: "The seed of every random decision of server and network.")
    var seed: UInt64 = 1

    @Option(
        help: "The format of events: text, or json, which is one trace line per event after a line with the addresses."
    )
    var format = ChatServe.Format.text

    @Flag(help: "At a terminal, print every event; otherwise heartbeats, handshakes and copies are left out.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "At the end, write what was done and observed as a scenario to this file, which must not exist.",
            valueName: "file"
        )
    )
    var record: String?

    @OptionGroup var page: PanelOptions

    @Flag(help: "Serve wss:// and https://, with a certificate signed by Squall's own authority.")
    var tls = false

    @Option(
        name: .customLong("name"),
        help: "With --tls: a host name by which clients reach this machine, for the certificate. May be repeated."
    )
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            With --tls: a folder that keeps the authority, so that a phone installs it once. (default: a new one \
            each run)
            """,
            valueName: "folder"
        )
    )
    var tlsCA: String?

    func validate() throws {
        guard tls || names.isEmpty && tlsCA == nil else { throw ValidationError("--name and --tls-ca need --tls") }
        guard 0...65_535 ~= port, port <= 65_535 - max(0, clients.count - 1) else {
            throw ValidationError("--port must be 0 to 65535 for every client, not \(port)")
        }
        if echo {
            guard record == nil else { throw ValidationError("--echo has no steps to record: leave --record out") }
            guard !page.panel else { throw ValidationError("--echo has no panel: leave --panel out") }
            guard clients.isEmpty, profile == nil else {
                throw ValidationError("--echo has no clients and no profile: leave --client and --profile out")
            }
            guard tls || host == "127.0.0.1" else { throw ValidationError("with --echo, --host needs --tls") }
        } else if LocalAddress(host) == nil {
            throw ValidationError("--host must be an IPv4 address of this machine, such as 0.0.0.0, not '\(host)'")
        }
    }

    func run() async throws {
        ProcessFacts.raiseDescriptorLimit()
        try await finish {
            // A server runs until it is interrupted, so cancellation is not an error.
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
            try await secured.run(hasProxy: true) { onReady in
                try await EchoSession.serve(port: 0) { onReady([$0]) }
            } announce: { hosts, ports in
                for (host, port) in hosts.flatMap({ host in ports.map { (host, $0) } }) {
                    Terminal.print("wss://\(host):\(port)")
                }
            }
        case (true, false):
            let port = port
            try await Interruption.cancels {
                try await EchoSession.serve(port: port) { Terminal.print("ws://127.0.0.1:\($0)") }
            }
        case (false, true):
            let secured = try secured
            let (chat, place) = try (chat(as: secured.identity), place)
            try await secured.run(hasProxy: false) { onReady in
                try await chat.run(at: place, onReady: onReady)
            } announce: { hosts, ports in
                chat.announce(at: Self.reachable(hosts), ports: ports)
            }
        case (false, false):
            let (chat, place, hosts) = try (chat(), place, Self.reachable(HostNames.reachable(at: host)))
            try await Interruption.cancels {
                try await chat.run(at: place) { chat.announce(at: hosts, ports: $0) }
            }
        }
    }

    private func chat(as identity: TLSIdentity? = nil) throws -> ChatServe {
        try ChatServe(
            clients,
            profile,
            seed: seed,
            format,
            identity: identity,
            verbose: verbose,
            panel: page.place,
            record: record
        )
    }

    private var secured: SecureServe {
        get throws { try SecureServe(host: host, port: port, names: names, folder: tlsCA) }
    }

    private var place: LiveOptions.ListenAddress {
        get throws {
            guard let address = LocalAddress(host) else {
                throw SquallError.usage("--host \(host): not an IPv4 address")
            }
            return LiveOptions.ListenAddress(address: address, port: port)
        }
    }

    /// Returns the names except IPv6 addresses, on which the chat server does not listen.
    private static func reachable(_ hosts: [String]) -> [String] { hosts.filter { !$0.contains(":") } }
}
