import ArgumentParser
import Proxy
import ScenarioModel
import Sockets
import Squall
import SquallCore
import TLSLink

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Relay connections and do to them what you say, by Toxiproxy's HTTP API or a file.",
        discussion: """
            Speaks the API of Toxiproxy 2.12, so that its clients drive it unchanged, and has faults that it has not. \
            Listens on loopback unless told otherwise.
            """
    )

    @Option(name: [.long, .customLong("host", withSingleDash: true)], help: "Where the API listens.")
    var host = "localhost"

    @Option(
        name: [.long, .customLong("port", withSingleDash: true)],
        help: "The API's port; 0 takes any that is free."
    )
    var port = 8474

    @Option(
        name: [.long, .customLong("config", withSingleDash: true)],
        help: ArgumentHelp("Proxies to begin with, a JSON list as POST /populate takes it.", valueName: "file")
    )
    var config: String?

    @Option(
        name: [.long, .customLong("seed", withSingleDash: true)],
        help: "Where all chance comes from: the same seed repeats jitter and toxicity."
    )
    var seed: UInt64 = 1

    @Flag(name: [.long, .customLong("proxy-metrics", withSingleDash: true)], help: "Serve metrics of each proxy.")
    var proxyMetrics = false

    @Flag(name: [.long, .customLong("runtime-metrics", withSingleDash: true)], help: "Serve metrics of the process.")
    var runtimeMetrics = false

    @Option(help: ArgumentHelp("Write each event as a line of JSON; - is standard output.", valueName: "file"))
    var events: String?

    @Option(
        help: ArgumentHelp(
            "Write what connections carry as packets, for Wireshark; - is standard output.",
            valueName: "file"
        )
    )
    var pcap: String?

    @Option(
        help: ArgumentHelp(
            "Keep the authority for certificates in this folder; without it each run has its own.",
            valueName: "folder"
        )
    )
    var tlsCA: String?

    @Option(
        help: ArgumentHelp(
            "How many threads carry connections; what a seed repeats is the same with any number.",
            valueName: "n"
        )
    )
    var threads = 1

    func validate() throws {
        guard 1...64 ~= threads else { throw ValidationError("--threads is 1 to 64, not \(threads)") }
        if events == "-", pcap == "-" {
            throw ValidationError("--events and --pcap cannot both be '-': give one of them a file")
        }
        guard 0...65535 ~= port else { throw ValidationError("--port is 0 to 65535, not \(port)") }
    }

    func run() async throws {
        try await finish { try serve() }
    }

    private func serve() throws -> ExitStatus {
        ProcessFacts.raiseDescriptorLimit()
        FilterNotice.emit()
        let file = try config.map { try Self.read($0) }
        var options = ProxyServer.Options()
        (options.host, options.port, options.seed) = (host, port, Seed(seed))
        (options.proxyMetrics, options.runtimeMetrics) = (proxyMetrics, runtimeMetrics)
        options.authorityFolder = tlsCA
        options.threads = threads
        let writer = try events.map { try EventWriter(to: $0) }
        let packets = try pcap.map { try EventWriter(to: $0, option: "--pcap") }
        if let packets {
            options.capture = { packets.write($0) }
            options.tool = "squall \(SquallVersion.current)"
        }
        let server: ProxyServer
        let address: String
        do {
            server = try ProxyServer(options)
            server.onTrouble = { Terminal.complain("squall: \($0)") }
            if let writer {
                server.onEvent = { writer.write($0) }
                server.emitEvents()
            }
            address = try server.listen()
            if let file { try server.load(file) }
        } catch let error as SquallError {
            throw error
        } catch {
            throw SquallError.failed("\(error)")
        }
        let mailbox = server.reactor.mailbox
        _ = Interruption.install { mailbox.post(.stop) }
        Terminal.complain("squall: the API is at http://\(address)")
        server.run()
        let areWhole = [writer, packets].map { $0?.finish() ?? true }
        guard !areWhole.contains(false) else { return .internalError }
        return Interruption.serverStatus
    }

    private static func read(_ path: String) throws -> ProxyFile {
        guard let text = TextFile.contents(of: path) else {
            throw SquallError.usage("--config \(path): \(TextFile.lastError)")
        }
        do {
            return try ProxyFile(text)
        } catch {
            throw SquallError.scenarios("\(path): \(error)")
        }
    }
}
