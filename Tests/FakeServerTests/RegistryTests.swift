import ChatWire
import FakeServer
import SquallCore
import Testing

/// Tests the registry's entries. Each ``Stage`` also checks that every emitted event is in the registry.
@Suite struct RegistryTests {
    @Test("Every registry entry of the server has a distinct name that begins with server.")
    func namesAreUniqueAndTheServers() {
        let names = ChatServer.registry.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("server.") })
    }

    @Test("Every server event is declared as observed on the wire and compared in log order")
    func everyEventIsSeenOnTheWireAndComparedAsALog() {
        // `server.action.hit` is the exception: it reports that a scripted action took effect, which is not visible on
        // the wire.
        for entry in ChatServer.registry where entry.name != "server.action.hit" {
            #expect(entry.kind == .event && entry.provenance == .observed && entry.level == .wire)
            #expect(entry.parity == .log)
            #expect(entry.meaning.hasSuffix("."))
        }
    }

    @Test(
        "The registry contains the server events that scenarios use",
        arguments: [
            "server.started", "server.stopped", "server.accepted", "server.closed", "server.session_forgotten",
            "server.received.send", "server.received.message_ack", "server.sent.hello", "server.sent.auth_error",
            "server.stored", "server.dropped_duplicate", "server.requested.messages", "server.requested.mark_read",
            "server.answered.health", "server.rejected.send", "server.protocol_error", "server.swallowed.confirm",
            "server.received.extra",
        ]
    )
    func vocabulary(_ name: String) {
        #expect(ChatServer.registry.contains { $0.name == name })
    }

    @Test("The field retry_after is declared as a measured duration") func timeToRetryIsMeasured() throws {
        let entry = try #require(ChatServer.registry.first { $0.name == "server.sent.error" })
        #expect(entry.value == .fields(["code", .duration("retry_after")], measured: ["retry_after"]))
    }
}
