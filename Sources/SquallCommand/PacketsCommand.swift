import ArgumentParser
import Packets
import Squall
import SquallCore

struct PacketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packets",
        abstract: "Run a command behind a link that loses, delays, reorders and duplicates IP packets.",
        usage: "squall packets [<options>] --reach <service> ... -- <command> ...",
        discussion: """
            The command runs in its own network namespace, whose only way out is a TUN device. Squall carries its \
            packets \
            and applies the faults that the options name, in netem's words; both ends run the kernel's TCP. The \
            command \
            reaches only the services of --reach: --reach 8080 is server.test:8080 inside and 127.0.0.1:8080 outside. \
            Linux only.

                squall packets --loss 5% --delay 50ms --jitter 10ms --reach 8080 -- curl http://server.test:8080/

            The options apply to both directions, each with its own random numbers; --up and --down take netem's terms \
            for \
            one direction: \(PacketFaults.grammar).

            exit status: the command's own; 128 plus the signal's number if a signal ended it; 126 or 127 if it cannot \
            be \
            run; 64 usage error, 70 Squall itself failed
            """
    )

    @Option(
        help: ArgumentHelp(
            """
            A service that the command can reach: PORT, HOST:PORT, PORT=HOST:PORT or NAME:PORT=HOST:PORT, with \
            udp: in front for UDP. May be repeated.
            """,
            valueName: "service"
        )
    )
    var reach: [String] = []

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp(
            """
            A local port whose connections pass over the link, for clients that cannot run behind it: \
            PORT=HOST:PORT or ADDRESS:PORT=HOST:PORT. May be repeated.
            """,
            valueName: "listening"
        )
    )
    var listens: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The share of packets to lose: 5%, '5% 25%' with a correlation, 'gemodel 1% 10%' in bursts. (default: \
            none)
            """,
            valueName: "share"
        )
    )
    var loss: String?

    @Option(help: ArgumentHelp("How long to delay each packet, such as 50ms. (default: 0)", valueName: "time"))
    var delay: String?

    @Option(
        help: ArgumentHelp(
            "How far the delay varies in either direction, such as 10ms; packets may be reordered. (default: 0)",
            valueName: "time"
        )
    )
    var jitter: String?

    @Option(
        help: ArgumentHelp(
            "The share of packets that overtake delayed ones: 2%, '25% gap 5'. (default: none)",
            valueName: "share"
        )
    )
    var reorder: String?

    @Option(
        help: ArgumentHelp("The share of packets to deliver twice, such as 1%. (default: none)", valueName: "share")
    )
    var duplicate: String?

    @Option(
        help: ArgumentHelp(
            "The share of packets in which one bit is flipped, such as 1%. (default: none)",
            valueName: "share"
        )
    )
    var corrupt: String?

    @Option(help: ArgumentHelp("The bandwidth: 512kbit, 10mbit. (default: unlimited)", valueName: "rate"))
    var rate: String?

    @Option(
        help: ArgumentHelp(
            "How many packets may queue in each direction. (default: \(PacketFaults.defaultLimit))",
            valueName: "packets"
        )
    )
    var limit: String?

    @Option(
        help: ArgumentHelp(
            "The packets to lose, by their numbers in each direction, from 1: 1 or 3,7-9. (default: none)",
            valueName: "numbers"
        )
    )
    var drop: String?

    @Flag(help: "Keep packets in order, whatever the jitter.")
    var ordered = false

    @Option(help: ArgumentHelp("More netem terms for packets from the command.", valueName: "terms"))
    var up = ""

    @Option(help: ArgumentHelp("More netem terms for packets to the command.", valueName: "terms"))
    var down = ""

    @Option(
        help:
            """
            The seed of every random decision. With the same seed the n-th packet of a direction always has the \
            same fate.
            """
    )
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The largest IP packet in bytes, 1280 to 65535.", valueName: "bytes"))
    var mtu = 1500

    @Option(
        help: ArgumentHelp(
            "A file that gets a line of JSON for each packet; - is standard output.",
            valueName: "file"
        )
    )
    var events: String?

    @Option(
        help: ArgumentHelp(
            "A pcap file for the packets that the command sends and receives; - is standard output.",
            valueName: "file"
        )
    )
    var pcap: String?

    @Flag(name: .shortAndLong, help: "Do not print packet counts when the command has ended.")
    var quiet = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("The command to run, after --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty || !listens.isEmpty else {
            throw ValidationError(
                """
                give a command, as in squall packets --loss 5% --reach 8080 -- COMMAND, or a port, as in --listen \
                9000=localhost:8080
                """
            )
        }
        guard 1280...65_535 ~= mtu else { throw ValidationError("--mtu must be 1280 to 65535, not \(mtu)") }
        if jitter != nil, delay?.contains(where: \.isWhitespace) == true {
            throw ValidationError("--delay '\(delay ?? "")' already includes the jitter: leave --jitter out")
        }
        do {
            _ = try faults(adding: up)
            _ = try faults(adding: down)
            _ = try AddressPlan(try services + Listening.routes(try listenings))
        } catch let error as TermError {
            throw ValidationError("\(error)")
        }
    }

    func run() async throws {
        try await finish {
            try PacketsSession.run(
                PacketsSession.Plan(
                    up: try faults(adding: up),
                    down: try faults(adding: down),
                    seed: Seed(seed),
                    routes: try services,
                    listenings: try listenings,
                    mtu: mtu,
                    command: command,
                    events: events,
                    pcap: pcap,
                    isQuiet: quiet
                )
            )
        }
    }

    private var services: [ServiceRoute] {
        get throws { try reach.map { try ServiceRoute($0) } }
    }

    private var listenings: [Listening] {
        get throws { try listens.map { try Listening($0) } }
    }

    /// Converts the options to terms in Linux netem syntax, and appends `terms`, which apply to only one direction.
    private func faults(adding terms: String) throws -> PacketFaults {
        var all: [String] = []
        for (term, value) in [
            ("loss", loss), ("reorder", reorder), ("duplicate", duplicate), ("corrupt", corrupt), ("rate", rate),
            ("limit", limit), ("drop", drop),
        ] {
            if let value { all.append("\(term) \(value)") }
        }
        if delay != nil || jitter != nil { all.append("delay \(delay ?? "0ms") \(jitter ?? "")") }
        if ordered { all.append("ordered") }
        return try PacketFaults(terms: (all + [terms]).joined(separator: " "))
    }
}
