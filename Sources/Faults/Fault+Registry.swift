package import SquallCore
import WebSocketWire

extension ValueKind {
    /// What a parameter of that kind is as a value.
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
    /// The faults, and the events of the network and of faults.
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
            "A fault begins; its key is its `as:` name, or its verb. It names its clients where it does not hit all."
        ),
        event(
            "fault.hit",
            ["fault", .list("clients")],
            key: "label",
            "A fault that is aimed at something has met it for the first time: a drop, reset or half-open a connection, a cut, limit or corruption its byte, a message fault its message, a status, a portal or a closed door whoever comes in."
        ),
        event(
            "fault.ended",
            ["fault", .list("clients")],
            key: "label",
            "A fault ends: healed, at its own time, or at once."
        ),
        event(
            "fault.turned",
            ["fault", .flag("down"), .list("clients")],
            key: "label",
            "A flap goes over to an outage or out of it."
        ),
        event("fault.lifted", ["fault"], key: "label", "A login at the captive portal ends it for this client."),
        // Sockets and HTTP exchanges come and go side by side, in no order that two worlds share: what a connection's
        // beginning and end mean is compared where client and server tell of it.
        event(
            "network.accepted",
            [.integer("link")],
            measured: ["link"],
            parity: .measured,
            "A connection of the client has come about."
        ),
        event(
            "network.closed",
            [
                .word("side", LinkSide.allCases.map(\.rawValue) + ["network"]), .word("how", LinkEnd.self),
                .integer("link"),
            ],
            measured: ["link"],
            parity: .measured,
            "A connection gets its first end: who ended it, client, server or network, and how, fin or rst."
        ),
        event(
            "network.login_replayed",
            [.flag("recorded")],
            "A third party says again what it has recorded of the client's login, if it has."
        ),
        event("network.refused", [], parity: .unordered, "A connection was refused."),
        event(
            "network.handshake.failed",
            ["how"],
            parity: .unordered,
            "A TLS handshake came to nothing: by what was wrong with the certificate, or refused."
        ),
        event("network.answered", [.integer("status")], parity: .unordered, "A captive portal has answered a request."),
        event(
            "network.upgrade.refused",
            [.integer("status")],
            parity: .unordered,
            "A WebSocket upgrade was answered in the server's place."
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
            "A WebSocket frame has passed, where connections are followed."
        ),
        event(
            "network.frames",
            [.word("direction", Direction.self), .word("action", Fault.Frames.Action.self)],
            parity: .measured,
            "Something was done to a WebSocket message."
        ),
        event(
            "network.frames.missed",
            [.word("direction", Direction.self)],
            parity: .measured,
            "A compressed message passed a fault that is to choose messages, and cannot read it. Told once a fault, connection and direction."
        ),
        event(
            "network.dropped",
            [.word("direction", Direction.self), .integer("bytes")],
            measured: ["bytes"],
            parity: .measured,
            "Bytes of a connection are gone: thrown away, or under way when it was lost."
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
