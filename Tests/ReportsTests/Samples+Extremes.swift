import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

extension Samples {
    /// A string that, if parsed as markup, would run a script, load a resource or close its enclosing element.
    static let hostile = #"</script><!--<img src="http://squall.invalid/x" onerror="window.owned=1">'\#u{2028}&lt;"#

    /// A suite in which every string from outside Squall is hostile.
    static var hostileSuite: SuiteResult {
        let bad = JSON.string(hostile)
        var trace = TraceSketch()
        trace.connect()
        trace.happened("client.attempt.began", hostile, .object([JSONMember(hostile, bad)]))
        let began = trace.happened("fault.began", hostile, ["fault": bad], of: ClientID(hostile))
        let odd: JSON = ["__proto__": bad, "constructor": [bad, nil, 9_007_199_254_740_993]]
        trace.happened(hostile, hostile, odd, by: .injected)
        trace.shows("connection.state", nil, bad)
        trace.shows("message.status", hostile, bad, of: ClientID(hostile))
        trace.shows("banner.kind", nil, .object([JSONMember(hostile, [bad])]))
        trace.changes("conversation.messages", hostile, .inserted(at: 0, bad))
        trace.changes("conversation.messages", hostile, .replaced(at: 0, bad))
        trace.up("send", hostile, ["conversation": bad])
        trace.wait(5_000)
        trace.up("send", hostile, lost: true)
        trace.happened("fault.ended", hostile, ["fault": bad], of: ClientID(hostile))
        var recording = trace.recording(file: "Scenarios/\(hostile)/x.yaml", defects: [hostile])
        recording.header.profile = hostile
        recording.header.variant = hostile
        recording.header.tool = hostile
        let why = "\(hostile) was null; expected \(hostile)"
        let parts = [
            part(2, hostile, .fail, why, covers: [hostile], evidence: [began], due: recording.end),
            part(3, "eventually", .inconclusive, hostile),
        ]
        var run = result(recording, parts, .fail, name: hostile)
        run.client = hostile
        run.digest = hostile
        run.expectations[1].location.file = hostile
        return SuiteResult(cases: [CaseReport(runs: [run, run], parity: .differs(hostile))], wall: .milliseconds(1))
    }

    static var hostileSources: [String: String] {
        let run = hostileSuite.runs[0]
        return [
            run.file: "squall: 1 # \(hostile)\n\(hostile): \(hostile)\n\"\(hostile)\": x\n", "never asked for": hostile,
        ]
    }

    /// Returns a long run in which messages are sent and confirmed.
    static func long(messages: Int, verdict: CaseVerdict = .pass) -> CaseResult {
        var trace = TraceSketch()
        trace.connect()
        for number in 0..<messages {
            trace.send("c3f1b6a2-7d70-4f0e-9a55-\(1_000_000 + number)", Int64(42 + number))
            trace.wait(230)
        }
        let fault = trace.happened("fault.began", "late", ["fault": "stall"], of: nil)
        trace.wait(12_000)
        trace.happened("fault.ended", "late", ["fault": "stall"], of: nil)
        let judged =
            verdict == .fail ? part(19, "never", .fail, "it came to be", evidence: [fault]) : part(19, "never", verdict)
        return result(trace.recording(file: "Scenarios/many/crowd.yaml"), [judged], verdict, name: "Many messages")
    }
}
