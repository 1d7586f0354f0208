import Foundation
import TestSupport
import Testing

/// Tests `squall record` between a client and a server whose protocol is not defined by any profile.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct RecordUnknownTests {
    /// Returns a client that asks for news, acknowledges what it receives, and reconnects after the server closes the
    /// connection.
    private static func client(of port: Substring) -> String {
        """
        squall: 1
        name: The client
        profile: unknown
        server: { upstream: "ws://127.0.0.1:\(port)" }
        within: 30s
        script:
          - wait: client.received.text
          - user: { say: '{"do":"ask","id":41,"token":"abcdef-1"}' }
          - wait: client.received.text#3
          - user: { say: thanks }
          - wait: client.connected#2
          # The client stays until the server is gone.
          - wait: { next: client.disconnected, within: 60s }
        """
    }

    private static func port(in line: String?) throws -> Substring {
        let line = try #require(line)
        return try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
    }

    @Test("A recorded scenario replays the server's messages to the same client and detects a lost message")
    func roundTrip() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let server = try Serving(["--format", "json", "--profile", "unknown"])
        let port = try Self.port(in: server.line(with: "ws_urls"))
        server.type("{ server: { rule: { on: opening, reply: { hello: 3 } } }, as: opening }")
        server.type("{ server: { rule: { match: { do: ask, id: '{id}' }, reply: { got: '{id}' } } }, as: ask }")
        let file = scratch.folder.appendingPathComponent("monday.yaml").path
        let recording = try Serving([file, "--upstream", "ws://127.0.0.1:\(port)", "--verbose"], of: "record")
        let entrance = try Self.port(in: recording.line(with: "ws://127.0.0.1:"))
        try scratch.write(Self.client(of: entrance), to: "client.yaml")
        let client = try Command(["run", "client.yaml", "--world", "live"], in: scratch.folder)
        let asked = try #require(recording.line(with: "server.received.text"))
        #expect(!asked.contains("abcdef-1"), "a secret is not printed")
        #expect(recording.line(with: "client.received.text") != nil)
        server.type("server: { say: { json: { news: rain } } }")
        #expect(recording.line(with: "server.received.text") != nil)
        server.type("server: { close: 4001 }")
        #expect(recording.line(with: "client.received.text") != nil)
        recording.type("quit")
        _ = recording.ending()
        _ = try client.ending()
        server.type("quit")
        _ = server.ending()

        let text = try String(contentsOf: scratch.folder.appendingPathComponent("monday.yaml"), encoding: .utf8)
        for part in [
            #"rule: { on: opening, reply: {"hello":3} }"#, #"match: {"do":"ask","id":"{id}"}"#, #"{"got":"{id}"}"#,
            #"rule: { match: "thanks" }"#, #"say: { json: {"news":"rain"} }"#, "server: { close: 4001 }",
            "secret:token-1",
            "profile: unknown",
        ] {
            #expect(text.contains(part), "\(part)\n\(text)")
        }
        #expect(!text.contains("The replay is not the same") && !text.contains("abcdef-1"), "\(text)")
        let check = try Command.run("check", "--prove", file)
        #expect(check.status == 0, "\(check.output)\n\(text)")
        let run = try Command.run("run", file)
        #expect(run.status == 0, "\(run.output)\n\(text)")

        // When the recording is replayed, the client receives the same messages again.
        let replay = try Serving([file, "--client", "external", "--listen", "127.0.0.1:\(entrance)"], of: "run")
        #expect(replay.complaint(upTo: "start client now") != nil)
        let again = try Command(["run", "client.yaml", "--world", "live"], in: scratch.folder)
        let replayed = replay.ending()
        #expect(replayed.status == 0, "\(replayed.errors)\n\(text)")
        _ = try again.ending()

        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try scratch.write(lines.filter { !$0.contains(#"{"news":"rain"}"#) }.joined(separator: "\n"), to: "lost.yaml")
        let lost = try Command.run("run", "lost.yaml", "--world", "sim", in: scratch.folder)
        #expect(lost.status == 1, "\(lost.output)")
    }

    @Test("A client that closes its connection and connects again does so in the file, with all messages")
    func departure() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let server = try Serving(["--format", "json", "--profile", "unknown"])
        let port = try Self.port(in: server.line(with: "ws_urls"))
        server.type("{ server: { rule: { match: { do: ask, id: '{id}' }, reply: { got: '{id}' } } }, as: ask }")
        let file = scratch.folder.appendingPathComponent("wednesday.yaml").path
        let recording = try Serving([file, "--upstream", "ws://127.0.0.1:\(port)", "--verbose"], of: "record")
        let entrance = try Self.port(in: recording.line(with: "ws://127.0.0.1:"))
        try scratch.write(
            """
            squall: 1
            name: The client
            profile: unknown
            server: { upstream: "ws://127.0.0.1:\(entrance)" }
            within: 30s
            script:
              - wait: client.connected
              - user: { say: '{"do":"ask","id":41}' }
              - wait: client.received.text
              - user: disconnect
              - wait: client.disconnected
              - wait: 1s
              - user: reconnect
              - wait: client.connected#2
              - user: { say: '{"do":"ask","id":42}' }
              - wait: client.received.text#2
            """,
            to: "client.yaml"
        )
        let client = try Command(["run", "client.yaml", "--world", "live"], in: scratch.folder)
        _ = try client.ending()
        recording.type("quit")
        _ = recording.ending()
        server.type("quit")
        _ = server.ending()

        let text = try String(contentsOf: scratch.folder.appendingPathComponent("wednesday.yaml"), encoding: .utf8)
        #expect(text.contains("- user: disconnect\n") && text.contains("- user: reconnect\n"), "\(text)")
        #expect(text.contains("count: { of: client.received.text, exactly: 2 }"), "\(text)")
        #expect(!text.contains("The replay is not the same"), "\(text)")
        let run = try Command.run("run", file)
        #expect(run.status == 0, "\(run.output)\n\(text)")
    }

    @Test("Recording writes steps for streams, announced shutdowns and messages outside the profile's frames")
    func besideTheProfile() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let server = try Serving(["--format", "json"])
        let port = try Self.port(in: server.line(with: "ws_urls"))
        let file = scratch.folder.appendingPathComponent("tuesday.yaml").path
        let recording = try Serving([file, "--upstream", "ws://127.0.0.1:\(port)", "--verbose"], of: "record")
        let entrance = try Self.port(in: recording.line(with: "ws://127.0.0.1:"))
        try scratch.write(
            """
            squall: 1
            name: The client
            server: { upstream: "ws://127.0.0.1:\(entrance)" }
            within: 30s
            script:
              - user: { open: stukov }
              - wait: client.connected#2
              - wait: { next: client.disconnected, within: 60s }
            """,
            to: "client.yaml"
        )
        let client = try Command(["run", "client.yaml", "--world", "live"], in: scratch.folder)
        #expect(recording.line(with: "client.connected") != nil)
        server.type("server: { stream: { conversation: stukov, text: all is well, pieces: 3, every: 200ms } }")
        #expect(recording.line(with: "client.received.message") != nil)
        server.type("server: { say: { json: { type: surprise } } }")
        #expect(recording.line(with: "client.received.text") != nil)
        server.type("server: { drain: { retry_after: 1s, notice: 300ms, down: 500ms } }")
        #expect(recording.line(with: "client.connected") != nil)
        recording.type("quit")
        _ = recording.ending()
        _ = try client.ending()
        server.type("quit")
        _ = server.ending()

        let text = try String(contentsOf: scratch.folder.appendingPathComponent("tuesday.yaml"), encoding: .utf8)
        #expect(text.contains("token1 token2 token3, pieces: 3, every: ") && text.contains("as: streamed-1"), "\(text)")
        #expect(!text.contains("The replay is not the same"), "\(text)")
        #expect(text.contains(#"say: { json: {"type":"surprise"} }"#), "\(text)")
        #expect(text.contains("drain: { retry_after: 1s"), "\(text)")
        #expect(!text.contains("profile: unknown") && !text.contains("server: { post"), "\(text)")
        let check = try Command.run("check", "--prove", file)
        #expect(check.status == 0, "\(check.output)\n\(text)")
        let run = try Command.run("run", file)
        #expect(run.status == 0, "\(run.output)\n\(text)")
    }
}
