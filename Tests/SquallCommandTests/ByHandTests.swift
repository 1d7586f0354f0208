import Foundation
import TestSupport
import Testing

/// Tests a run in which a person performs the user's steps. A second Squall process plays both the app and the person.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ByHandTests {
    /// The scenario under test. It posts a message so that the app knows when the person has been asked to send.
    private static let asked = """
        squall: 1
        name: A message that a person sends is stored once
        script:
          - wait: client.connected
          - server: { post: stukov }
          - user: { send: hello, to: stukov }
            as: hello
          - wait: "client.received.confirm[hello]"
          - network: drop
          - wait: client.connected#2
          - user: disconnect
        expect:
          - count: { of: "server.stored[hello]", exactly: 1 }
          - eventually: { "client.received.confirm[hello]", after: "server.stored[hello]", within: 5s }
        """

    private static func app(_ address: Substring) -> String {
        """
        squall: 1
        name: The app
        server: { upstream: "\(address)" }
        script:
          - wait: { next: client.received.message, within: 60s }
          - user: { send: hello, to: stukov }
          - wait: { next: client.connected, within: 60s }
          - user: disconnect
        """
    }

    @Test("A run with --by-hand asks for the user's steps, waits for them, and knows the message that was sent")
    func aPersonPerformsTheSteps() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let asked = try scratch.write(Self.asked, to: "asked.yaml")
        let run = try Serving([asked, "--client", "external", "--by-hand"], of: "run")
        let start = try #require(run.complaint(upTo: "(waiting for"))
        let address = try #require(start.firstMatch(of: /ws:\/\/127\.[\d.]+:\d+/)).0
        let app = try Command(["run", scratch.write(Self.app(address), to: "app.yaml"), "--world", "live"])
        #expect(run.complaint(upTo: #"client: send "hello" to stukov"#) != nil)
        #expect(run.complaint(upTo: "client: disconnect the app from the server") != nil)
        let ending = run.ending()
        _ = try app.ending()
        #expect(ending.status == 0, "\(ending.errors)")
    }

    @Test("--by-hand is refused for a client that Squall starts")
    func otherClients() throws {
        for client in [["--client", "true"], []] {
            let ending = try Command(["run", "Scenarios/sending"] + client + ["--by-hand"]).ending()
            #expect(ending.status == 64)
            #expect(ending.errors.contains("--client external --by-hand"), "\(ending.errors)")
        }
    }
}
