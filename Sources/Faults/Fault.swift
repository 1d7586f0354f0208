package import SquallCore

/// Something that can happen on a link: its kind with its attributes, its duration, and the connections that it
/// affects.
package struct Fault: Hashable, Sendable {
    /// One of the catalogue's faults with its attributes: `.stall(Fault.Stall())`.
    ///
    /// The file of each fault in `Kinds` adds its own factory to this type.
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
    /// The span after which the fault ends by itself; nil if it lasts until it is healed.
    package var duration: TimeSpan?
    /// The share of connections affected by a fault that acts on their bytes, drawn once per connection.
    package var toxicity: Ratio

    package init(_ kind: Kind, for duration: TimeSpan? = nil, toxicity: Ratio = .always) {
        self.kind = kind
        self.duration = duration
        self.toxicity = toxicity
    }

    var behaviour: any LinkFault { kind.behaviour }
}

extension Fault {
    /// The name in scenario files: `slow_close`.
    package var verb: String { type(of: behaviour).verb }

    /// Whether the fault has these attributes: `isKind(Fault.CaptivePortal.self)`.
    package func isKind<Attributes>(_ type: Attributes.Type) -> Bool { behaviour is Attributes }

    /// What must happen for this fault to have had an effect: a run in which it does not proves nothing. Nil for faults
    /// that are effective merely by lasting.
    package var target: FaultTarget? { type(of: behaviour).target }

    /// How the listener treats new connections while the fault lasts.
    package var acceptMode: AcceptMode { behaviour.acceptMode }

    /// Whether the network answers new connections in the server's place, so that no server needs to listen.
    package var answersForServer: Bool { behaviour.answersForServer }

    /// Whether a connection that is open when the fault begins must have been followed from its first byte for the
    /// fault to act on it.
    package var needsStreamTracking: Bool { behaviour.needsStreamTracking }

    /// Whether the fault reads WebSocket messages, which it cannot do on a connection that compresses them.
    package var readsMessages: Bool { behaviour.readsMessages }

    /// The JSON `type` of the messages that the fault is for; nil if it is for messages of any type, or for none.
    package var messageType: String? { behaviour.messageType }

    /// Whether the fault is about TLS handshakes alone, and does nothing on a link without TLS.
    package var isAboutHandshakes: Bool { behaviour.isAboutHandshakes }
}

extension Fault {
    /// The directions of a connection that a fault acts on; upstream is towards the server.
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
    /// Sizes, offsets and rates in bytes that a scenario may give.
    static let byteRange: ClosedRange<Int64> = 0...1_000_000_000_000
}
