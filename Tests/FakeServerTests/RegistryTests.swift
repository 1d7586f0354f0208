import ChatWire
import FakeServer
import SquallCore
import Testing

/// That every event told is in the registry is checked wherever a ``Stage`` is used.
@Suite struct RegistryTests {
    @Test func namesAreUniqueAndTheServers() {
        let names = ChatServer.registry.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("server.") })
    }

    @Test func everyEventIsSeenOnTheWireAndComparedAsALog() {
        // What the script has done is told with it, and has its meaning in what follows.
        for entry in ChatServer.registry where entry.name != "server.action.hit" {
            #expect(entry.kind == .event && entry.provenance == .observed && entry.level == .wire)
            #expect(entry.parity == .log)
            #expect(entry.meaning.hasSuffix("."))
        }
    }

    @Test(arguments: [
        "server.started", "server.stopped", "server.accepted", "server.closed", "server.session_forgotten",
        "server.received.send", "server.received.message_ack", "server.sent.hello", "server.sent.auth_error",
        "server.stored", "server.dropped_duplicate", "server.requested.messages", "server.requested.mark_read",
        "server.answered.health", "server.rejected.send", "server.protocol_error", "server.swallowed.confirm",
    ])
    func theNamesOfTheVocabularyAreThere(_ name: String) {
        #expect(ChatServer.registry.contains { $0.name == name })
    }

    @Test func whatDependsOnWhenIsMeasured() throws {
        let entry = try #require(ChatServer.registry.first { $0.name == "server.sent.error" })
        #expect(entry.value == .fields(["code", .duration("retry_after")], measured: ["retry_after"]))
    }
}
