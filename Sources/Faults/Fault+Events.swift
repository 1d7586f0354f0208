package import SquallCore
import WebSocketWire

extension ValueKind {
    /// Creates the value type that corresponds to this kind of parameter.
    fileprivate init(_ kind: ParameterKind) {
        self =
            switch kind {
            case .text, .label: .text
            case .integer: .integer
            case .duration: .duration
            case .flag: .flag
            case .word(let words): .word(words)
            case .list: .list
            case .json: .fields([], measured: [])
            }
    }
}

extension Fault {
    /// The registry entries for fault actions, fault events and network events.
    package static let registry: [RegistryEntry] =
        actions.filter(\.takesLabel).map { action in
            RegistryEntry(
                .fault,
                action.verb,
                .fields(action.parameters.map { EventField($0.name, ValueKind($0.kind)) }, measured: []),
                provenance: .injected,
                parity: .log,
                level: .wire,
                action.meaning
            )
        } + events

    private static let events: [RegistryEntry] = [
        event(
            "fault.began",
            ["fault", .list("clients")],
            key: "label",
            "A fault begins. The event's key is the fault's `as:` label, or its verb; `clients` is set unless all "
                + "clients are affected."
        ),
        event(
            "fault.hit",
            ["fault", .list("clients")],
            key: "label",
            """
            A fault takes effect for the first time: a drop, reset or half-open on a connection; a cut, limit or \
            corruption at its byte; a message fault on its message; a status, a portal or an immediate close on a \
            new connection.
            """
        ),
        event(
            "fault.ended",
            ["fault", .list("clients")],
            key: "label",
            "A fault ends: it was healed, its duration has passed, or it is instantaneous."
        ),
        event(
            "fault.turned",
            ["fault", .flag("down"), .list("clients")],
            key: "label",
            "A flap begins or ends an outage."
        ),
        event(
            "fault.lifted",
            ["fault"],
            key: "label",
            "A user's login at the captive portal ends the fault for the user's client."
        ),
        // Sockets and HTTP exchanges begin and end concurrently, so the order of these events differs between simulated
        // and live runs. Only the connection events that the client and the server report are compared.
        event(
            "network.accepted",
            [.integer("link")],
            measured: ["link"],
            parity: .measured,
            "A connection of the client is accepted."
        ),
        event(
            "network.closed",
            [
                .word("side", LinkSide.allCases.map(\.rawValue) + ["network"]), .word("how", LinkEnd.self),
                .integer("link"),
            ],
            measured: ["link"],
            parity: .measured,
            "A connection begins to close: `side` (client, server or network) closes it first, by a fin or an rst "
                + "(`how`)."
        ),
        event(
            "network.login_replayed",
            [.flag("recorded")],
            "A third party replays the client's recorded login, if there is one."
        ),
        event(
            "network.handshake.failed",
            ["how"],
            parity: .unordered,
            "A TLS handshake fails: `how` is the kind of the invalid certificate, `refused` or `stalled`."
        ),
        event("network.answered", [.integer("status")], parity: .unordered, "A captive portal responds to a request."),
        event(
            "network.upgrade.refused",
            [.integer("status")],
            parity: .unordered,
            "A WebSocket upgrade is answered by the network instead of the server."
        ),
        event(
            "network.frame",
            [
                .word("direction", Direction.self), .word("opcode", Opcode.names), .flag("fin"), .integer("bytes"),
                .flag("compressed"),
            ],
            measured: ["bytes"],
            provenance: .observed,
            parity: .measured,
            "A WebSocket frame passes on a connection whose frames are parsed."
        ),
        event(
            "network.frames",
            [.word("direction", Direction.self), .word("action", Fault.Frames.Action.self)],
            parity: .measured,
            "A fault drops, delays or alters a WebSocket message."
        ),
        event(
            "network.frames.missed",
            [.word("direction", Direction.self)],
            parity: .measured,
            "A compressed message passes a fault that selects messages but cannot parse it. Emitted once for each "
                + "fault, connection and direction."
        ),
        event(
            "network.dropped",
            [.word("direction", Direction.self), .integer("bytes")],
            measured: ["bytes"],
            parity: .measured,
            "Bytes of a connection are lost: discarded, or in flight when the connection was lost."
        ),
    ]

    private static func event(
        _ name: String,
        _ fields: [EventField],
        key: String? = nil,
        measured: [String] = [],
        provenance: Provenance = .injected,
        parity: ParityClass = .log,
        _ meaning: String
    ) -> RegistryEntry {
        RegistryEntry(
            .event,
            name,
            .fields(fields, measured: measured),
            key: key,
            provenance: provenance,
            parity: parity,
            level: .wire,
            meaning
        )
    }
}
