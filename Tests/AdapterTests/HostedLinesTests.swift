import Adapter
import SquallCore
import Testing

/// Tests that a client hosted in the test's process exchanges the same protocol lines as one in a separate process.
struct HostedLinesTests {
    @Test(
        "A message survives encoding as one line and decoding",
        arguments: [
            .ready(
                to: 1,
                AdapterCapabilities(
                    name: "acme",
                    version: "4.2",
                    shows: ["connection.state"],
                    takes: ["open", "send"],
                    states: [
                        AdapterCapabilities.State("OPEN", "connected"),
                        AdapterCapabilities.State("CLOSED", "reconnecting"),
                    ],
                    supportsTLS: true
                )
            ),
            .ready(to: 2, AdapterCapabilities(name: "bare")),
            .done(to: 3, .init()),
            .done(to: 4, .init(clientMessageID: "c-\"1\"")),
            .refused(to: 5, AdapterRefusal(code: "offline", isDefinite: false, text: "no network\nat all")),
            .event(.state("OPEN")),
            .event(.message(conversation: "stukov", key: "m-1", at: nil)),
            .event(.message(conversation: "stukov", key: "m-1", at: 0)),
            .event(.status(key: "c-1", "delivered")),
            .event(.show(name: "toast.text", key: nil, .null)),
            .event(.show(name: "conversation.messages", key: "stukov", ["m-1"])),
            .event(.did(name: "client.backoff.began", key: nil, ["attempt": 1])),
            .event(.did(name: "client.accepted", key: "hello", .object([]))),
            .event(.log("cache warmed")),
        ] as [AdapterMessage]
    )
    func aMessageIsReadAsItWasWritten(_ message: AdapterMessage) throws {
        let line = message.line
        #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
        #expect(try AdapterMessage(line: line.dropLast()[...]) == message)
    }

    @Test("A command survives encoding and decoding") func aCommandIsReadAsItWasWritten() throws {
        let command = AdapterCommand("send", [JSONMember("conversation", .null), JSONMember("text", "hi")])
        let read = try #require(AdapterCommand.read(line: command.line(id: 7)))
        #expect(read.id == 7 && read.command == command)
        #expect(read.command.text("conversation") == nil && read.command.text("text") == "hi")
    }

    @Test(
        "Decoding a line that is not a command returns nil",
        arguments: ["", "[]", "{}", #"{"id":1}"#, #"{"type":"open"}"#, "nonsense"]
    )
    func notACommand(_ line: String) {
        #expect(AdapterCommand.read(line: Array(line.utf8)) == nil)
    }
}
