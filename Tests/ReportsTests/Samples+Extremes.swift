import Foundations
import ScenarioModel
import TemporalLogic
import Trace

extension Samples {
    /// What would run, load or break out, if a page took it for more than text.
    static let hostile = "</script><!--<img src=\"http://squall.invalid/x\" onerror=\"document.title='owned'\">'\u{2028}&lt;"

    /// A run in which every text that comes from elsewhere is hostile.
    static var hostileSuite: SuiteResult {
        let bad = JSON.string(hostile)
        var trace = TraceSketch()
        trace.connect()
        trace.happened("client.attempt.began", hostile, .object([JSONMember(hostile, bad)]))
        let began = trace.happened("fault.began", hostile, ["fault": bad], of: ClientID(hostile))
        trace.happened(hostile, hostile, ["__proto__": bad, "constructor": [bad, nil, 1.5]], by: .injected)
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
        var parts = [part(2, hostile, .fail, [hostile], [began], recording.end, "\(hostile) was null; expected \(hostile)")]
        parts.append(part(3, "eventually", .inconclusive, [], [], nil, hostile))
        var run = result(recording, parts, .fail, name: hostile)
        run.client = hostile
        run.digest = hostile
        run.expectations[1].location.file = hostile
        return SuiteResult(cases: [CaseReport(runs: [run, run], parity: .differs(hostile))], wall: .milliseconds(1))
    }

    static var hostileSources: [String: String] {
        let run = hostileSuite.runs[0]
        return [run.file: "squall: 1 # \(hostile)\n\(hostile): \(hostile)\n\"\(hostile)\": x\n", "never asked for": hostile]
    }

    /// A long run of sends and confirmations.
    static func long(messages: Int, verdict: CaseVerdict = .pass, file: String = "Scenarios/many/crowd.yaml") -> CaseResult {
        var trace = TraceSketch()
        trace.connect()
        for number in 0..<messages {
            trace.send("c3f1b6a2-7d70-4f0e-9a55-\(1_000_000 + number)", Int64(42 + number))
            trace.wait(230)
        }
        let fault = trace.happened("fault.began", "late", ["fault": "stall"], of: nil)
        trace.wait(12_000)
        trace.happened("fault.ended", "late", ["fault": "stall"], of: nil)
        let parts = [
            part(19, "never", verdict, [], verdict == .fail ? [fault] : [], nil, verdict == .fail ? "it came to be" : nil)
        ]
        return result(trace.recording(file: file), parts, verdict, name: "Many messages")
    }
}
