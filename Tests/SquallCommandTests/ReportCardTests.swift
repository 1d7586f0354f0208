import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests the script that grades real client libraries, using one library and one of the graded behaviours.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: PythonClient.shared != nil, "this needs python3 with venv, and PyPI")
)
struct ReportCardTests {
    @Test("The report card shows a verdict for each case with a link to its run")
    func oneDuty() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("card").path
        let ending = Tool.run(
            [
                "sh", "-c", "cd \"$1\" && shift && exec python3 Examples/clients/report_card.py \"$@\"", "sh",
                Command.package.path, Command.binary.path, "--only", "python_websockets", "--duty",
                "returns-after-a-restart", "--out", folder,
            ],
            joiningErrors: true,
            within: 300
        )
        #expect(ending.output.contains("3 pass"), "\(ending.output)")
        let page = try String(contentsOfFile: "\(folder)/index.html", encoding: .utf8)
        for number in 0..<3 {
            #expect(page.contains("<td class=pass><a href=\"python_websockets/index.html#/run/\(number)\""))
        }
        for name in ["close 1001", "close 1012", "restart"] {
            #expect(page.contains("<th scope=row class=case>\(name)</th>"))
        }
        #expect(FileManager.default.fileExists(atPath: "\(folder)/python_websockets/index.html"))
    }

    @Test("A report-card row for one protocol or transport is empty or left out for libraries without it")
    func dutiesOfOneProtocol() {
        let program = """
            import report_card as card
            library = {"name": "a", "driver": "mqtt_paho", "source": "", "returns": "library", "promises": {}}
            other = library | {"left_out": {"shared/case": "the client polls"}}
            run = {"name": "A duty", "verdict": "fail", "link": "x"}
            run["expectations"] = [{"verdict": "fail", "why": "late"}]
            own, shared = ("own", ""), ("shared", "case")
            cards = [
                {own: card.summary(library, own, [run]), shared: card.summary(library, shared, [run])},
                {shared: card.summary(other, shared, [run])},
            ]
            print([found["verdict"] for one in cards for found in one.values()], cards[1][shared]["why"])
            print(card.page([library, other], cards, {}).count("<td></td>"))
            """
        let ending = Tool.run(
            [
                "sh", "-c", "cd \"$1/Examples/clients\" && exec python3 -B -c \"$2\"", "sh", Command.package.path,
                program,
            ],
            joiningErrors: true,
            within: 60
        )
        #expect(ending.output == "['none', 'none', 'skipped'] the client polls\n2\n")
    }

    @Test(
        "A strict report card accepts only rows that pass or do not apply",
        arguments: [
            ("pass", 0), ("skipped", 0), ("fail", 1), ("unstable", 1), ("inconclusive", 1), ("none", 1),
        ]
    )
    func strictness(_ verdict: String, _ count: Int) {
        let program = """
            import report_card
            print(len(report_card.refused([{("duty", ""): {"verdict": "pass"}}, {("duty", ""): {"verdict": "\(verdict)"}}])))
            """
        let ending = Tool.run(
            [
                "sh", "-c", "cd \"$1/Examples/clients\" && exec python3 -B -c \"$2\"", "sh", Command.package.path,
                program,
            ],
            joiningErrors: true,
            within: 60
        )
        #expect(ending.output == "\(count)\n")
    }

    @Test("The reconnection figure measures each client's first return from the loss of the connections")
    func herd() {
        let program = """
            import report_card as card
            connected = lambda client, time: {"name": "server.sent.connected", "client": client, "time": time * 10**9}
            events = [connected("a", 1), {"end": True}, {"name": "fault.began", "time": 5 * 10**9}]
            events += [connected("a", 6), connected("a", 7), connected("b", 6.5), connected("c", 9)]
            print(card.returns(events), card.spread(card.returns(events)))
            print(card.spread([]), card.returns(events[:2]))
            """
        let ending = Tool.run(
            [
                "sh", "-c", "cd \"$1/Examples/clients\" && exec python3 -B -c \"$2\"", "sh", Command.package.path,
                program,
            ],
            joiningErrors: true,
            within: 60
        )
        #expect(
            ending.output == """
                [1.0, 1.5, 4.0] 1.0 to 4.0 s, 47 did not return; 2 in one second
                not measured []

                """
        )
    }
}
