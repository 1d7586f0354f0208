import Foundation
import TestSupport
import Testing

/// Tests the commands that convert recordings into scenario files: `squall trace record`, and `squall serve` with
/// `record` and `--record`.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct RecordingTests {
    private static func text(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("A scenario recorded from a trace passes in both worlds, and its expectations can fail")
    func savedTrace() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let source = Command.package.appendingPathComponent("Scenarios/sending/dropped-between-send-and-confirm.yaml")
        let command = ["run", source.path, "--world", "sim", "--report", "report", "--traces", "all"]
        let run = try Command(command, in: scratch.folder).ending()
        #expect(run.status == 0, "\(run.errors)")
        let reports = try FileManager.default.subpathsOfDirectory(atPath: scratch.folder.path)
        let trace = try #require(reports.first { $0.hasSuffix("trace.jsonl") })
        let recorded = try Command.run("trace", "record", trace, "again.yaml", in: scratch.folder)
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(recorded.output.contains("play it with: squall run again.yaml"), "\(recorded.output)")
        let text = try Self.text("again.yaml", in: scratch.folder)
        #expect(text.contains("network: drop") && text.contains("- wait: "), "\(text)")
        let check = try Command.run("check", "--prove", "again.yaml", in: scratch.folder)
        #expect(check.status == 0, "\(check.output)\n\(text)")
        let again = try Command.run("run", "again.yaml", in: scratch.folder)
        #expect(again.status == 0, "\(again.output)\n\(text)")

        let twice = try Command.run("trace", "record", trace, "again.yaml", in: scratch.folder)
        #expect(twice.status == 64)
        #expect(twice.errors.contains("'again.yaml' exists and is not overwritten"), "\(twice.errors)")
        let misnamed = try Command.run("trace", "record", trace, "again.txt", in: scratch.folder)
        #expect(misnamed.status == 64)
        #expect(misnamed.errors.contains("ends in .yaml"), "\(misnamed.errors)")
        let missing = try Command.run("trace", "record", trace, "no/such/again.yaml", in: scratch.folder)
        #expect(missing.status == 70, "\(missing.errors)")
    }

    @Test("squall serve --record writes the performed steps on quit and on an interrupt", arguments: ["quit", ""])
    func served(ending: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = scratch.folder.appendingPathComponent("by-hand.yaml").path
        let serving = try Serving(["--format", "json", "--record", file])
        #expect(serving.line(with: "ws_urls") != nil)
        serving.type("{ network: { stall: { for: 100ms } }, as: tunnel }")
        #expect(serving.line(with: "fault.ended") != nil)
        serving.type("server: { post: stukov }")
        #expect(serving.line(with: "server.stored") != nil)
        if ending.isEmpty {
            #expect(serving.end(SIGINT) == 130)
        } else {
            serving.type(ending)
            #expect(serving.ending().status == 0)
        }
        let text = try Self.text("by-hand.yaml", in: scratch.folder)
        #expect(text.contains("  - network: { stall: 100ms }\n    as: tunnel"), "\(text)")
        #expect(text.contains(#"  - wait: "fault.ended[tunnel]""#), "\(text)")
        #expect(text.contains("  - server: { post: stukov }\n    as: posted-1"), "\(text)")
        let run = try Command.run("run", file)
        #expect(run.status == 0, "\(run.output)\n\(text)")
    }

    @Test("squall serve --record reports if there was nothing to record")
    func nothingDone() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = scratch.folder.appendingPathComponent("by-hand.yaml").path
        let serving = try Serving(["--format", "json", "--record", file])
        #expect(serving.line(with: "ws_urls") != nil)
        serving.type("record \(file)")
        #expect(serving.complaint(upTo: "there is nothing to record yet") != nil)
        serving.type("quit")
        #expect(serving.ending().status == 64)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("A recording whose file another session has written meanwhile gets a name of its own")
    func takenMeanwhile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = scratch.folder.appendingPathComponent("by-hand.yaml").path
        let serving = try Serving(["--format", "json", "--record", file])
        #expect(serving.line(with: "ws_urls") != nil)
        serving.type("server: { post: stukov }")
        #expect(serving.line(with: "server.stored") != nil)
        try scratch.write("kept", to: "by-hand.yaml")
        serving.type("quit")
        let ending = serving.ending()
        #expect(ending.errors.contains("by-hand.yaml' exists by now"), "\(ending.errors)")
        #expect(try Self.text("by-hand.yaml", in: scratch.folder) == "kept")
        #expect(try Self.text("by-hand-2.yaml", in: scratch.folder).contains("post: stukov"))
    }

    @Test("squall serve --record refuses a file that already exists before it starts to listen")
    func existing() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try scratch.write("kept", to: "by-hand.yaml")
        let ending = try Command.run("serve", "--record", "by-hand.yaml", in: scratch.folder)
        #expect(ending.status == 64)
        #expect(ending.errors.contains("exists and is not overwritten"), "\(ending.errors)")
        #expect(try Self.text("by-hand.yaml", in: scratch.folder) == "kept")
    }

    @Test("The command 'new' writes a scenario from options and refuses options it cannot express")
    func newScenario() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let words = ["--network", "restart", "--when", "arriving", "--see", "message"]
        let written = try Command(["new", "first.yaml"] + words, in: scratch.folder).ending()
        #expect(written.status == 0, "\(written.errors)")
        let run = try Command.run("run", "first.yaml", in: scratch.folder)
        #expect(run.status == 0, "\(run.output)")
        for (arguments, why) in [
            (["first.yaml"] + words, "exists and is not overwritten"),
            (["other.yaml", "--network", "drop"], "answer with --network, --when and --see"),
            (["other.yaml", "--network", "dorp", "--when", "idle", "--see", "message"], "dorp"),
            (["other.yaml", "--network", "latency", "--when", "idle", "--see", "notice"], "choose one of: message"),
        ] {
            let refused = try Command(["new"] + arguments, in: scratch.folder).ending()
            #expect(refused.status == 64, "\(arguments)")
            #expect(refused.errors.contains(why), "\(refused.errors)")
        }
    }

    @Test("squall record writes a passing scenario from a session of a foreign client and a foreign server")
    func relayed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let server = try Serving(["--format", "json"])
        let place = try #require(server.line(with: "ws_urls"))
        let port = try #require(place.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
        let file = scratch.folder.appendingPathComponent("monday.yaml").path
        let recording = try Serving([file, "--upstream", "ws://127.0.0.1:\(port)", "--verbose"], of: "record")
        let front = try #require(recording.line(with: "ws://127.0.0.1:"))
        let entrance = try #require(front.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
        try scratch.write(
            """
            squall: 1
            name: The client
            server: { upstream: "ws://127.0.0.1:\(entrance)" }
            script:
              - wait: client.connected
              - user: { send: hello, to: stukov }
                as: hello
              - wait: "client.received.confirm[hello]"
              - wait: { next: client.received.message, within: 20s }
              - wait: { next: client.connected, within: 20s }
              - wait: { next: client.disconnected, within: 20s }
              - wait: { next: client.connected, within: 20s }
              # The client stays until the recording has ended.
              - wait: { next: client.disconnected, within: 60s }
            """,
            to: "client.yaml"
        )
        let client = try Command(["run", "client.yaml", "--world", "live"], in: scratch.folder)
        #expect(recording.line(with: "client.received.confirm") != nil)
        recording.type("server: { post: stukov }")
        #expect(recording.complaint(upTo: "the server is your own") != nil)
        server.type("server: { post: stukov }")
        #expect(recording.line(with: "client.received.message") != nil)
        server.type("server: { presence: { user: stukov, status: busy } }")
        #expect(recording.line(with: "client.received.presence") != nil)
        server.type("server: { type: stukov }")
        #expect(recording.line(with: "client.received.typing") != nil)
        server.type("server: { error: maintenance }")
        #expect(recording.line(with: "client.received.error") != nil)
        server.type("server: { disconnect: rst }")
        #expect(recording.line(with: "client.disconnected") != nil)
        #expect(recording.line(with: "client.connected") != nil)
        server.type("server: { crash: { down: 2s } }")
        #expect(recording.line(with: "network.upstream.failed") != nil)
        #expect(recording.line(with: "client.connected") != nil)
        recording.type("quit")
        _ = recording.ending()
        _ = try client.ending()
        let text = try Self.text("monday.yaml", in: scratch.folder)
        #expect(text.contains("- user: { send: { text: message 1, to: stukov } }"), "\(text)")
        #expect(text.contains("- server: { post: stukov }\n    as: posted-1"), "\(text)")
        #expect(text.contains("- server: { presence: { user: stukov, status: busy } }"), "\(text)")
        #expect(text.contains("- server: { type: stukov }"), "\(text)")
        #expect(text.contains("- server: { error: maintenance }"), "\(text)")
        #expect(text.contains("- server: { disconnect: rst }"), "\(text)")
        #expect(text.contains("- server: { crash: "), "\(text)")
        #expect(!text.contains("The replay is not the same"), "\(text)")
        let check = try Command.run("check", "--prove", file)
        #expect(check.status == 0, "\(check.output)\n\(text)")
        let run = try Command.run("run", file)
        #expect(run.status == 0, "\(run.output)\n\(text)")
        server.type("quit")
        _ = server.ending()
    }

    @Test("squall record refuses an invalid address and a file that already exists")
    func unrecordable() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let wrong = try Command.run("record", "a.yaml", "--upstream", "localhost", in: scratch.folder)
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("write ws://localhost:8080"), "\(wrong.errors)")
        try scratch.write("kept", to: "a.yaml")
        let existing = try Command.run("record", "a.yaml", "--upstream", "ws://localhost:1", in: scratch.folder)
        #expect(existing.status == 64)
        #expect(existing.errors.contains("is not overwritten"), "\(existing.errors)")
    }
}
