import Faults
import SquallCore
import Trace

/// One event in the proxy's log.
struct ProxyEvent {
    enum Kind {
        case listening(String)
        case stopped
        case removed
        case accepted(from: SystemAddress)
        /// The first datagram of a session arrived from this address.
        case datagrams(from: String)
        case upstreamFailed(LinkFailure)
        case observed(Observation)
        /// A connection has ended; the values are the number of bytes written to each side.
        case closed(toServer: UInt64, toClient: UInt64)
        case toxic(ToxicChange, Toxic)
        case reset
        /// The first HTTP request on a connection was parsed; the values are its method and target.
        case requested(String, String)
        /// The proxy read a client's ClientHello without terminating TLS. `serverName` is the requested host (SNI).
        case clientHello(serverName: String?)
        /// A TLS handshake completed. On the client's side, `serverName` is the host that the client requested.
        case tlsEstablished(LinkSide, serverName: String?)
        /// A TLS handshake failed, for the given reason.
        case handshakeFailed(LinkSide, String)
        /// A TLS connection ended without close_notify, so its data may be incomplete.
        case truncated(LinkSide)
        case scheduleStepRun(schedule: String, step: Int)
        case problem(String)
    }

    /// A change to a toxic. A `flap` toxic reports `down` when an outage starts and `up` when the outage ends.
    enum ToxicChange: String, CaseIterable {
        case added, updated, removed, down, up
    }

    let number: Int
    /// The event's time on the monotonic clock, measured from the proxy server's start.
    let at: Instant
    let proxy: String?
    let link: Int?
    private let kind: Kind

    init(_ kind: Kind, number: Int, at: Instant, proxy: String?, link: Int?) {
        self.number = number
        self.at = at
        self.proxy = proxy
        self.link = link
        self.kind = kind
    }

    var name: String { description.name }

    /// The event's name and fields, computed on demand because most events are never read.
    private var description: (name: String, fields: [JSONMember]) {
        switch kind {
        case .listening(let address): return ("proxy.listening", [JSONMember("listen", .string(address))])
        case .stopped: return ("proxy.stopped", [])
        case .removed: return ("proxy.removed", [])
        case .accepted(let client): return ("link.accepted", [JSONMember("client", .string(client.description))])
        case .datagrams(let client): return ("link.datagrams", [JSONMember("client", .string(client))])
        case .upstreamFailed(let why): return ("link.upstream_failed", [JSONMember("why", .string(why.rawValue))])
        case .observed(let observation):
            var fields: [JSONMember] = []
            if case .happened(let json) = observation.change {
                fields = Self.fields(json.members ?? [], name: \.name)
            }
            return (Self.name(of: observation.name), fields)
        case .closed(let toServer, let toClient):
            return (
                "link.over",
                [
                    JSONMember("to_server", .integer(Int64(clamping: toServer))),
                    JSONMember("to_client", .integer(Int64(clamping: toClient))),
                ]
            )
        case .toxic(let what, let toxic):
            return (
                "toxic.\(what.rawValue)",
                [JSONMember("toxic", .string(toxic.name)), JSONMember("type", .string(toxic.type))]
            )
        case .requested(let method, let target):
            return ("link.requested", [JSONMember("method", .string(method)), JSONMember("target", .string(target))])
        case .clientHello(let name):
            return ("link.hello", name.map { [JSONMember("server_name", .string($0))] } ?? [])
        case .tlsEstablished(let side, let name):
            let server = name.map { [JSONMember("server_name", .string($0))] } ?? []
            return ("link.secured", [JSONMember("side", .string(side.rawValue))] + server)
        case .handshakeFailed(let side, let why):
            let fields = [JSONMember("side", .string(side.rawValue)), JSONMember("why", .string(why))]
            return ("link.handshake_failed", fields)
        case .truncated(let side): return ("link.truncated", [JSONMember("side", .string(side.rawValue))])
        case .scheduleStepRun(let schedule, let step):
            return (
                "schedule.stepped",
                [JSONMember("schedule", .string(schedule)), JSONMember("step", .integer(Int64(step)))]
            )
        case .reset: return ("proxies.reset", [])
        case .problem(let text): return ("trouble", [JSONMember("message", .string(text))])
        }
    }

    /// The event converted to a trace event. The proxy's name becomes the client, and the connection's number or the
    /// toxic's name becomes the key.
    var traceEvent: TraceEvent {
        let (name, fields) = description
        let toxic = name.hasPrefix("toxic.") ? fields.first { $0.name == "toxic" }?.value.stringValue : nil
        let isOrdered = name.hasPrefix("toxic.") || name.hasPrefix("prox") || name.hasPrefix("schedule.")
        return TraceEvent(
            index: number - 1,
            time: at,
            client: proxy.map { ClientID($0) },
            observation: .happened(
                name,
                key: link.map { "\($0)" } ?? toxic,
                .object(fields),
                by: isOrdered ? .injected : .observed
            )
        )
    }

    /// The event as one line of JSON, including the line feed.
    var line: [UInt8] {
        let (name, fields) = description
        var members = [
            JSONMember("n", .integer(Int64(number))), JSONMember("t_ns", .integer(at.nanoseconds)),
            JSONMember("event", .string(name)),
        ]
        if let proxy { members.append(JSONMember("proxy", .string(proxy))) }
        if let link { members.append(JSONMember("link", .integer(Int64(link)))) }
        var bytes = JSON.object(members + fields).encode()
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
