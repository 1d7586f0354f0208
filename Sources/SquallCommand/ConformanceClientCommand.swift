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
            abstract: "Judge a client: it asks this server for cases, or is told by its adapter where to connect.",
            discussion: """
                /getCaseCount answers with a number n; /runCase?case=i&agent=NAME plays the i-th case, in which the client \
                sends every message back; /updateReports?agent=NAME writes the reports. Also /getCaseInfo?case=i and \
                /getCaseStatus?case=i&agent=NAME. The server runs until a client asks to /stopServer or for \
                /updateReports?agent=NAME&shutdownOnComplete=true, until --run has ended, or until ctrl-C. With --tls the \
                address is wss://, and SQUALL_CA_FILE has the path of the certificate to trust.

                A client that is no echo and has an adapter (as 'squall run --client' takes it) is judged with --client: \
                it is started for each case, and told to connect to it.
                """
        )

        @Option(help: "The port on loopback; 0 takes any that is free. (default: 9001)")
        var port: Int?

        @Option(
            help: ArgumentHelp(
                "Run the client with this command, the server's address in SQUALL_URL, and end with it.",
                valueName: "command"
            )
        )
        var run: String?

        @Option(
            help: ArgumentHelp("Judge a client by the command of its adapter, a process a case.", valueName: "command")
        )
        var client: String?

        @Option(help: ArgumentHelp("With --client: how many processes at once.", valueName: "n"))
        var jobs = 4

        @Flag(help: "Speak TLS, with a certificate of Squall's own authority.")
        var tls = false

        @Option(
            help: ArgumentHelp(
                "With --tls, keep the authority in this folder, so that clients learn to trust it once.",
                valueName: "folder"
            )
        )
        var tlsCA: String?

        @OptionGroup var options: Options

        func validate() throws {
            guard tls || tlsCA == nil else { throw ValidationError("--tls-ca goes with --tls") }
            if let port, !(0...65_535 ~= port) { throw ValidationError("--port is 0 to 65535, not \(port)") }
            guard jobs >= 1 else { throw ValidationError("--jobs is at least 1, not \(jobs)") }
            for (name, command) in [("--run", run), ("--client", client)]
            where command?.allSatisfy(\.isWhitespace) == true {
                throw ValidationError("\(name) names no command")
            }
            guard client != nil else { return }
            guard run == nil, port == nil else {
                throw ValidationError("--client starts the client on ports of its own: leave --run and --port out")
            }
        }

        func run() async throws {
            try await finish {
                if let client { return try await judgeAdapter(client) }
                switch options.spoken {
                case .websocket: return try await judgeEcho()
                case .chat: return try await judgeChat()
                }
            }
        }

        /// Tells what came of it. A client that came by itself is judged by what it played, when it is stopped by hand too.
        private func emit(
            _ output: ConformanceOutput,
            _ cases: [CaseSummary],
            _ outcome: ClientOutcome,
            skipped: [ConformanceReport.Skipped] = [],
            endsByHand: Bool
        ) -> ExitStatus {
            let isInterrupted = Interruption.isRequested && !(endsByHand && !outcome.results.isEmpty)
            // What a command of --run leaves out nobody has chosen: --case and --skip choose.
            let missing = run == nil ? 0 : cases.count - Set(outcome.results.map(\.id)).count
            let status = output.emit(cases, outcome.results, skipped: skipped, isWhole: !isInterrupted && missing == 0)
            if isInterrupted { return .interrupted }
            guard missing > 0 else { return status }
            let end = outcome.commandEnd.map { "ended with \($0)" } ?? "had this server stop"
            if outcome.results.isEmpty {
                Terminal.complain("squall: the command of --run \(end), and asked for no case")
                return status
            }
            Terminal.complain(
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
                    onReady: { reportReady($0, path, "a case a connection, \(cases.count) cases", security) },
                    onResult: { progress.emit($0) }
                )
            }
            return emit(output, summaries, outcome, skipped: skipped, endsByHand: false)
        }

        // MARK: - Through an adapter

        private func judgeAdapter(_ command: String) async throws -> ExitStatus {
            let chat = try options.chatTarget()
            let offer: ClientOffer
            do {
                offer = try await Interruption.cancels { try await AdapterJudge.probe(command) }
            } catch let failure as AdapterFailure {
                throw SquallError.usage(
                    "--client '\(command)': \(failure); an adapter answers init with init_ok (AdapterProtocol.md)"
                )
            }
            guard !tls || offer.comesByTLS else {
                throw SquallError.usage("--tls: the client does not come by TLS; its init_ok says so by \"tls\": true")
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
                try await AdapterJudge.play(
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
            _ offer: ClientOffer
        ) throws -> (cases: [AdapterCase], summaries: [CaseSummary], skipped: [ConformanceReport.Skipped]) {
            switch options.spoken {
            case .chat:
                let means = ChatCatalogue.Means(hasOwnClients: true, commands: Set(offer.takes))
                let (cases, skipped) = try options.chatCases(of: chat, judging: .client, means)
                return (cases.map { .chat($0) }, cases.map(\.summary), skipped)
            case .websocket:
                var (cases, summaries) = ([AdapterCase](), [CaseSummary]())
                var skipped: [ConformanceReport.Skipped] = []
                for subject in try options.cases(judging: .client) {
                    switch NonEchoingCases.fit(subject) {
                    case .fits(let fitted):
                        cases.append(.webSocket(fitted))
                        summaries.append(fitted.summary)
                    case .skipped(let why): skipped.append(.init(id: subject.id, why: why))
                    }
                }
                return (cases, summaries, skipped)
            }
        }
    }
}

/// Where clients come to, and what they have to trust there.
private func reportReady(_ port: Int, _ path: String, _ what: String, _ security: ConformanceSecurity?) {
    Terminal.complain("listening on \(security == nil ? "ws" : "wss")://127.0.0.1:\(port)\(path), \(what)")
    if let security { Terminal.complain("clients have to trust the certificate in \(security.certificate)") }
}
