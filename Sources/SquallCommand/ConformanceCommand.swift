import ArgumentParser
import Conformance
import ConformanceRunner
import Foundations
import Squall
import Synchronization
import WebSocketWire

struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Play RFC 6455 and RFC 7692 cases against any WebSocket client or server.",
        subcommands: [Server.self, Client.self, List.self]
    )

    /// Which cases, and where results go.
    struct Options: ParsableArguments {
        @Option(
            name: .customLong("case"),
            help: ArgumentHelp("Only cases of this id or group (7.1.1, 7, H); may be repeated.", valueName: "id")
        )
        var only: [String] = []

        @Option(help: ArgumentHelp("Not the cases of this id or group; may be repeated.", valueName: "id"))
        var skip: [String] = []

        @Flag(help: "Only the published suite's 247 quick cases: no 9, 12, 13, and none of Squall's own.")
        var quick = false

        @Option(help: "How much data cases of compression send: reduced or full (a thousand messages a case).")
        var volume: Catalogue.Volume = .reduced

        @Option(help: ArgumentHelp("Write index.html, index.json, results.json and junit.xml there.", valueName: "dir"))
        var report: String?

        @Option(
            help: ArgumentHelp("Failures that are known: a file with an id and a reason a line.", valueName: "file")
        )
        var knownFailures: String?

        @Option(help: "How results are printed.")
        var format: Format = .text

        enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

        /// The cases that the options select, for a peer in that role.
        func cases(judging role: WebSocketRole) throws -> [ConformanceCase] {
            let all = quick ? Catalogue.published(volume) : Catalogue.cases(volume)
            for pattern in only + skip where !all.contains(where: { $0.id.matches(pattern) }) {
                throw SquallError.usage("no case is called '\(pattern)'; 'squall conformance list' names all")
            }
            let skipped = skip + (quick ? ["9", "12", "13"] : [])
            let chosen = all.filter { subject in
                subject.judged.contains(role)
                    && (only.isEmpty || only.contains { subject.id.matches($0) })
                    && !skipped.contains { subject.id.matches($0) }
            }
            guard !chosen.isEmpty else { throw SquallError.usage("no case is left for a \(role) to be judged by") }
            return chosen
        }

        func known() throws -> KnownFailures {
            guard let knownFailures else { return KnownFailures() }
            return try ConformanceFolder.knownFailures(in: knownFailures, cases: Catalogue.cases(volume))
        }

        func tell(_ report: ConformanceReport) {
            switch format {
            case .text: Terminal.print(ConformanceText.render(report))
            case .json: Terminal.print(String(decoding: report.json.encodePretty(), as: UTF8.self))
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Name every case, what it sends and what it allows.")

        @Option(name: .customLong("case"), help: ArgumentHelp("Only this id or group.", valueName: "id"))
        var only: String = "*"

        func run() async throws {
            for subject in Catalogue.cases() where subject.id.matches(only) {
                let judged =
                    subject.judged.count > 1 ? "" : " [\(subject.judged.contains(.server) ? "servers" : "clients")]"
                Terminal.print("\(subject.id)\(judged)  \(subject.title)")
                Terminal.print("    \(subject.allowed) (\(subject.sections.joined(separator: ", ")))")
            }
        }
    }
}

extension Catalogue.Volume: ExpressibleByArgument {}

extension ConformanceCommand {
    struct Server: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "server",
            abstract: "Judge a server: an endpoint that sends every message back."
        )

        @Option(help: "The echo endpoint, ws://HOST:PORT/PATH.")
        var url: String

        @Option(help: "The server's name in reports.")
        var agent = "server"

        @Option(help: ArgumentHelp("How many connections at once.", valueName: "n"))
        var jobs = 16

        @OptionGroup var options: Options

        func validate() throws {
            guard jobs >= 1 else { throw ValidationError("--jobs is at least 1, not \(jobs)") }
        }

        func run() async throws {
            let code = await reportingErrors {
                let target = try ConformanceFolder.target(url)
                let cases = try options.cases(judging: .server)
                let known = try options.known()
                let folder = try options.report.map { try ConformanceFolder(path: $0) }
                let progress = Progress(total: cases.count)
                let results: [ConformanceResult]
                do {
                    let (agent, jobs) = (agent, jobs)
                    results = try await Interruption.cancels {
                        try await ServerJudge.play(
                            cases,
                            against: target,
                            agent: agent,
                            jobs: jobs,
                            isInterrupted: { Interruption.isRequested },
                            onResult: { progress.tell($0) }
                        )
                    }
                } catch ServerJudge.Failure.unreachable(let why) {
                    throw SquallError.usage("\(why); start the server first, or name another with --url")
                }
                Terminal.progress("")
                let report = ConformanceReport(cases, results, known: known)
                try folder?.write(report)
                options.tell(report)
                return Interruption.isRequested ? 130 : report.exitStatus
            }
            if code != 0 { throw ExitCode(code) }
        }
    }

    struct Client: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "client",
            abstract: "Judge a client: it asks this server for cases by the published suite's addresses.",
            discussion: """
                /getCaseCount answers with a number n; /runCase?case=i&agent=NAME plays the i-th case, in which the client \
                sends every message back; /updateReports?agent=NAME writes the reports. Also /getCaseInfo?case=i and \
                /getCaseStatus?case=i&agent=NAME. The server runs until a client asks to /stopServer or for \
                /updateReports?agent=NAME&shutdownOnComplete=true, until --run has ended, or until ctrl-C.
                """
        )

        @Option(help: "The port on loopback; 0 takes any that is free.")
        var port = 9001

        @Option(
            help: ArgumentHelp(
                "Run the client with this command, the server's address in SQUALL_URL, and end with it.",
                valueName: "command"
            )
        )
        var run: String?

        @OptionGroup var options: Options

        func validate() throws {
            guard 0...65_535 ~= port else { throw ValidationError("--port is 0 to 65535, not \(port)") }
        }

        func run() async throws {
            let code = await reportingErrors {
                let cases = try options.cases(judging: .client)
                let known = try options.known()
                let folder = try options.report.map { try ConformanceFolder(path: $0) }
                let progress = Progress(total: cases.count)
                let (port, run) = (port, run)
                let results = try await Interruption.cancels {
                    try await ClientSession.play(
                        cases,
                        port: port,
                        command: run,
                        isInterrupted: { Interruption.isRequested },
                        onReady: { Terminal.complain("listening on ws://127.0.0.1:\($0), \(cases.count) cases") },
                        onResult: { progress.tell($0) },
                        onUpdate: { results in
                            do {
                                try folder?.write(ConformanceReport(cases, results, known: known))
                            } catch { Terminal.complain("\(error)") }
                        }
                    )
                }
                Terminal.progress("")
                let report = ConformanceReport(cases, results, known: known)
                try folder?.write(report)
                options.tell(report)
                // A client that is stopped by hand has been judged by what it played.
                return results.isEmpty && Interruption.isRequested ? 130 : report.exitStatus
            }
            if code != 0 { throw ExitCode(code) }
        }
    }

    /// Counts cases on the terminal.
    final class Progress: Sendable {
        private let total: Int
        private let done = Atomic(0)

        init(total: Int) { self.total = total }

        func tell(_ result: ConformanceResult) {
            let count = done.add(1, ordering: .relaxed).newValue
            Terminal.progress("\(count) of \(total)  \(result.agent) \(result.id) \(result.behavior.rawValue)")
        }
    }
}
