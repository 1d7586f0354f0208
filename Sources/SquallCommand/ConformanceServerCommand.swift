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
            abstract: "Judge a server: an endpoint that sends every message back, or one that speaks the chat protocol."
        )

        @Option(help: "The echo endpoint, ws://HOST:PORT/PATH or wss://...; with --protocol chat, the chat server.")
        var url: String

        @Option(
            help: ArgumentHelp(
                "With wss://, believe the authorities in this PEM file, and not the system's.",
                valueName: "file"
            )
        )
        var ca: String?

        @Flag(help: "With wss://, believe any certificate.")
        var insecure = false

        @Option(help: "The server's name in reports.")
        var agent = "server"

        @Option(help: ArgumentHelp("How many connections at once.", valueName: "n"))
        var jobs = 16

        @OptionGroup var options: Options

        mutating func validate() throws {
            let named = AgentName.cleaned(agent)
            guard !named.isEmpty else {
                throw ValidationError("--agent is a name, and of '\(agent)' nothing is left without '*' at its end")
            }
            agent = named
            guard jobs >= 1 else { throw ValidationError("--jobs is at least 1, not \(jobs)") }
            guard ca == nil || !insecure else { throw ValidationError("--insecure believes anybody: leave --ca out") }
        }

        func run() async throws {
            try await finish {
                let target = try ConformanceFolder.target(url)
                let plan = try plan(target)
                let output = try options.prepared()
                let results: [ConformanceResult]
                do {
                    results = try await Interruption.cancels(plan.play)
                } catch ServerJudge.Failure.unreachable(let why) {
                    throw SquallError.usage("\(why); start the server first, or name another with --url")
                } catch ServerJudge.Failure.noWebSocket(let why) {
                    throw SquallError.usage(
                        "\(target) does not take a plain opening handshake: \(why); name the endpoint with its path by --url"
                    )
                } catch ServerJudge.Failure.noChat(let why) {
                    throw SquallError.usage(
                        "\(target) is no server of the chat protocol, which speaks first: \(why); name another by --url, or the form of its "
                            + "frames and the path of its WebSocket by --profile"
                    )
                } catch ServerJudge.Failure.insecure(let why) {
                    let wayOut =
                        why.contains("certificate")
                        ? "--ca FILE names an authority to believe, --insecure believes anybody"
                        : "does it speak TLS? Where it does not, its address begins with ws://"
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
            switch options.spoken {
            case .websocket:
                let cases = try options.cases(judging: .server)
                let progress = Progress(total: cases.count)
                return Plan(cases: cases.map(\.summary)) {
                    try await ServerJudge.play(cases, against: target, trusting: trust, agent: agent, jobs: jobs) {
                        progress.emit($0)
                    }
                }
            case .chat:
                let chat = try options.chatTarget()
                let (cases, skipped) = try options.chatCases(of: chat, judging: .server)
                let progress = Progress(total: cases.count)
                return Plan(cases: cases.map(\.summary), skipped: skipped) {
                    // One at a time: the cases of one user would see each other's messages.
                    try await ServerJudge.play(
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
