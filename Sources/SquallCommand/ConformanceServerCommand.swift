import ArgumentParser
import Conformance
import ConformanceRunner
import Foundations
import Squall
import WebSocketWire

extension ConformanceCommand {
    struct Server: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "server",
            abstract: "Judge a server: an endpoint that sends every message back, or one that speaks the chat protocol."
        )

        @Option(help: "The echo endpoint, ws://HOST:PORT/PATH; with --protocol chat, the chat server.")
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
                let plan = try plan(target)
                let output = try options.prepared()
                let results: [ConformanceResult]
                do {
                    results = try await Interruption.cancels(plan.play)
                } catch ServerJudge.Failure.unreachable(let why) {
                    throw SquallError.usage("\(why); start the server first, or name another with --url")
                }
                let status = try output.tell(plan.cases, results, skipped: plan.skipped)
                return Interruption.isRequested ? 130 : status
            }
            if code != 0 { throw ExitCode(code) }
        }

        private struct Plan: Sendable {
            var cases: [CaseSummary]
            var skipped: [ConformanceReport.Skipped] = []
            var play: @Sendable () async throws -> [ConformanceResult]
        }

        private func plan(_ target: ServerTarget) throws -> Plan {
            let (agent, jobs) = (agent, jobs)
            switch options.spoken {
            case .websocket:
                let cases = try options.cases(judging: .server)
                let progress = Progress(total: cases.count)
                return Plan(cases: cases.map(\.summary)) {
                    try await ServerJudge.play(cases, against: target, agent: agent, jobs: jobs) { progress.tell($0) }
                }
            case .chat:
                let chat = try options.chatTarget()
                let (cases, skipped) = try options.chatCases(of: chat, judging: .server)
                let progress = Progress(total: cases.count)
                return Plan(cases: cases.map(\.summary), skipped: skipped) {
                    // One at a time: the cases of one user would see each other's messages.
                    try await ServerJudge.play(cases, of: chat, against: target, agent: agent, jobs: 1) {
                        progress.tell($0)
                    }
                }
            }
        }
    }
}
