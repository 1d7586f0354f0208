import ArgumentParser
import Conformance
import Squall
import SquallCore
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
        var volume: ConformanceCatalogue.Volume = .reduced

        @Option(help: ArgumentHelp("Write index.html, index.json, results.json and junit.xml there.", valueName: "dir"))
        var report: String?

        @Option(
            help: ArgumentHelp(
                "The failures that are known, with reasons: others fail, and so does one that passes.",
                valueName: "file"
            )
        )
        var knownFailures: String?

        @Flag(help: "Rewrite the file of known failures as this run has it; reasons are kept.")
        var fix = false

        @Option(
            help: "With --protocol chat or --client: the profile whose names the peer speaks, or the path of its file."
        )
        var profile = "default"

        @Option(help: "With --protocol chat: a key that the server accepts.")
        var key = "key-1"

        @Option(help: "With --protocol chat: a conversation that the key's user may write to.")
        var conversation = "stukov"

        @Option(
            help: ArgumentHelp(
                "With --protocol chat: the key of another user who is in the conversation.",
                valueName: "key"
            )
        )
        var otherKey: String?

        @Option(help: "How results are printed.")
        var format: Format = .text

        enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, github }

        /// The WebSocket cases that the options select, for a peer in that role.
        func cases(judging role: WebSocketRole) throws -> [ConformanceCase] {
            let slow = ["9", "12", "13"]
            let quickly = Set(ConformanceCatalogue.published(volume).map(\.id).filter { !slow.contains($0.category) })
            let all = ConformanceCatalogue.cases(volume)
            let pool = all.map { subject in
                CaseSelection.Candidate(
                    id: subject.id,
                    judged: subject.judged,
                    isLeftOut: quick && !quickly.contains(subject.id)
                )
            }
            let chosen = try selection(pool, spoken: .websocket).ids(for: role)
            return all.filter { chosen.contains($0.id) }
        }

        /// The same of the chat protocol, and those that cannot be played.
        func chatCases(
            of target: ChatTarget,
            judging role: WebSocketRole,
            _ means: ChatCatalogue.Means = ChatCatalogue.Means()
        ) throws -> (cases: [ChatCase], skipped: [ConformanceReport.Skipped]) {
            guard !quick else {
                throw SquallError.usage("--quick chooses among the published cases, and the chat's are none")
            }
            let all = ChatCatalogue.cases(target)
            let pool = all.map { CaseSelection.Candidate(id: $0.summary.id, judged: [$0.judged], isLeftOut: false) }
            let chosen = try selection(pool, spoken: .chat).ids(for: role)
            let obstacles = all.filter { chosen.contains($0.summary.id) }
                .map { ($0, ChatCatalogue.obstacle($0, target, means)) }
            return (
                obstacles.filter { $0.1 == nil }.map(\.0),
                obstacles.compactMap { subject, why in why.map { .init(id: subject.summary.id, why: $0) } }
            )
        }

        private func selection(_ pool: [CaseSelection.Candidate], spoken: Spoken) -> CaseSelection {
            CaseSelection(pool: pool, isOfChat: spoken == .chat, only: only, skip: skip)
        }

        func chatTarget() throws -> ChatTarget {
            let spoken = try WireProfiles.spoken(named: profile)
            return ChatTarget(
                wire: spoken.wire,
                key: key,
                conversation: conversation,
                nonce: String(UInt64.random(in: .min ... .max), radix: 36),
                otherKey: otherKey,
                replaysUntilAcknowledged: spoken.replaysUntilAcknowledged
            )
        }

        /// Where results go; what is wrong with it is told before anything is played.
        func prepared() throws -> ConformanceOutput {
            let known = try knownFailures.map { try ConformanceFolder.knownFailures(at: $0, toBeMended: fix) }
            if fix, let knownFailures { try ReportFolder.check(knownFailures) }
            return ConformanceOutput(
                folder: try report.map { try ConformanceFolder(path: $0) },
                known: known ?? KnownCaseFailures(),
                fixedFile: fix ? knownFailures : nil,
                format: format
            )
        }

        func validate() throws {
            if fix, knownFailures == nil { throw ValidationError("--fix goes with --known-failures FILE") }
        }
    }
}
