import Adapter
import ArgumentParser
import ChatWire
import Conformance
import ConformanceRunner
import Squall
import SquallCore
import WebSocketWire

extension ConformanceCommand {
    struct Client: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "client",
            abstract: "Judge a client that asks this server for cases, or one that an adapter starts.",
            discussion: """
                An echoing client controls the run by WebSocket URLs, as with Autobahn's test suite: /getCaseCount \
                returns \
                the number of cases, /runCase?case=i&agent=NAME plays the i-th case, in which the client sends every \
                message \
                back, and /updateReports?agent=NAME writes the reports. There are also /getCaseInfo?case=i and \
                /getCaseStatus?case=i&agent=NAME. The server runs until a client requests /stopServer or \
                /updateReports?agent=NAME&shutdownOnComplete=true, until the command of --run ends, or until ctrl-C. \
                With \
                --tls the address is wss://, and SQUALL_CA_FILE holds the path of the certificate to trust.

                A client that does not echo is judged with --client, by an adapter as 'squall run --client' takes it: \
                the adapter is started for each case and told where to connect.
                """
        )

        @Option(help: "The port to listen on, on loopback; 0 chooses a free one. (default: 9001)")
        var port: Int?

        @Option(
            help: ArgumentHelp(
                "A command that runs the client, with the server's URL in SQUALL_URL. Squall ends when it ends.",
                valueName: "command"
            )
        )
        var run: String?

        @Option(
            help: ArgumentHelp("The command of an adapter; each case starts one process of it.", valueName: "command")
        )
        var client: String?

        @Option(help: ArgumentHelp("With --client: how many processes to run at once.", valueName: "n"))
        var jobs = 4

        @Flag(help: "Serve wss://, with a certificate signed by Squall's own authority.")
        var tls = false

        @Option(
            help: ArgumentHelp(
                "With --tls: a folder that keeps the authority between runs. (default: a new authority for each run)",
                valueName: "folder"
            )
        )
        var tlsCA: String?

        @OptionGroup var options: Options

        func validate() throws {
            guard tls || tlsCA == nil else { throw ValidationError("--tls-ca needs --tls") }
            if let port, !(0...65_535 ~= port) { throw ValidationError("--port must be 0 to 65535, not \(port)") }
            guard jobs >= 1 else { throw ValidationError("--jobs must be at least 1, not \(jobs)") }
            for (name, command) in [("--run", run), ("--client", client)]
            where command?.allSatisfy(\.isWhitespace) == true {
                throw ValidationError("\(name) is blank; name a command")
            }
            guard client != nil else { return }
            guard run == nil, port == nil else {
                throw ValidationError("--client starts the client and chooses ports itself: leave --run and --port out")
            }
        }

        func run() async throws {
            try await finish {
                if let client { return try await judgeAdapter(client) }
                switch options.family {
                case .websocket: return try await judgeEcho()
                case .chat: return try await judgeChat()
                }
            }
        }

        /// Prints and writes the results. If `endsByHand` is true, an interruption (ctrl-C) after the first result is a
        /// normal end of the run.
        private func emit(
            _ output: ConformanceOutput,
            _ cases: [CaseSummary],
            _ outcome: ClientOutcome,
            skipped: [ConformanceReport.Skipped] = [],
            endsByHand: Bool
        ) -> ExitStatus {
            let isInterrupted = Interruption.isRequested && !(endsByHand && !outcome.results.isEmpty)
            // A command given with `--run` must run every selected case; only `--case` and `--skip` exclude cases.
            let missing = run == nil ? 0 : cases.count - Set(outcome.results.map(\.id)).count
            let status = output.emit(cases, outcome.results, skipped: skipped, isWhole: !isInterrupted && missing == 0)
            if isInterrupted { return .interrupted }
            guard missing > 0 else { return status }
            let end = outcome.commandEnd.map { "ended with \($0)" } ?? "stopped this server"
            if outcome.results.isEmpty {
                Terminal.printError("squall: the command of --run \(end) and requested no case")
                return status
            }
            Terminal.printError(
                "squall: the command of --run \(end) before \(missing) of \(cases.count) cases were played"
            )
            if let end = outcome.commandEnd, end != .status(0) { return .failed }
            return status == .passed ? .inconclusive : status
        }

        private func secured() throws -> ConformanceSecurity? {
            tls ? try ConformanceSecurity(folder: tlsCA) : nil
        }

        private func judgeEcho() async throws -> ExitStatus {
            let cases = try options.cases(judging: .client)
            let summaries = cases.map(\.summary)
            let output = try options.prepared()
            let security = try secured()
            defer { security?.remove() }
            let progress = Progress(total: cases.count)
            let (port, command) = (port ?? 9001, run)
            let outcome = try await Interruption.cancels {
                try await ClientSession.play(
                    cases,
                    port: port,
                    security: security?.acceptMode,
                    command: command,
                    onReady: { reportReady($0, "", "\(cases.count) cases", security) },
                    onResult: { progress.emit($0) },
                    onUpdate: { output.update(summaries, $0) }
                )
            }
            return emit(output, summaries, outcome, endsByHand: command == nil)
        }

        private func judgeChat() async throws -> ExitStatus {
            let chat = try options.chatTarget()
            let (cases, skipped) = try options.chatCases(of: chat, judging: .client)
            let summaries = cases.map(\.summary)
            let output = try options.prepared()
            let security = try secured()
            defer { security?.remove() }
            let progress = Progress(total: cases.count)
            let (port, command, path) = (port ?? 9001, run, chat.wire.webSocketPath)
            let outcome = try await Interruption.cancels {
                try await ChatClientSession.play(
                    cases,
                    of: chat,
                    agent: "client",
                    port: port,
                    security: security?.acceptMode,
                    command: command,
                    onReady: { reportReady($0, path, "one case per connection, \(cases.count) cases", security) },
                    onResult: { progress.emit($0) }
                )
            }
            return emit(output, summaries, outcome, skipped: skipped, endsByHand: false)
        }

        // MARK: - Through an adapter

        private func judgeAdapter(_ command: String) async throws -> ExitStatus {
            let chat = try options.chatTarget()
            let offer: AdapterCapabilities
            do {
                offer = try await Interruption.cancels { try await AdapterTester.probe(command) }
            } catch let failure as AdapterFailure {
                throw SquallError.usage(
                    "--client '\(command)': \(failure); an adapter must answer init with init_ok (AdapterProtocol.md)"
                )
            }
            guard !tls || offer.supportsTLS else {
                throw SquallError.usage(
                    "--tls: the client cannot use TLS; if it can, its init_ok must have \"tls\": true"
                )
            }
            let (cases, summaries, skipped) = try adapterCases(chat, offer)
            let output = try options.prepared()
            let security = try secured()
            defer { security?.remove() }
            let progress = Progress(total: cases.count)
            let named = AgentName.cleaned(offer.version.isEmpty ? offer.name : "\(offer.name) \(offer.version)")
            let agent = named.isEmpty ? "client" : named
            let jobs = jobs
            let results = try await Interruption.cancels {
                try await AdapterTester.play(
                    cases,
                    of: chat,
                    command: command,
                    agent: agent,
                    jobs: jobs,
                    security: security?.acceptMode
                ) { progress.emit($0) }
            }
            let status = output.emit(summaries, results, skipped: skipped)
            return Interruption.isRequested ? .interrupted : status
        }

        private func adapterCases(
            _ chat: ChatTarget,
            _ offer: AdapterCapabilities
        ) throws -> (cases: [AdapterCase], summaries: [CaseSummary], skipped: [ConformanceReport.Skipped]) {
            switch options.family {
            case .chat:
                let means = ChatCatalogue.Facilities(hasOwnClients: true, commands: Set(offer.takes))
                let (cases, skipped) = try options.chatCases(of: chat, judging: .client, means)
                return (cases.map { .chat($0) }, cases.map(\.summary), skipped)
            case .websocket:
                var (cases, summaries) = ([AdapterCase](), [CaseSummary]())
                var skipped: [ConformanceReport.Skipped] = []
                for testCase in try options.cases(judging: .client) {
                    switch NonEchoingCases.adapted(testCase) {
                    case .fits(let fitted):
                        cases.append(.webSocket(fitted))
                        summaries.append(fitted.summary)
                    case .skipped(let why): skipped.append(.init(id: testCase.id, why: why))
                    }
                }
                return (cases, summaries, skipped)
            }
        }
    }
}

/// Prints the address to which clients connect, the explanation `what`, and the certificate that clients must trust.
private func reportReady(_ port: Int, _ path: String, _ what: String, _ security: ConformanceSecurity?) {
    Terminal.printError("listening on \(security == nil ? "ws" : "wss")://127.0.0.1:\(port)\(path), \(what)")
    if let security { Terminal.printError("clients must trust the certificate in \(security.certificate)") }
}
