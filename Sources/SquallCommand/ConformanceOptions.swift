import ArgumentParser
import Conformance
import Foundation
import Squall
import SquallCore
import WebSocketWire

extension ConformanceCommand {
    /// The options that select cases and specify where their results are written.
    struct Options: ParsableArguments {
        @Option(
            name: .customLong("protocol"),
            help: "The protocol to judge: websocket, or chat, Squall's own protocol over WebSockets."
        )
        var family: CaseFamily = .websocket

        enum CaseFamily: String, ExpressibleByArgument, CaseIterable { case websocket, chat }

        @Option(
            name: .customLong("case"),
            help: ArgumentHelp(
                "Play only the cases of this id or group, such as 7.1.1, 7 or H. May be repeated.",
                valueName: "id"
            )
        )
        var only: [String] = []

        @Option(help: ArgumentHelp("Leave out the cases of this id or group. May be repeated.", valueName: "id"))
        var skip: [String] = []

        @Flag(
            help:
                """
                Play only the 247 quick cases of the published suite: without groups 9, 12 and 13, and without \
                Squall's own.
                """
        )
        var quick = false

        @Option(help: "How much data the compression cases send: reduced, or full (a thousand messages per case).")
        var volume: ConformanceCatalogue.Volume = .reduced

        @Option(
            help: ArgumentHelp("A folder for index.html, index.json, results.json and junit.xml.", valueName: "dir")
        )
        var report: String?

        @Option(
            help: ArgumentHelp(
                """
                A file of known failures, with reasons. A listed case that passes, or an unlisted one that fails, \
                fails the run.
                """,
                valueName: "file"
            )
        )
        var knownFailures: String?

        @Flag(help: "Rewrite the file of --known-failures to match this run, keeping the reasons.")
        var fix = false

        @Option(
            help: "With --protocol chat or --client: the name or the file of the profile with the peer's wire names."
        )
        var profile = "default"

        @Option(help: "With --protocol chat: a user's key that the server accepts.")
        var key = "key-1"

        @Option(help: "With --protocol chat: a conversation that the key's user may write to.")
        var conversation = "stukov"

        @Option(
            help: ArgumentHelp(
                """
                With --protocol chat: the key of a second user of the conversation. (default: cases for two users \
                are skipped)
                """,
                valueName: "key"
            )
        )
        var otherKey: String?

        @Option(
            help: ArgumentHelp(
                """
                With --protocol chat: a conversation of which the key's user is not a member. (default: cases about \
                foreign conversations are skipped)
                """,
                valueName: "id"
            )
        )
        var foreignConversation: String?

        @Option(help: "The format of the results on standard output: text, json or github (annotations).")
        var format: Format = .text

        enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, github }

        /// Returns the WebSocket cases that the options select for a peer in the given role.
        func cases(judging role: WebSocketRole) throws -> [ConformanceCase] {
            let slow = ["9", "12", "13"]
            let quickly = Set(ConformanceCatalogue.published(volume).map(\.id).filter { !slow.contains($0.category) })
            let all = ConformanceCatalogue.cases(volume)
            let pool = all.map { testCase in
                CaseSelection.Candidate(
                    id: testCase.id,
                    testedRoles: testCase.testedRoles,
                    isLeftOut: quick && !quickly.contains(testCase.id)
                )
            }
            let chosen = try selection(pool, family: .websocket).ids(for: role)
            return all.filter { chosen.contains($0.id) }
        }

        /// Returns the selected chat-protocol cases: those that can be run, and those that are skipped.
        func chatCases(
            of target: ChatTarget,
            judging role: WebSocketRole,
            _ means: ChatCatalogue.Facilities = ChatCatalogue.Facilities()
        ) throws -> (cases: [ChatCase], skipped: [ConformanceReport.Skipped]) {
            guard !quick else {
                throw SquallError.usage(
                    "--quick selects published WebSocket cases: it cannot be used with --protocol chat"
                )
            }
            let all = ChatCatalogue.cases(target)
            let pool = all.map {
                CaseSelection.Candidate(id: $0.summary.id, testedRoles: [$0.testedRole], isLeftOut: false)
            }
            let chosen = try selection(pool, family: .chat).ids(for: role)
            let obstacles = all.filter { chosen.contains($0.summary.id) }
                .map { ($0, ChatCatalogue.reasonNotRunnable($0, target, means)) }
            return (
                obstacles.filter { $0.1 == nil }.map(\.0),
                obstacles.compactMap { testCase, why in why.map { .init(id: testCase.summary.id, why: $0) } }
            )
        }

        private func selection(_ pool: [CaseSelection.Candidate], family: CaseFamily) -> CaseSelection {
            CaseSelection(pool: pool, isOfChat: family == .chat, only: only, skip: skip)
        }

        func chatTarget() throws -> ChatTarget {
            let family = try WireProfiles.wire(named: profile)
            return ChatTarget(
                wire: family.wire,
                key: key,
                conversation: conversation,
                nonce: String(UInt64.random(in: .min ... .max), radix: 36),
                otherKey: otherKey,
                foreignConversation: foreignConversation,
                replaysUntilAcknowledged: family.replaysUntilAcknowledged,
                locksConversations: family.locksConversations,
                checksFreshness: family.checksFreshness,
                listsDeletedLast: family.listsDeletedLast,
                clock: Int64(Date().timeIntervalSince1970 * 1000)
            )
        }

        /// Creates the destinations of the results. Problems with their files are reported here, before any case is
        /// run.
        func prepared() throws -> ConformanceOutput {
            let known = try knownFailures.map { try ConformanceFolder.knownFailures(at: $0, willBeUpdated: fix) }
            if fix, let knownFailures { try ReportFolder.check(knownFailures) }
            return ConformanceOutput(
                folder: try report.map { try ConformanceFolder(path: $0) },
                known: known ?? KnownCaseFailures(),
                fixedFile: fix ? knownFailures : nil,
                format: format
            )
        }

        func validate() throws {
            if fix, knownFailures == nil { throw ValidationError("--fix needs --known-failures FILE") }
        }
    }
}
