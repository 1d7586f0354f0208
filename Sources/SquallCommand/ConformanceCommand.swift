import ArgumentParser
import ChatWire
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

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Name every case, what it sends and what it allows.")

        @Option(name: .customLong("case"), help: ArgumentHelp("Only this id or group.", valueName: "id"))
        var only: String = "*"

        func run() async throws {
            let cases = Catalogue.cases().map { ($0.summary, $0.judged) }
            let chat = ChatCatalogue.cases(ChatTarget()).map { ($0.summary, Set([$0.judged])) }
            let wanted = (cases + chat).filter { $0.0.id.matches(only) }
            guard !wanted.isEmpty else {
                throw ValidationError("no case is called '\(only)'; without --case all are named")
            }
            for (subject, roles) in wanted {
                let judged = roles.count > 1 ? "" : " [\(roles.contains(.server) ? "servers" : "clients")]"
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
                let folder = try options.report.map { try ConformanceFolder(path: $0) }
                let interruption = Interruption.install()
                do {
                    let report = try await judge(target, interruption)
                    let status = try options.tell(report, in: folder)
                    return interruption.isRequested ? 130 : status
                } catch ServerJudge.Failure.unreachable(let why) {
                    throw SquallError.usage("\(why); start the server first, or name another with --url")
                }
            }
            if code != 0 { throw ExitCode(code) }
        }

        private func judge(_ target: ServerTarget, _ interruption: Interruption) async throws -> ConformanceReport {
            switch options.spoken {
            case .websocket:
                let cases = try options.cases(judging: .server)
                let known = try options.known(among: cases.map(\.id))
                let progress = Progress(total: cases.count)
                let results = try await ServerJudge.play(
                    cases,
                    against: target,
                    agent: agent,
                    jobs: jobs,
                    isInterrupted: { interruption.isRequested },
                    onResult: { progress.tell($0) }
                )
                return ConformanceReport(cases.map(\.summary), results, known: known)
            case .chat:
                let chat = try options.chatTarget()
                let cases = try options.chatCases(of: chat, judging: .server)
                let known = try options.known(among: cases.map(\.summary.id))
                let progress = Progress(total: cases.count)
                // One at a time: the cases of one user would see each other's messages.
                let results = try await ServerJudge.play(
                    cases,
                    of: chat,
                    against: target,
                    agent: agent,
                    jobs: 1,
                    isInterrupted: { interruption.isRequested },
                    onResult: { progress.tell($0) }
                )
                return ConformanceReport(cases.map(\.summary), results, known: known)
            }
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
                let folder = try options.report.map { try ConformanceFolder(path: $0) }
                let interruption = Interruption.install()
                let report =
                    switch options.spoken {
                    case .websocket: try await judge(folder, interruption)
                    case .chat: try await judgeChat(interruption)
                    }
                let status = try options.tell(report, in: folder)
                // A client that is stopped by hand has been judged by what it played.
                return report.results.isEmpty && interruption.isRequested ? 130 : status
            }
            if code != 0 { throw ExitCode(code) }
        }

        private func judge(_ folder: ConformanceFolder?, _ interruption: Interruption) async throws -> ConformanceReport
        {
            let cases = try options.cases(judging: .client)
            let known = try options.known(among: cases.map(\.id))
            let progress = Progress(total: cases.count)
            let results = try await ClientSession.play(
                cases,
                port: port,
                command: run,
                isInterrupted: { interruption.isRequested },
                onReady: { Terminal.complain("listening on ws://127.0.0.1:\($0), \(cases.count) cases") },
                onResult: { progress.tell($0) },
                onUpdate: { results in
                    do {
                        try folder?.write(ConformanceReport(cases.map(\.summary), results, known: known))
                    } catch { Terminal.complain("\(error)") }
                }
            )
            return ConformanceReport(cases.map(\.summary), results, known: known)
        }

        private func judgeChat(_ interruption: Interruption) async throws -> ConformanceReport {
            let chat = try options.chatTarget()
            let cases = try options.chatCases(of: chat, judging: .client)
            let known = try options.known(among: cases.map(\.summary.id))
            let progress = Progress(total: cases.count)
            let path = chat.wire.webSocketPath
            let results = try await ChatClientSession.play(
                cases,
                of: chat,
                agent: "client",
                port: port,
                command: run,
                isInterrupted: { interruption.isRequested },
                onReady: {
                    Terminal.complain(
                        "listening on ws://127.0.0.1:\($0)\(path), a case a connection, \(cases.count) cases"
                    )
                },
                onResult: { progress.tell($0) }
            )
            return ConformanceReport(cases.map(\.summary), results, known: known)
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
