import ArgumentParser
import Packets
import Squall
import SquallCore

struct PacketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "packets",
        abstract: "Run a command behind a link that really loses, delays, reorders and doubles packets.",
        usage: "squall packets [<options>] --reach <service> ... -- <command> ...",
        discussion: """
            The command runs in a network of its own, whose only way out is a TUN device; Squall carries its packets, and \
            does to them what is said here, in netem's words. TCP at both ends is the kernel's. What --reach names is there: \
            --reach 8080 is server.test:8080 inside and 127.0.0.1:8080 outside. Linux only.

                squall packets --loss 5% --delay 50ms --jitter 10ms --reach 8080 -- curl http://server.test:8080/

            Options are for both ways, each drawing by itself; --up and --down take netem's terms for one way: \
            \(PacketFaults.grammar).

            exit status: the command's own, 128 and the signal's number where one ended it, 126 and 127 where it cannot be \
            run; 64 usage, 70 Squall itself failed
            """
    )

    @Option(
        help: ArgumentHelp(
            "What the command can reach: PORT, HOST:PORT, PORT=HOST:PORT or NAME:PORT=HOST:PORT, udp: in front for datagrams; "
                + "may be repeated.",
            valueName: "service"
        )
    )
    var reach: [String] = []

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp(
            "A port out here that leads over the link, for clients that cannot be run behind it: PORT=HOST:PORT or "
                + "ADDRESS:PORT=HOST:PORT; may be repeated.",
            valueName: "listening"
        )
    )
    var listens: [String] = []

    @Option(
        help: ArgumentHelp(
            "Lose packets: 5%, '5% 25%' with a correlation, 'gemodel 1% 10%' in bursts.",
            valueName: "share"
        )
    )
    var loss: String?

    @Option(help: ArgumentHelp("Let every packet come later.", valueName: "time"))
    var delay: String?

    @Option(
        help: ArgumentHelp(
            "How far the delay deviates, either way; packets may overtake one another.",
            valueName: "time"
        )
    )
    var jitter: String?

    @Option(help: ArgumentHelp("Let packets overtake those that are delayed: 2%, '25% gap 5'.", valueName: "share"))
    var reorder: String?

    @Option(help: ArgumentHelp("Let packets come twice.", valueName: "share"))
    var duplicate: String?

    @Option(help: ArgumentHelp("Turn one bit of packets over.", valueName: "share"))
    var corrupt: String?

    @Option(help: ArgumentHelp("How much passes in a second: 512kbit, 10mbit.", valueName: "rate"))
    var rate: String?

    @Option(
        help: ArgumentHelp("How many packets may wait; \(PacketFaults.usualLimit) unless said.", valueName: "packets")
    )
    var limit: String?

    @Option(help: ArgumentHelp("Lose these packets, by their numbers in each way: 1 or 3,7-9.", valueName: "numbers"))
    var drop: String?

    @Flag(help: "No packet overtakes another, whatever the jitter.")
    var ordered = false

    @Option(help: ArgumentHelp("On the way from the command, also this.", valueName: "terms"))
    var up = ""

    @Option(help: ArgumentHelp("On the way to the command, also this.", valueName: "terms"))
    var down = ""

    @Option(help: "Where all chance comes from: the n-th packet of a way fares the same each time.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The largest packet, 1280 to 65535.", valueName: "bytes"))
    var mtu = 1500

    @Option(
        help: ArgumentHelp(
            "Write what was done to each packet as a line of JSON; - is standard output.",
            valueName: "file"
        )
    )
    var events: String?

    @Option(help: ArgumentHelp("Write what the command sent and got, as tcpdump does.", valueName: "file"))
    var pcap: String?

    @Flag(name: .shortAndLong, help: "Say nothing of what was done when the command has ended.")
    var quiet = false

    @Argument(parsing: .postTerminator, help: ArgumentHelp("What to run, behind --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty || !listens.isEmpty else {
            throw ValidationError(
                "say what to run, squall packets --loss 5% --reach 8080 -- COMMAND, or where to listen, --listen 9000=localhost:8080"
            )
        }
        guard 1280...65_535 ~= mtu else { throw ValidationError("--mtu is 1280 to 65535, not \(mtu)") }
        if jitter != nil, delay?.contains(where: \.isWhitespace) == true {
            throw ValidationError("--delay '\(delay ?? "")' says the jitter already: leave --jitter out")
        }
        do {
            _ = try faults(adding: up)
            _ = try faults(adding: down)
            _ = try AddressPlan(try services + Listening.reaches(try listenings))
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
                    reaches: try services,
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

    /// The options as terms, and those of one way behind them.
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
