package import SquallCore

/// A fault on a link: its kind and attributes, its duration, and the share of connections that it affects.
package struct Fault: Hashable, Sendable {
    /// A kind of fault in the catalogue, with its attributes: `.stall(Fault.Stall())`.
    ///
    /// The file of each kind, in the folder `Kinds`, adds a factory method to this type.
    package struct Kind: Hashable, Sendable {
        let behaviour: any LinkFault

        init(_ behaviour: any LinkFault) {
            self.behaviour = behaviour
        }

        package static func == (left: Kind, right: Kind) -> Bool { left.behaviour.isEqual(to: right.behaviour) }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(type(of: behaviour)))
            behaviour.hash(into: &hasher)
        }
    }

    package var kind: Kind
    /// The time after which the fault ends on its own; nil if it lasts until it is healed.
    package var duration: TimeSpan?
    /// The probability that the fault affects a connection, drawn separately for each connection. Only faults that act
    /// on bytes use it.
    package var toxicity: Ratio

    package init(_ kind: Kind, for duration: TimeSpan? = nil, toxicity: Ratio = .always) {
        self.kind = kind
        self.duration = duration
        self.toxicity = toxicity
    }

    var behaviour: any LinkFault { kind.behaviour }
}

extension Fault {
    /// The name of the fault in scenario files, such as `slow_close`.
    package var verb: String { type(of: behaviour).verb }

    /// Returns whether the fault has attributes of this type, as in `isKind(Fault.CaptivePortal.self)`.
    package func isKind<Attributes>(_ type: Attributes.Type) -> Bool { behaviour is Attributes }

    /// The target, such as an open connection, that this fault must hit to have an effect; nil if the fault needs no
    /// target. A run in which a fault misses its target proves nothing.
    package var target: FaultTarget? { type(of: behaviour).target }

    /// How the listener treats new connections while the fault lasts.
    package var acceptMode: AcceptMode { behaviour.acceptMode }

    /// Whether the relay itself can answer new connections, so that they are accepted even if the server is not
    /// listening.
    package var answersForServer: Bool { behaviour.answersForServer }

    /// Whether the fault can act on a connection only if the relay has parsed that connection from its first byte. This
    /// matters for connections that are open when the fault begins.
    package var needsStreamTracking: Bool { behaviour.needsStreamTracking }

    /// Whether the fault reads WebSocket messages. It cannot read them on a connection that compresses them.
    package var readsMessages: Bool { behaviour.readsMessages }

    /// The JSON `type` of the messages that the fault selects; nil if it selects messages of any type, or does not
    /// select messages at all.
    package var messageType: String? { behaviour.messageType }

    /// Whether the fault affects only TLS handshakes, and so has no effect on a link without TLS.
    package var isAboutHandshakes: Bool { type(of: behaviour).isAboutHandshakes }
}

extension Fault {
    /// The directions of a connection in which a fault acts; upstream is the direction towards the server.
    package enum Stream: String, Hashable, Sendable, CaseIterable {
        case upstream, downstream, both

        package func includes(_ direction: Direction) -> Bool {
            switch self {
            case .upstream: direction == .upstream
            case .downstream: direction == .downstream
            case .both: true
            }
        }
    }
}

extension Fault {
    /// The range of sizes, offsets and rates, in bytes, that a scenario may specify.
    static let byteRange: ClosedRange<Int64> = 0...1_000_000_000_000
}
