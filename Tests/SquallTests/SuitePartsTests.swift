import Foundation
import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Squall

/// A temporary folder.
private struct Scratch {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("squall-parts-\(getpid())-\(UInt64.random(in: 0...(.max)))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @discardableResult func write(_ text: String, to name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// Tests which reports count as parts of one suite, and how they are combined.
@Suite struct SuitePartsTests {
    private static func origin(_ index: Int, of count: Int, _ change: (inout SuiteOrigin) -> Void = { _ in })
        -> SuiteOrigin
    {
        var origin = SuiteOrigin(
            version: "1.0.0",
            suite: "aa",
            cases: 9,
            seed: Seed(1),
            times: 1,
            worlds: [.sim],
            client: "reference",
            profile: nil,
            defects: [],
            part: SuiteOrigin.Part(index: index, count: count),
            command: "squall run",
            date: "2026-01-02T03:04:05Z",
            commit: nil
        )
        change(&origin)
        return origin
    }

    private static func mismatch(_ origins: SuiteOrigin...) -> String? {
        SuiteParts.mismatch(of: origins.enumerated().map { ("dir\($0.offset)", $0.element) })
    }

    @Test("all shards of one suite can be merged in any order")
    func completePartsFit() {
        #expect(Self.mismatch(Self.origin(2, of: 2), Self.origin(1, of: 2)) == nil)
        #expect(Self.mismatch(Self.origin(1, of: 1) { $0.part = nil }) == nil)
    }

    @Test("the error for missing or duplicate shards names them")
    func gapsAndOverlapsAreNamed() {
        #expect(Self.mismatch(Self.origin(2, of: 4), Self.origin(3, of: 4)) == "parts 1, 4 of 4 are missing")
        #expect(Self.mismatch(Self.origin(1, of: 2)) == "part 2 of 2 is missing")
        #expect(
            Self.mismatch(Self.origin(1, of: 2), Self.origin(1, of: 2)) == "'dir0' and 'dir1' are both part 1 of 2"
        )
    }

    @Test("shards that were played with different settings are refused, and the difference is named")
    func differencesAreNamed() {
        let first = Self.origin(1, of: 2)
        let others: [(word: String, change: (inout SuiteOrigin) -> Void)] = [
            ("version of Squall: 'dir0' has 1.0.0, 'dir1' has 1.0.1", { $0.version = "1.0.1" }),
            ("seed: 'dir0' has 1, 'dir1' has 7", { $0.seed = Seed(7) }),
            ("value of --repeat", { $0.times = 2 }), ("worlds", { $0.worlds = [.live] }),
            ("client", { $0.client = "./mine" }), ("profile: 'dir0' has none", { $0.profile = "chat" }),
            ("defects: 'dir0' has none, 'dir1' has noHeartbeat", { $0.defects = ["noHeartbeat"] }),
            ("cases or scenario files (digest)", { $0.suite = "bb" }),
            ("commit: 'dir0' has none, 'dir1' has 1234567", { $0.commit = "1234567" }),
        ]
        for (word, change) in others {
            let found = Self.mismatch(first, Self.origin(2, of: 2, change))
            #expect(found?.hasPrefix("the reports differ in their \(word)") == true, "\(found ?? "")")
        }
        #expect(Self.mismatch(first, Self.origin(2, of: 3))?.contains("number of parts") == true)
    }

    @Test("merging all shards of a suite gives the results of the whole suite")
    func mergedPartsAreTheSuite() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: A message arrives
            with:
              - { spare: a, name: first }
              - { spare: b, name: second }
              - { spare: c, name: third }
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - user: { send: "${spare}" }
            expect:
              - eventually: { banner.kind: error, within: 2s }

            """,
            to: "table.yaml"
        )
        var options = SuiteOptions()
        (options.worlds, options.times) = ([.sim], 2)
        func play(_ part: Int?) async throws -> SuiteResult {
            let shard = part.flatMap { Shard("\($0)/2") }
            let selection = SuiteSelection(paths: [file], shard: shard)
            let all = try Suite.loadAll(selection)
            let origin = try Suite.origin(of: all, selection, options, command: ["squall"]) { _ in nil }
            var result = try await Suite.play(try Suite.chosen(of: all, selection), options)
            result.origin = origin
            return result
        }
        var folders: [String] = []
        for part in [2, 1] {
            let folder = scratch.folder.appendingPathComponent("part\(part)").path
            #expect(try ReportFolder(path: folder).write(try await play(part)).isEmpty)
            folders.append(folder)
        }
        let command = ["/bin/squall", "merge", "a b"]
        let (whole, merged) = (try await play(nil), try SuiteParts.merge(folders, command: command))
        #expect(whole.runs.count == 6 && whole.count(.fail) == 6)
        #expect(merged.runs.map(\.digest) == whole.runs.map(\.digest))
        #expect(merged.runs.map(\.key) == whole.runs.map(\.key))
        #expect(merged.runs.map(\.recording) == whole.runs.map(\.recording))
        #expect(merged.origin?.suite == whole.origin?.suite && merged.origin?.part == nil)
        #expect(merged.origin?.command == "squall merge 'a b'", "not that of a part")
        let error = #expect(throws: SquallError.self) { try SuiteParts.merge([folders[0]], command: []) }
        #expect(error?.message == "squall: part 1 of 2 is missing" && error?.exitStatus == .invalidInput)
        let trace = "\(folders[0])/\(RunFolder.name(of: try #require(merged.runs.dropFirst().first)))/trace.jsonl"
        try FileManager.default.removeItem(atPath: trace)
        #expect(throws: SquallError.self) { try SuiteParts.merge(folders, command: []) }
    }

    @Test("a suite of shards that were stopped after a failure each is stopped after as many failures")
    func theLimitsOfStoppedShardsAreAdded() {
        var part = SuiteResult(cases: [], wall: .zero, unplayed: 3)
        part.failureLimit = 1
        let whole = SuiteParts.merged([part, part, SuiteResult(cases: [], wall: .zero)])
        #expect(whole.stopDescription == "stopped after 2 failed cases: 6 runs were not played")
        #expect(SuiteParts.merged([SuiteResult(cases: [], wall: .zero)]).failureLimit == nil)
    }

    @Test("the commit is found for a branch, a worktree and a detached head")
    func theCommitIsFound() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        for folder in ["a/.git/refs/heads", "a/.git/worktrees/b", "a/deep", "b", "none/.git"] {
            let place = scratch.folder.appendingPathComponent(folder)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        try scratch.write("ref: refs/heads/main\n", to: "a/.git/HEAD")
        try scratch.write("1111\n", to: "a/.git/refs/heads/main")
        try scratch.write("# pack-refs\n2222 refs/heads/side\n", to: "a/.git/packed-refs")
        try scratch.write("ref: refs/heads/side\n", to: "a/.git/worktrees/b/HEAD")
        try scratch.write("../..\n", to: "a/.git/worktrees/b/commondir")
        try scratch.write("gitdir: ../a/.git/worktrees/b\n", to: "b/.git")
        let path = scratch.folder.path
        #expect(SourceCommit.commit(around: "\(path)/a/deep") == "1111")
        #expect(SourceCommit.commit(around: "\(path)/b") == "2222")
        #expect(SourceCommit.commit(around: "\(path)/none") == nil)
        // The path is empty if the current folder was deleted.
        #expect(SourceCommit.commit(around: "") == nil)
        try scratch.write("3333\n", to: "a/.git/HEAD")
        #expect(SourceCommit.commit(around: "\(path)/a") == "3333")
    }
}
