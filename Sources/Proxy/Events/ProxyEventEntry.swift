import Faults
import SquallCore

/// What one kind of event is: its name, the fields that it may have beside those of every event, and its meaning.
package struct ProxyEventEntry: Hashable, Sendable {
    package let name: String
    package let fields: [String]
    package let meaning: String

    private init(_ name: String, _ fields: [String], _ meaning: String) {
        self.name = name
        self.fields = fields
        self.meaning = meaning
    }

    /// Every kind that there is: a schedule waits for no other.
    package static let all: [ProxyEventEntry] =
        [
            ProxyEventEntry("proxy.listening", ["listen"], "A proxy listens, at this address."),
            ProxyEventEntry("proxy.stopped", [], "A proxy listens no longer, and its connections have ended."),
            ProxyEventEntry("proxy.removed", [], "A proxy is gone."),
            ProxyEventEntry("proxies.reset", [], "Every proxy was enabled and every toxic removed."),
            ProxyEventEntry("toxic.added", ["toxic", "type"], "A toxic has come."),
            ProxyEventEntry("toxic.updated", ["toxic", "type"], "A toxic is another."),
            ProxyEventEntry("toxic.removed", ["toxic", "type"], "A toxic has gone."),
            ProxyEventEntry("toxic.down", ["toxic", "type"], "A `flap` begins an outage."),
            ProxyEventEntry("toxic.up", ["toxic", "type"], "A `flap` ends an outage."),
            ProxyEventEntry("schedule.stepped", ["schedule", "step"], "A step of a schedule is done, counted from 0."),
            ProxyEventEntry("link.accepted", ["client"], "A connection has come in, from this address."),
            ProxyEventEntry("link.datagrams", ["client"], "Datagrams begin to come from this address."),
            ProxyEventEntry(
                "link.requested",
                ["method", "target"],
                "A connection's first request, where it was read."
            ),
            ProxyEventEntry(
                "link.hello",
                ["server_name"],
                "A client's TLS hello was read in passing, and names this host."
            ),
            ProxyEventEntry(
                "link.secured",
                ["side", "server_name"],
                "A TLS handshake is done, the client's with the host that it asked for."
            ),
            ProxyEventEntry("link.handshake_failed", ["side", "why"], "A TLS handshake has come to nothing."),
            ProxyEventEntry(
                "link.truncated",
                ["side"],
                "A TLS connection has ended without close_notify: what it sent may not be all."
            ),
            ProxyEventEntry("link.upstream_failed", ["why"], "The upstream could not be reached."),
            ProxyEventEntry(
                "link.over",
                ["to_server", "to_client"],
                "Nothing is left of a connection; how many bytes were written to each side."
            ),
        ] + ProxyEvent.seen.compactMap { name in Fault.registry.first { $0.name == name } }.map(Self.init(seen:))
        + [ProxyEventEntry("trouble", ["message"], "Something cannot be done as it was asked for.")]

    /// One that scenarios tell of too, under another name.
    private init(seen entry: RegistryEntry) {
        self.init(ProxyEvent.name(of: entry.name), ProxyEvent.fields(entry.fields.map(\.name)) { $0 }, entry.meaning)
    }
}

extension ProxyEvent {
    /// What may be observed of a link that a proxy carries, as scenarios call it.
    static let seen = [
        "network.answered", "network.upgrade.refused", "network.frame", "network.frames", "network.frames.missed",
        "network.dropped", "network.closed",
    ]

    /// What a proxy calls what scenarios call `network.closed`.
    static func name(of observed: String) -> String {
        observed.hasPrefix("network.") ? "link." + observed.dropFirst("network.".count) : observed
    }

    /// Without the link's number, which every event of a link has.
    static func fields<Field>(_ observed: [Field], name: (Field) -> String) -> [Field] {
        observed.filter { name($0) != "link" }
    }
}
