import Faults
import SquallCore

/// The documentation of one kind of proxy event: name, fields and meaning.
package struct ProxyEventEntry: Hashable, Sendable {
    package let name: String
    package let fields: [String]
    package let meaning: String

    private init(_ name: String, _ fields: [String], _ meaning: String) {
        self.name = name
        self.fields = fields
        self.meaning = meaning
    }

    /// All kinds of proxy events; a schedule can wait only for these.
    package static let all: [ProxyEventEntry] =
        [
            ProxyEventEntry("proxy.listening", ["listen"], "A proxy started to listen on this address."),
            ProxyEventEntry("proxy.stopped", [], "A proxy stopped listening and ended its connections."),
            ProxyEventEntry("proxy.removed", [], "A proxy was removed."),
            ProxyEventEntry("proxies.reset", [], "Every proxy was enabled and every toxic removed."),
            ProxyEventEntry("toxic.added", ["toxic", "type"], "A toxic was added."),
            ProxyEventEntry("toxic.updated", ["toxic", "type"], "A toxic's attributes or toxicity were changed."),
            ProxyEventEntry("toxic.removed", ["toxic", "type"], "A toxic was removed."),
            ProxyEventEntry("toxic.down", ["toxic", "type"], "A `flap` started an outage."),
            ProxyEventEntry("toxic.up", ["toxic", "type"], "A `flap` ended an outage."),
            ProxyEventEntry(
                "schedule.stepped",
                ["schedule", "step"],
                "A step of a schedule was executed; steps are counted from 0."
            ),
            ProxyEventEntry("link.accepted", ["client"], "A connection from this address was accepted."),
            ProxyEventEntry("link.datagrams", ["client"], "The first datagram of a session arrived from this address."),
            ProxyEventEntry(
                "link.requested",
                ["method", "target"],
                "The first request of a connection was read."
            ),
            ProxyEventEntry(
                "link.hello",
                ["server_name"],
                "A client's TLS ClientHello was read without terminating TLS; `server_name` is the host that it names."
            ),
            ProxyEventEntry(
                "link.secured",
                ["side", "server_name"],
                "A TLS handshake completed; on the client's side, `server_name` is the host that the client requested."
            ),
            ProxyEventEntry("link.handshake_failed", ["side", "why"], "A TLS handshake failed."),
            ProxyEventEntry(
                "link.truncated",
                ["side"],
                "A TLS connection ended without close_notify, so its data may be incomplete."
            ),
            ProxyEventEntry("link.upstream_failed", ["why"], "The connection to the upstream failed."),
            ProxyEventEntry(
                "link.over",
                ["to_server", "to_client"],
                "A connection is over; the fields count the bytes written to each side."
            ),
        ]
        + ProxyEvent.relayedObservations.compactMap { name in Fault.registry.first { $0.name == name } }.map(
            Self.init(observation:)
        )
        + [ProxyEventEntry("trouble", ["message"], "A requested operation failed.")]

    /// Creates the documentation of a proxy event from that of the corresponding scenario observation, whose name
    /// differs.
    private init(observation entry: RegistryEntry) {
        self.init(ProxyEvent.name(of: entry.name), ProxyEvent.fields(entry.fields.map(\.name)) { $0 }, entry.meaning)
    }
}

extension ProxyEvent {
    /// The scenario observations that a proxy also reports as events, under other names.
    static let relayedObservations = [
        "network.answered", "network.upgrade.refused", "network.frame", "network.frames", "network.frames.missed",
        "network.dropped", "network.closed",
    ]

    /// Returns the name of the proxy event for an observation, such as `link.closed` for `network.closed`.
    static func name(of observed: String) -> String {
        observed.hasPrefix("network.") ? "link." + observed.dropFirst("network.".count) : observed
    }

    /// Returns the fields of an observation without `link`, because every connection event has that field anyway.
    static func fields<Field>(_ observed: [Field], name: (Field) -> String) -> [Field] {
        observed.filter { name($0) != "link" }
    }
}
