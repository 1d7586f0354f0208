import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests which files a suite reads, writes and removes, and how its cases are listed.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct SuiteFilesTests {
    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static func table(_ cases: [String]) -> String {
        """
        squall: 1
        name: A case of each name
        tags: [small]
        with:
        \(cases.map { "  - { spare: a, name: \"\($0)\" }" }.joined(separator: "\n"))
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: "${spare}", as: hi }
        expect:
          - eventually: { "message.status[hi]": delivered, within: 20s }

        """
    }

    @Test("A new report removes the traces of an earlier report and no other file")
    func aReportRemovesEarlierTraces() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.table(["one", "two"]), to: "table.yaml")
        let command = ["run", "table.yaml", "--world", "sim", "--report", "report", "--traces", "all"]
        #expect(try Command(command, in: scratch.folder).ending().status == 0)
        try scratch.write("mine", to: "report/table.two.seed1.sim/notes.txt")
        #expect(try Command(command + ["--case", "one", "--seed", "2"], in: scratch.folder).ending().status == 0)
        let report = scratch.folder.appendingPathComponent("report")
        let names = try Self.names(in: report).filter { $0.hasPrefix("table") }
        #expect(names == ["table.one.seed2.sim", "table.two.seed1.sim"])
        #expect(try Self.names(in: report.appendingPathComponent("table.two.seed1.sim")) == ["notes.txt"])
    }

    @Test("A new report keeps the traces of other reports in folders below it")
    func otherReportsStay() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.table(["one"]), to: "table.yaml")
        for (seed, report) in [("1", "reports/monday"), ("2", "reports")] {
            let command = [
                "run", "table.yaml", "--world", "sim", "--traces", "all", "--seed", seed, "--report", report,
            ]
            #expect(try Command(command, in: scratch.folder).ending().status == 0)
        }
        let monday = scratch.folder.appendingPathComponent("reports/monday/table.one.seed1.sim")
        #expect(try Self.names(in: monday) == ["trace.jsonl"])
    }

    @Test("Parts in which nothing was selected can be merged")
    func emptyPartsMerge() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("", to: "changed.txt")
        let run = ["run", "--files-from", "changed.txt", "--report"]
        for part in 1...2 {
            let command = run + ["part-\(part)", "--shard", "\(part)/2"]
            #expect(try Command(command, in: scratch.folder).ending().status == 0)
        }
        let merged = try Command(["merge", "part-1", "part-2", "--output", "whole"], in: scratch.folder).ending()
        #expect(merged.status == 0, "\(merged.errors)")
    }

    @Test("A file or folder whose name is not valid UTF-8 is refused with the reason, and the others are not hidden")
    func aNameThatIsNotText() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.table(["one"]), to: "good.yaml")
        // The test creates these files through the C library, because Foundation rejects names that are not valid
        // UTF-8.
        let names = ["bad", "sub"].map { Array("\(scratch.folder.path)/\($0)".utf8CString.dropLast()) + [-1] }
        let file = try #require(fopen(names[0] + Array(".yaml".utf8CString), "w"))
        fclose(file)
        try #require(mkdir(names[1] + [0], 0o755) == 0)
        let inner = try #require(fopen(names[1] + Array("/inner.yaml".utf8CString), "w"))
        fclose(inner)
        for command in [["check"], ["run", "--world", "sim"], ["run", "--list"]] {
            let ending = try Command(command + ["."], in: scratch.folder).ending()
            #expect(ending.status == 65, "\(ending.errors)")
            let reason = "cannot be read: its name is not valid UTF-8 (\u{FFFD} marks the invalid bytes); rename it"
            for name in ["./bad\u{FFFD}.yaml", "./sub\u{FFFD}/inner.yaml"] {
                #expect(ending.errors.contains("'\(name)' \(reason)"), "\(ending.errors)")
            }
        }
        let named = try Command(["check", "bad\u{FFFD}.yaml"], in: scratch.folder).ending()
        #expect(named.status == 64 && named.errors.contains("its name is not valid UTF-8"), "\(named.errors)")
    }

    @Test("The JSON output of run --list has the file, name, case and tags of each case")
    func aListInJSON() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.table(["one", "two"]), to: "table.yaml")
        let ending = try Command.run("run", "table.yaml", "--list", "--format", "json", in: scratch.folder)
        #expect(ending.status == 0)
        let json = try JSON.decode(ending.output)
        #expect(json["cases"]?.arrayValue?.map { $0["case"] } == ["one", "two"])
        #expect(json["cases"]?.arrayValue?.first?["file"] == "table.yaml")
    }
}
