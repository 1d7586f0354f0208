import ArgumentParser
import Conformance
import Squall
import SquallCore
import Synchronization
import WebSocketWire

struct ConformanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Judge any client or server by cases for RFC 6455, RFC 7692 and the chat protocol.",
        subcommands: [Server.self, Client.self, List.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the cases, with what each sends and allows.")

        @Option(
            name: .customLong("case"),
            help: ArgumentHelp(
                "List only the cases of this id or group, such as 7.1.1, 7 or H. May be repeated.",
                valueName: "id"
            )
        )
        var only: [String] = []

        @Flag(help: "Also print the bytes that WebSocket cases send: those for servers, for cases that judge servers.")
        var bytes = false

        func run() async throws {
            try await finish {
                try list()
                return .passed
            }
        }

        private func list() throws {
            let played = ConformanceCatalogue.cases()
            let byID = Dictionary(played.map { ($0.id, $0) }) { first, _ in first }
            let cases = played.map { ($0.summary, $0.testedRoles) }
            let all = cases + ChatCatalogue.cases(ChatTarget()).map { ($0.summary, Set([$0.testedRole])) }
            let ids = all.map(\.0.id)
            for pattern in only where !ids.contains(where: { $0.matches(pattern) }) {
                throw SquallError.usage("there is no case '\(pattern)'; \(CaseNames.help(for: pattern, among: ids))")
            }
            let wanted = all.filter { testCase, _ in only.isEmpty || only.contains { testCase.id.matches($0) } }
            for (testCase, roles) in wanted {
                let judged = roles.count > 1 ? "" : " [\(roles.contains(.server) ? "servers" : "clients")]"
                Terminal.print("\(testCase.id)\(judged)  \(testCase.title)")
                Terminal.print("    \(testCase.allowed) (\(testCase.sections.joined(separator: ", ")))")
                guard bytes, let played = byID[testCase.id] else { continue }
                for line in CaseBytes.lines(played) { Terminal.print("    > \(line)") }
            }
        }
    }

    /// Displays the progress of a conformance run on one line.
    final class Progress: Sendable {
        private let total: Int
        private let done = Atomic(0)

        init(total: Int) { self.total = total }

        func emit(_ result: ConformanceResult) {
            let count = done.add(1, ordering: .relaxed).newValue
            ProgressLog.show(
                "\(count.grouped) of \(total.grouped)  \(result.agent) \(result.id) \(result.behavior.rawValue)",
                logged: "\(count.grouped) of \(total.grouped) cases judged"
            )
        }
    }
}

extension ConformanceCatalogue.Volume: ExpressibleByArgument {}
