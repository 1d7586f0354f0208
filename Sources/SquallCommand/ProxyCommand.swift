import ArgumentParser
import Foundation
import Panel
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
        abstract: "Relay TCP connections and apply faults to them, by Toxiproxy's HTTP API or a file.",
        discussion: """
            Serves the API of Toxiproxy 2.12, so that Toxiproxy's clients work unchanged, and adds faults of its own. \
            Listens on loopback by default.
            """
    )

    @Option(
        name: [.long, .customLong("host", withSingleDash: true)],
        help: "The host name or address that the API listens on."
    )
    var host = "localhost"

    @Option(
        name: [.long, .customLong("port", withSingleDash: true)],
        help: "The port that the API listens on; 0 chooses a free one."
    )
    var port = 8474

    @Option(
        name: [.long, .customLong("config", withSingleDash: true)],
        help: ArgumentHelp(
            "A JSON file of proxies to create at the start, as POST /populate takes it.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        name: [.long, .customLong("seed", withSingleDash: true)],
        help: "The seed of every random decision, such as jitter and toxicity."
    )
    var seed: UInt64 = 1

    @Flag(
        name: [.long, .customLong("proxy-metrics", withSingleDash: true)],
        help: "Serve Prometheus metrics of each proxy at /metrics."
    )
    var proxyMetrics = false

    @Flag(
        name: [.long, .customLong("runtime-metrics", withSingleDash: true)],
        help: "Serve Prometheus metrics of the process at /metrics."
    )
    var runtimeMetrics = false

    @Option(
        help: ArgumentHelp("A file that gets a line of JSON for each event; - is standard output.", valueName: "file")
    )
    var events: String?

    @Option(
        help: ArgumentHelp(
            "A pcapng file for the bytes of all connections, for Wireshark; - is standard output.",
            valueName: "file"
        )
    )
    var pcap: String?

    @Option(
        help: ArgumentHelp(
            "A folder that keeps the certificate authority between runs. (default: a new authority for each run)",
            valueName: "folder"
        )
    )
    var tlsCA: String?

    @Option(
        help: ArgumentHelp(
            "How many threads relay connections, 1 to 64. The number does not affect reproducibility with a seed.",
            valueName: "n"
        )
    )
    var threads = 1

    @OptionGroup var page: PanelOptions

    func validate() throws {
        guard 1...64 ~= threads else { throw ValidationError("--threads must be 1 to 64, not \(threads)") }
        if events == "-", pcap == "-" {
            throw ValidationError("--events and --pcap cannot both be '-': give one of them a file")
        }
        guard 0...65535 ~= port else { throw ValidationError("--port must be 0 to 65535, not \(port)") }
    }

    func run() async throws {
        try await finish {
            guard let place = page.place else { return try serve() }
            let (panel, server) = try await ProxyPanel.start(at: place)
            let command = self
            let status = await withCheckedContinuation {
                (done: CheckedContinuation<Result<ExitStatus, any Error>, Never>) in
                // The server blocks its thread, so it gets a thread of its own. Otherwise it would block one of the
                // threads that run Swift tasks, which the panel needs.
                Thread.detachNewThread {
                    done.resume(returning: Result { try command.serve(showing: (panel, server)) })
                }
            }
            await server.stop()
            return try status.get()
        }
    }

    private func serve(showing panel: (ProxyPanel, PanelServer)? = nil) throws -> ExitStatus {
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
            server.onTrouble = { Terminal.printError("squall: \($0)") }
            if let writer {
                server.onEvent = { writer.write($0) }
                server.emitEvents()
            }
            if let panel { server.follow { panel.1.show([$0]) } }
            address = try server.listen()
            panel?.0.connect(server.reactor.mailbox, address)
            if let file { try server.load(file) }
        } catch let error as SquallError {
            throw error
        } catch {
            throw SquallError.failed("\(error)")
        }
        let mailbox = server.reactor.mailbox
        _ = Interruption.install { mailbox.post(.stop) }
        Terminal.printError("squall: the API is at http://\(address)")
        if let panel { Terminal.printError("squall: the panel is at \(panel.1.url)") }
        server.run()
        panel?.1.end("the proxy has ended")
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
