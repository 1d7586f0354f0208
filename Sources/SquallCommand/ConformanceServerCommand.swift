import ArgumentParser
import Conformance
import ConformanceRunner
import Squall
import SquallCore
import WebSocketWire

extension ConformanceCommand {
    struct Server: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "server",
            abstract: "Judge a server: an endpoint that echoes every message, or one that speaks the chat protocol."
        )

        @Option(
            help:
                """
                The URL of the echo endpoint, or of the chat server with --protocol chat: ws://HOST:PORT/PATH or \
                wss://...
                """
        )
        var url: String

        @Option(
            help: ArgumentHelp(
                "With wss://: a PEM file of the authorities to trust. (default: the system's)",
                valueName: "file"
            )
        )
        var ca: String?

        @Flag(help: "With wss://: accept any certificate.")
        var insecure = false

        @Option(help: "The name of the server in reports.")
        var agent = "server"

        @Option(help: ArgumentHelp("How many connections to open at once.", valueName: "n"))
        var jobs = 16

        @OptionGroup var options: Options

        mutating func validate() throws {
            let named = AgentName.cleaned(agent)
            guard !named.isEmpty else {
                throw ValidationError(
                    "--agent '\(agent)' is empty without control characters and the '*' at its end; give a name"
                )
            }
            agent = named
            guard jobs >= 1 else { throw ValidationError("--jobs must be at least 1, not \(jobs)") }
            guard ca == nil || !insecure else {
                throw ValidationError("--insecure accepts any certificate: leave --ca out")
            }
        }

        func run() async throws {
            try await finish {
                let target = try ConformanceFolder.target(url)
                let plan = try plan(target)
                let output = try options.prepared()
                let results: [ConformanceResult]
                do {
                    results = try await Interruption.cancels(plan.play)
                } catch ServerTester.Failure.unreachable(let why) {
                    throw SquallError.usage("\(why); start the server first, or name another with --url")
                } catch ServerTester.Failure.noWebSocket(let why) {
                    throw SquallError.usage(
                        """
                        \(target) does not accept a plain opening handshake: \(why); give the endpoint with its \
                        path in --url
                        """
                    )
                } catch ServerTester.Failure.noChat(let why) {
                    throw SquallError.usage(
                        """
                        \(target) does not speak the chat protocol, in which the server sends first: \(why); give \
                        another --url, or the form of its frames and the path of its WebSocket with --profile
                        """
                    )
                } catch ServerTester.Failure.insecure(let why) {
                    let wayOut =
                        why.contains("certificate")
                        ? "trust an authority with --ca FILE, or any certificate with --insecure"
                        : "if the server does not speak TLS, use a ws:// URL"
                    throw SquallError.usage("\(why); \(wayOut)")
                }
                let status = output.emit(plan.cases, results, skipped: plan.skipped)
                return Interruption.isRequested ? .interrupted : status
            }
        }

        private struct Plan: Sendable {
            var cases: [CaseSummary]
            var skipped: [ConformanceReport.Skipped] = []
            var play: @Sendable () async throws -> [ConformanceResult]
        }

        private func plan(_ target: ServerTarget) throws -> Plan {
            let (agent, jobs) = (agent, jobs)
            let trust = try ConformanceSecurity.trust(target, file: ca, anybody: insecure)
            switch options.family {
            case .websocket:
                let cases = try options.cases(judging: .server)
                let progress = Progress(total: cases.count)
                return Plan(cases: cases.map(\.summary)) {
                    try await ServerTester.play(cases, against: target, trusting: trust, agent: agent, jobs: jobs) {
                        progress.emit($0)
                    }
                }
            case .chat:
                let chat = try options.chatTarget()
                let (cases, skipped) = try options.chatCases(of: chat, judging: .server)
                let progress = Progress(total: cases.count)
                return Plan(cases: cases.map(\.summary), skipped: skipped) {
                    // Cases run one at a time, because all cases use the same account and would receive each other's
                    // messages.
                    try await ServerTester.play(
                        cases,
                        of: chat,
                        against: target,
                        trusting: trust,
                        agent: agent,
                        jobs: 1
                    ) { progress.emit($0) }
                }
            }
        }
    }
}
