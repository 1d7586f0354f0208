import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import Testing
import Trace

/// Tests the registry, which lists every name in the scenario language.
@Suite struct RegistryTests {
    @Test("The names in the registry are unique")
    func namesAreUnique() {
        let names = Registry.entries.filter { $0.kind != .fault }.map(\.name)
        let twice = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
        #expect(twice.isEmpty)
        let faults = Registry.faults.map(\.name)
        #expect(Set(faults).count == faults.count)
        for actor in Actor.allCases {
            let verbs = Registry.actions(of: actor).map(\.verb)
            #expect(Set(verbs).count == verbs.count)
        }
    }

    @Test("Registry names are dotted lower-case words, and event names begin with their subject")
    func namesAreWellFormed() {
        for entry in Registry.entries {
            let parts = entry.name.split(separator: ".", omittingEmptySubsequences: false)
            let isWords = parts.allSatisfy { part in
                part.first?.isLetter == true && part.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
            }
            #expect(isWords, "\(entry.name)")
            #expect(!entry.meaning.isEmpty)
            if entry.kind == .event {
                let subjects = ["client", "server", "network", "user", "device", "fault", "run"]
                #expect(parts.count > 1 && subjects.contains(String(parts[0])), "\(entry.name)")
            }
        }
    }

    @Test("No event's name begins with the name of an observable")
    func observablesAndEventsDoNotMix() {
        for observable in Registry.observables {
            #expect(Registry.events(named: observable.name).isEmpty)
            #expect(!Registry.events.contains { $0.name.hasPrefix("\(observable.name).") })
        }
    }

    @Test("Registry entries are found by name and kind")
    func entriesAreFound() {
        #expect(Registry.entry(named: "connection.state")?.kind == .observable)
        #expect(Registry.entry(named: "client.connected")?.kind == .event)
        #expect(Registry.entry(named: "connection") == nil)
        #expect(Registry.entry(named: "blackhole") == nil)
        #expect(Registry.observable(named: "client.connected") == nil)
        #expect(Registry.words(of: "message.status") == ["queued", "sending", "delivered", "failed", "deleted"])
        #expect(Registry.words(of: "outbox.count") == nil)
        #expect(Registry.action(of: .server, "restart")?.main == "down")
        #expect(Registry.action(of: .user, "restart") == nil)
    }

    @Test("Events can be looked up by a prefix of their names")
    func eventsBelowAName() {
        let sent = Registry.events(named: "client.sent").map(\.name)
        #expect(sent.contains("client.sent.ping"))
        #expect(sent.allSatisfy { $0.hasPrefix("client.sent.") })
        #expect(Registry.events(named: "client.sen").isEmpty)
        #expect(Registry.events(named: "connection").isEmpty)
    }

    @Test("Actions of users and devices are registered as events")
    func deedsAreEvents() throws {
        let send = try #require(Registry.entry(named: "user.send"))
        #expect(send.key == "message")
        #expect(send.provenance == .injected)
        #expect(send.parity == .log)
        #expect(Registry.entry(named: "device.background") != nil)
        #expect(Registry.entry(named: "server.restart") != nil)
        #expect(Registry.entry(named: "network.drop") == nil)
    }

    @Test("Every registry entry has a rule for comparing two worlds")
    func parity() {
        #expect(Registry.parity("connection.state") == ParityRule(.exact))
        #expect(Registry.parity("connection.rtt").parity == .measured)
        #expect(Registry.parity("client.backoff.began") == ParityRule(.log, measured: ["delay"]))
        #expect(Registry.parity("user.send") == ParityRule(.log))
        #expect(Registry.parity("unknown.name") == ParityRule(.exact))
    }

    /// Other modules refer to these names as strings, so the compiler cannot check them.
    @Test(
        "The registry contains the names that other modules use",
        arguments: [
            "connection.state", "connection.transport", "connection.label", "connection.tone", "connection.attempt",
            "connection.last_error", "connection.open_sockets", "connection.next_attempt_in", "connection.rtt",
            "connection.quality", "network.reachable", "network.captive", "auth.authenticated",
            "auth.requires_reauth",
            "auth.version_warning", "poll.active", "sync.last_sequence", "sync.in_flight", "refresh.in_flight",
            "banner.kind", "banner.text", "banner.tone", "toast.text", "alert.title", "alert.text",
            "view.conversation",
            "view.phase", "view.rows", "conversation.messages", "unread", "message.status", "message.retry_available",
            "message.icon", "message.text", "message.timestamp", "outbox.count", "outbox.header_text", "peer.typing",
            "peer.presence", "stream.text", "client.started", "client.killed", "client.suspended", "client.woke",
            "client.attempt.began", "client.attempt.failed", "client.connected", "client.disconnected",
            "client.backoff.began", "client.backoff.cancelled", "client.gave_up", "client.accepted",
            "client.dropped_duplicate", "client.gap_detected", "client.unknown_frame", "client.malformed_frame",
            "client.refresh.began", "client.refresh.ended", "client.haptic", "server.started", "server.stopped",
            "server.accepted", "server.closed", "server.session_forgotten", "server.stored",
            "server.dropped_duplicate",
            "server.protocol_error", "network.accepted", "network.closed", "network.answered",
            "network.upgrade.refused", "network.dropped", "fault.began", "fault.ended",
        ]
    )
    func isThere(_ name: String) {
        #expect(Registry.entry(named: name) != nil)
    }

    @Test("The registry contains the events of every frame and every HTTP route")
    func framesAndRoutesAreThere() {
        for role in FrameRole.fromClient {
            #expect(Registry.entry(named: "client.sent.\(role.rawValue)") != nil)
            #expect(Registry.entry(named: "server.received.\(role.rawValue)") != nil)
        }
        for role in FrameRole.fromServer {
            #expect(Registry.entry(named: "server.sent.\(role.rawValue)") != nil)
            #expect(Registry.entry(named: "client.received.\(role.rawValue)") != nil)
        }
        for route in RouteKind.allCases { #expect(Registry.entry(named: "server.requested.\(route.rawValue)") != nil) }
    }
}
