import SquallCore
import Trace

/// A standing invariant (one that holds for every scenario) as displayed by the web panel.
package struct PanelLight: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case holds, broken
        /// No event to which the invariant applies has occurred so far.
        case waiting
        /// The client does not report the observables that the invariant reads.
        case unseen
    }

    package var name: String
    package var state: State
    /// The reason why the invariant is broken or cannot be evaluated; empty if it holds.
    package var why: String
    /// The indices of the events that broke the invariant.
    package var evidence: [Int]

    package init(name: String, state: State, why: String = "", evidence: [Int] = []) {
        self.name = name
        self.state = state
        self.why = why
        self.evidence = evidence
    }

    fileprivate var json: JSON {
        [
            "name": .string(name), "state": .string(state.rawValue), "why": .string(why),
            "evidence": .array(evidence.map { .integer(Int64($0)) }),
        ]
    }
}

/// A change to the server or a device that lasts until another step undoes it, as displayed by the web panel.
package struct PanelChange: Hashable, Sendable {
    /// The step that made the change.
    package var step: String
    /// The id of the panel's action that undoes it, such as `server.limit`, with the contents of the action's fields.
    package var action: String
    package var fields: [String: String]
    package var client: String?

    package init(step: String, action: String, fields: [String: String], client: String?) {
        (self.step, self.action, self.fields, self.client) = (step, action, fields, client)
    }

    fileprivate var json: JSON {
        let fields = fields.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
        return [
            "step": .string(step),
            "undo": [
                "action": .string(action), "fields": .object(fields), "client": client.map { .string($0) } ?? .null,
            ],
        ]
    }
}

/// The current state that the web panel displays: the faults, clients and invariants of a run, or the proxies of
/// `squall proxy`, each displayed like a client.
struct PanelBoard: Sendable {
    /// The number of ended faults that the board keeps so that they can still be drawn.
    private static let endedFaults = 40

    private struct Client: Sendable {
        let id: ClientID
        /// The addresses at which the client reaches its servers.
        var urls: [String] = []
        var link = "none"
        var connections = OpenConnections()
    }

    private var clients: [Client]
    private var faults = FaultSpans()
    /// The times at which each fault in ``faults`` began and ended.
    private var times: [(began: Instant, ended: Instant?)] = []
    var lights: [PanelLight] = []
    /// The changes that healing all faults does not undo.
    var changes: [PanelChange] = []
    /// The proxies in the JSON form of their API; empty for a run.
    var proxies: [JSON] = []
    /// Whether the run is held (paused).
    private var isHeld = false
    /// The verdict of the run; nil while the run continues.
    var verdict: String?

    init(clients: [ClientID]) {
        self.clients = clients.map { Client(id: $0) }
    }

    mutating func announce(_ urls: [ClientID: [String]]) {
        for index in clients.indices { clients[index].urls = urls[clients[index].id] ?? clients[index].urls }
    }

    /// Updates the board with the next event. Returns whether the board has changed.
    mutating func observe(_ event: TraceEvent) -> Bool {
        switch event.name {
        case "fault.began", "fault.ended", "toxic.added", "toxic.removed":
            guard let span = faults.observe(event, at: event.index) else { return false }
            if span == times.count { times.append((event.time, nil)) } else { times[span].ended = event.time }
            return true
        case "run.hold_began", "run.hold_ended":
            isHeld = event.name == "run.hold_began"
            return true
        case "link.state": return change(event) { $0.link = event.value?.stringValue ?? $0.link }
        case "proxy.listening":
            if let proxy = event.client, !clients.contains(where: { $0.id == proxy }) {
                clients.append(Client(id: proxy))
            }
            return change(event) {
                $0.link = "listening"
                $0.urls = [event.fields?["listen"]?.stringValue ?? ""]
            }
        case "proxy.stopped": return change(event) { $0.link = "disabled" }
        case "proxy.removed":
            clients.removeAll { $0.id == event.client }
            return true
        default:
            guard let index = clients.firstIndex(where: { $0.id == event.client }) else { return false }
            return clients[index].connections.observe(event)
        }
    }

    private mutating func change(_ event: TraceEvent, _ body: (inout Client) -> Void) -> Bool {
        guard let index = clients.firstIndex(where: { $0.id == event.client }) else { return false }
        body(&clients[index])
        return true
    }

    var json: JSON {
        let active = Set(faults.active)
        let shown = faults.spans.indices.suffix(Self.endedFaults + active.count)
        let kept = faults.active.filter { $0 < shown.lowerBound } + shown
        return [
            "faults": .array(kept.map { fault(faults.spans[$0], times[$0]) }),
            "clients": .array(
                clients.map { client in
                    [
                        "name": .string(client.id.name), "link": .string(client.link),
                        "urls": .array(client.urls.map { .string($0) }),
                        "connections": .integer(Int64(client.connections.count)),
                    ]
                }
            ),
            "lights": .array(lights.map(\.json)), "changes": .array(changes.map(\.json)),
            "proxies": .array(proxies), "held": .bool(isHeld),
            "verdict": verdict.map { .string($0) } ?? .null,
        ]
    }

    private func fault(_ span: FaultSpan, _ time: (began: Instant, ended: Instant?)) -> JSON {
        [
            "label": .string(span.label), "fault": .string(span.fault),
            "clients": .array(span.clients.map { .string($0.name) }), "from": .integer(Int64(span.began)),
            "to": .integer(Int64(span.ended ?? -1)), "began": .integer(time.began.nanoseconds),
            "ended": time.ended.map { .integer($0.nanoseconds) } ?? .null, "depth": .integer(Int64(span.depth)),
        ]
    }
}

extension TraceEvent {
    /// The value that the event sets; nil if the event does not set a value.
    fileprivate var value: JSON? {
        if case .set(let value) = observation.change { value } else { nil }
    }
}
