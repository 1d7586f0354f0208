import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests features that a CI gate relies on: summaries, output files, merged reports, budgets, and slow-starting
/// clients.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct GateTests {
    private static let table = """
        squall: 1
        name: A message arrives
        with: [{ spare: a, name: first }, { spare: b, name: second }]
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: "${spare}" }
        expect:
          - eventually: { connection.state: connected, within: 1s }

        """

    private func text(_ name: String, in scratch: Scratch) throws -> String {
        try String(contentsOf: scratch.folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("The commands 'run' and 'merge' write GitHub's job summary for every format and for invalid files")
    func jobSummary() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.table, to: "table.yaml")
        try scratch.write(Self.table.replacing("user: { open", with: "user: { opn"), to: "wrong.yaml")
        func squall(_ arguments: [String], summary: String) throws -> Command.Ending {
            let file = scratch.folder.appendingPathComponent(summary).path
            return try Command(arguments, in: scratch.folder, environment: ["GITHUB_STEP_SUMMARY": file]).ending()
        }
        for part in [1, 2] {
            let shard = ["run", "table.yaml", "--world", "sim", "--shard", "\(part)/2", "--report", "part-\(part)"]
            let ending = try squall(shard, summary: "run.md")
            #expect(ending.status == 0, "\(ending.errors)")
        }
        #expect(try text("run.md", in: scratch).matches(of: /### Squall: PASS  1 run/).count == 2)
        let merged = try squall(["merge", "part-1", "part-2", "--output", "report"], summary: "merge.md")
        #expect(merged.status == 0 && merged.output.hasSuffix("report: report/index.html\n"), "\(merged.output)")
        #expect(try text("merge.md", in: scratch).contains("### Squall: PASS  2 runs (2 cases)"))
        // The merged report contains the traces of passed runs too, so that its page can draw them.
        let traces = FileManager.default.enumerator(atPath: scratch.folder.appendingPathComponent("report").path)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix("trace.jsonl") }
        #expect(traces?.count == 2)
        #expect(try text("report/results.json", in: scratch).contains("squall merge part-1 part-2"))
        #expect(try squall(["run", "wrong.yaml"], summary: "wrong.md").status == 65)
        #expect(try text("wrong.md", in: scratch).contains("unknown user action 'opn'"))
    }

    @Test("The path of the HTML report is printed only if the report was written")
    func thePathOfThePage() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.table, to: "table.yaml")
        let arguments = ["run", "table.yaml", "--world", "sim", "--report", "report"]
        let written = try Command(arguments, in: scratch.folder).ending()
        #expect(written.status == 0 && written.output.hasSuffix("\nreport: report/index.html\n"), "\(written.output)")
        let page = scratch.folder.appendingPathComponent("report/index.html")
        try FileManager.default.removeItem(at: page)
        try FileManager.default.createDirectory(
            at: page.appendingPathComponent("in the way"),
            withIntermediateDirectories: true
        )
        let refused = try Command(arguments, in: scratch.folder).ending()
        #expect(refused.status == 70 && !refused.output.contains("report: "), "\(refused.output)")
        #expect(refused.errors.contains("'report/index.html' cannot be written"), "\(refused.errors)")
    }

    /// Returns a client that answers every request. If `condition` holds when the client is started, the client exits
    /// with an error.
    private static func client(failing condition: String = "false") -> String {
        """
        if \(condition); then echo one >&2; echo two >&2; exit 3; fi
        while read -r line; do
        id=$(echo "$line" | sed 's/{"id":\\([0-9]*\\).*/\\1/')
        case "$line" in
        *'"type":"init"'*) echo "{\\"in_reply_to\\":$id,\\"type\\":\\"init_ok\\",\\"name\\":\\"sh\\"}" ;;
        *) echo "{\\"in_reply_to\\":$id,\\"type\\":\\"ok\\"}" ;;
        esac
        done
        """
    }

    private static func pause(_ span: String) -> String {
        """
        squall: 1
        name: Nothing for \(span)
        script:
          - wait: \(span)
        expect:
          - never: server.protocol_error

        """
    }

    @Test("--retries restarts a client that fails before the first run and keeps the errors of each start apart")
    func aClientThatFailsAtItsStart() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.pause("100ms"), to: "pause.yaml")
        let first = "[ ! -e started ] && touch started"
        let arguments = ["run", "pause.yaml", "--client", Self.client(failing: first)]
        let retried = try Command(arguments + ["--retries", "1"], in: scratch.folder).ending()
        #expect(retried.status == 0, "\(retried.output)\(retried.errors)")
        #expect(retried.errors.contains("squall: started again, as the client failed before the first run"))
        #expect(retried.errors.contains("last lines of standard error:\n  | one\n  | two\n"), "\(retried.errors)")
        try FileManager.default.removeItem(at: scratch.folder.appendingPathComponent("started"))
        #expect(try Command(arguments, in: scratch.folder).ending().status == 64)
    }

    @Test("A budget leaves out a case whose estimated wall time exceeds it, even if the case was never played")
    func aBudgetAtWallTime() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write(Self.pause("10m"), to: "long.yaml")
        try scratch.write(Self.pause("100ms"), to: "short.yaml")
        let arguments = ["run", "long.yaml", "short.yaml", "--client", Self.client(), "--budget", "60s"]
        let ending = try Command(arguments, in: scratch.folder).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix("PASS  1 run (1 case) in live, 1 case left out\n"), "\(ending.output)")
        #expect(ending.output.contains("the budget is spent: 1 run was not played (Nothing for 10m)"))
    }
}
