import ArgumentParser
import Conformance
import Foundations
import Squall
import WebSocketWire

extension ConformanceCommand {
    /// Which cases, and where results go.
    struct Options: ParsableArguments {
        @Option(
            name: .customLong("protocol"),
            help: "What is played: websocket, or chat, Squall's own protocol over it."
        )
        var spoken: Spoken = .websocket

        enum Spoken: String, ExpressibleByArgument, CaseIterable { case websocket, chat }

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

        @Option(help: "With --protocol chat: the profile whose names the peer speaks.")
        var profile = "default"

        @Option(help: "With --protocol chat: a key that the server accepts.")
        var key = "key-1"

        @Option(help: "With --protocol chat: a conversation that the key's user may write to.")
        var conversation = "stukov"

        @Option(help: "How results are printed.")
        var format: Format = .text

        enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

        /// The WebSocket cases that the options select, for a peer in that role.
        func cases(judging role: WebSocketRole) throws -> [ConformanceCase] {
            let all = quick ? Catalogue.published(volume) : Catalogue.cases(volume)
            let chosen = try select(all.map(\.id), skipping: quick ? ["9", "12", "13"] : [])
            return try some(all.filter { $0.judged.contains(role) && chosen.contains($0.id) }, role)
        }

        /// The same of the chat protocol.
        func chatCases(of target: ChatTarget, judging role: WebSocketRole) throws -> [ChatCase] {
            let all = ChatCatalogue.cases(target)
            let chosen = try select(all.map(\.summary.id))
            return try some(all.filter { $0.judged == role && chosen.contains($0.summary.id) }, role)
        }

        func chatTarget() throws -> ChatTarget {
            ChatTarget(
                wire: try WireProfiles.wire(named: profile),
                key: key,
                conversation: conversation,
                nonce: String(UInt64.random(in: .min ... .max), radix: 36)
            )
        }

        private func select(_ ids: [CaseID], skipping extra: [String] = []) throws -> Set<CaseID> {
            for pattern in only + skip where !ids.contains(where: { $0.matches(pattern) }) {
                throw SquallError.usage("no case is called '\(pattern)'; 'squall conformance list' names all")
            }
            return Set(
                ids.filter { id in
                    (only.isEmpty || only.contains { id.matches($0) }) && !(skip + extra).contains { id.matches($0) }
                }
            )
        }

        private func some<Case>(_ cases: [Case], _ role: WebSocketRole) throws -> [Case] {
            guard !cases.isEmpty else { throw SquallError.usage("no case is left for a \(role) to be judged by") }
            return cases
        }

        func known(among ids: [CaseID]) throws -> KnownFailures {
            guard let knownFailures else { return KnownFailures() }
            return try ConformanceFolder.knownFailures(in: knownFailures, cases: ids)
        }

        /// Writes and prints; the exit status.
        func tell(_ report: ConformanceReport, in folder: ConformanceFolder?) throws -> Int32 {
            Terminal.progress("")
            try folder?.write(report)
            tell(report)
            return report.exitStatus
        }

        private func tell(_ report: ConformanceReport) {
            switch format {
            case .text: Terminal.print(ConformanceText.render(report))
            case .json: Terminal.print(String(decoding: report.json.encodePretty(), as: UTF8.self))
            }
        }
    }
}
