import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall compare`, and the traces that a report keeps for comparisons.
@Suite struct CompareCommandTests {
    private static let scenario = "Scenarios/silence/blackhole-loses-for-good.yaml"

    private static func play(_ report: URL, _ options: String...) throws {
        let run = ["run", scenario, "--world", "sim", "--report", report.path] + options
        _ = try Command(run).ending()
    }

    private static func traces(in report: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: report.path).filter { $0.hasSuffix("trace.jsonl") }
    }

    @Test(
        "squall compare reports a newly failing case with the first difference of the traces and exits with status 1",
        .ownThread
    )
    func aNewFailureIsTold() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let (old, new) = (scratch.folder.appendingPathComponent("old"), scratch.folder.appendingPathComponent("new"))
        try Self.play(old, "--traces", "all")
        try Self.play(new, "--defect", "noIdempotencyKey")
        let page = scratch.folder.appendingPathComponent("page").path
        let ending = try Command.run("compare", old.path, new.path, "--report", page)
        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.output.hasPrefix("WORSE  1 of 1 case newly failing\n"), "\(ending.output)")
        #expect(ending.output.contains("note: defects: none in the old report, noIdempotencyKey in the new one"))
        #expect(ending.output.contains("client.sent.send["), "\(ending.output)")
        #expect(ending.output.hasSuffix("report: \(page)/index.html\n"), "\(ending.output)")
        #expect(FileManager.default.fileExists(atPath: "\(page)/index.html"))

        // When the two reports are swapped, the case counts as newly passing. The command also accepts result files in
        // place of report folders.
        let results = [new, old].map { "\($0.path)/results.json" }
        let back = try Command(["compare"] + results + ["--format", "json"]).ending()
        #expect(back.status == 0, "\(back.errors)")
        let json = try JSON.decode(back.output)
        #expect(json["cases"]?[0]?["change"] == "newly_passing")
        #expect(json["cases"]?[0]?["divergence"]?["old_event"] != .null)
        #expect(try Command.run("compare", new.path, new.path).status == 0, "it failed before, too")
    }

    @Test("A report keeps the traces of failing runs, and with --traces all also those of passing runs", .ownThread)
    func aReportKeepsTracesOfFailures() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let report = scratch.folder.appendingPathComponent("report")
        try Self.play(report, "--traces", "all")
        #expect(try Self.traces(in: report).count == 1)
        try Self.play(report)
        #expect(try Self.traces(in: report) == [], "a new report removes the traces of an earlier one")
        try Self.play(report, "--defect", "noIdempotencyKey")
        #expect(try Self.traces(in: report).count == 1)
        let other = scratch.folder.appendingPathComponent("other")
        try Self.play(other)
        let ending = try Command.run("compare", other.path, report.path)
        // The report has no trace of the passing run, so the run is repeated from its file and seed.
        #expect(try Self.traces(in: other) == [])
        #expect(ending.output.contains("first difference: "), "\(ending.output)")
        let results = other.appendingPathComponent("results.json")
        let json = try String(contentsOf: results, encoding: .utf8)
        try json.replacing(/"digest": "[^"]*"/, with: "\"digest\": \"0000000000000000\"")
            .write(to: results, atomically: true, encoding: .utf8)
        let changed = try Command.run("compare", other.path, report.path)
        let reason = "the run is not the one of the report; 'squall run --traces all'"
        #expect(changed.output.contains(reason), "\(changed.output)")
    }

    @Test("squall compare refuses a path that is not a report and gives a hint", .ownThread)
    func whatIsNoReportIsRefused() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let report = scratch.folder.appendingPathComponent("report")
        try Self.play(report)
        let empty = scratch.folder.appendingPathComponent("empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let text = try scratch.write("<testsuites/>", to: "junit.xml")
        let other = try scratch.write("{\"schema\": 2}", to: "other.json")
        let cases: [(path: String, status: Int32, why: String)] = [
            ("\(scratch.folder.path)/none", 64, "there is no report '"),
            (empty.path, 65, "give the folders that 'squall run --report' has written"),
            (text, 65, "is not a list of results: "),
            (other, 65, "is not a list of results of this version"),
        ]
        for (path, status, why) in cases {
            let ending = try Command.run("compare", report.path, path)
            #expect(ending.status == status && ending.errors.contains(why), "\(ending.errors)")
            #expect(ending.output.isEmpty, "\(ending.output)")
        }
        let same = try Command.run("compare", report.path, report.path, "--report", report.path)
        #expect(same.status == 64 && same.errors.contains("name another folder"), "\(same.errors)")
        let results = try String(contentsOf: report.appendingPathComponent("results.json"), encoding: .utf8)
        let part = results.replacingOccurrences(
            of: "\"defects\": []",
            with: "\"defects\": [], \"shard\": { \"index\": 1, \"count\": 2 }"
        )
        let shard = try Command.run("compare", report.path, try scratch.write(part, to: "results.json"))
        #expect(shard.status == 65 && shard.errors.contains("part 1 of 2"), "\(shard.errors)")
    }
}
