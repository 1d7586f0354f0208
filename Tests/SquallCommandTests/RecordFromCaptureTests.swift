import Foundation
import TestSupport
import Testing

/// Tests `squall record --from`, which converts a Wireshark or tcpdump capture into a scenario.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct RecordFromCaptureTests {
    /// Runs a scenario in virtual time and writes its packets to `capture.pcapng` in the folder.
    private static func capture(_ scenario: String, in scratch: Scratch) throws {
        let file = Command.package.appendingPathComponent(scenario).path
        let run = try Command.run("run", file, "--world", "sim", "--report", "report", "--pcap", in: scratch.folder)
        try #require(run.status == 0, "\(run.output)\(run.errors)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.folder.path)
        let packets = try #require(files.first { $0.hasSuffix("capture.pcapng") })
        try FileManager.default.copyItem(
            at: scratch.folder.appendingPathComponent(packets),
            to: scratch.folder.appendingPathComponent("capture.pcapng")
        )
    }

    @Test(
        "The scenario recorded from a capture reproduces the run and passes, and its expectations can fail",
        arguments: [
            (
                "Scenarios/sending/queued-offline.yaml", "polish",
                "Recorded: disconnect, reconnect, send, send and send"
            ),
            (
                "Scenarios/server/restart-while-messages-arrive.yaml", "default",
                "Recorded: restart, post, post and post"
            ),
        ]
    )
    func recorded(scenario: String, profile: String, name: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try Self.capture(scenario, in: scratch)
        let arguments = ["record", "again.yaml", "--from", "capture.pcapng", "--profile", profile]
        let recorded = try Command(arguments, in: scratch.folder).ending()
        try #require(recorded.status == 0, "\(recorded.errors)")
        let text = try String(contentsOf: scratch.folder.appendingPathComponent("again.yaml"), encoding: .utf8)
        #expect(text.contains("name: \"\(name)\"\n"), "\(text)")
        #expect(text.contains("expect:\n"), "\(text)")
        let check = try Command.run("check", "--prove", "again.yaml", in: scratch.folder)
        #expect(check.status == 0, "\(check.output)\n\(text)")
        let again = try Command.run("run", "again.yaml", in: scratch.folder)
        #expect(again.status == 0, "\(again.output)\n\(text)")
    }

    @Test("A truncated capture is read up to its last complete packet")
    func cut() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try Self.capture("Scenarios/server/restart-while-messages-arrive.yaml", in: scratch)
        let whole = try Data(contentsOf: scratch.folder.appendingPathComponent("capture.pcapng"))
        try whole.dropLast(10).write(to: scratch.folder.appendingPathComponent("cut.pcapng"))
        let recorded = try Command.run("record", "again.yaml", "--from", "cut.pcapng", in: scratch.folder)
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(recorded.errors.contains("the capture is read up to where it is cut"), "\(recorded.errors)")
    }

    @Test("squall record refuses a file that is not a capture and gives the reason")
    func refused() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("no capture", to: "text.pcap")
        try Self.capture("Scenarios/sending/queued-offline.yaml", in: scratch)
        for (arguments, why) in [
            (["--from", "missing.pcap"], "No such file"), (["--from", "text.pcap"], "cannot be read as a capture"),
            (["--from", "capture.pcapng", "--server-port", "1"], "has no TCP connection to port 1"),
            ([], "missing source"), (["--from", "a", "--upstream", "ws://b"], "give one of them"),
            (["--upstream", "ws://b", "--server-port", "1"], "--server-port needs --from"),
        ] {
            let refused = try Command(["record", "again.yaml"] + arguments, in: scratch.folder).ending()
            #expect(refused.status == 64, "\(arguments)")
            #expect(refused.errors.contains(why), "\(refused.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.folder.appendingPathComponent("again.yaml").path))
    }
}
