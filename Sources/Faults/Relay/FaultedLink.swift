package import SquallCore

/// One link by itself, for whoever keeps links and decides about faults in a way of its own.
///
/// The ``Relay`` gives each fault to all links of some clients; here each link is given its faults, by number: who begins
/// them numbers them in the order in which bytes shall meet them.
package struct FaultedLink: Sendable {
    /// A fault on this link, and where its chance comes from.
    package struct AppliedFault: Sendable {
        package var number: Int
        package var fault: Fault
        package var seed: Seed
        /// The name of its streams of chance; the link's number is added.
        package var chance: String

        package init(number: Int, fault: Fault, seed: Seed, chance: String) {
            self.number = number
            self.fault = fault
            self.seed = seed
            self.chance = chance
        }
    }

    private var link: RelayedLink

    /// With `followsStreams` it knows where in HTTP and WebSocket its streams stand, and tells of each frame; it is never
    /// plain then.
    package init(_ id: LinkID, followsStreams: Bool = false) {
        link = RelayedLink(id, .nobody)
        if followsStreams { link.followStreams() }
    }

    package var id: LinkID { link.id }
    private var isSevered: Bool {
        let isUnheard = link.upstream.intake == .severed || link.upstream.intake == .open && link.hasNobodyBehind
        return isUnheard && link.downstream.intake == .severed && !link.resetsNext
    }

    /// Bytes from this side that it can be told at once, so that what it makes of them holds nobody else up.
    package func bite(from side: LinkSide) -> Int { link[side.outbound].pipeline.bite }

    /// What whoever carries it asks between two inputs, all at once: each question by itself would copy the link.
    package struct Standing: Hashable, Sendable {
        /// Whether bytes read from the client, or from the server, go straight to the other.
        package let isPlainFromClient: Bool
        package let isPlainFromServer: Bool
        /// Whether what the client sends is plain as soon as the server is there, and may as well stay with the kernel until then.
        package let isPlainOnceOpen: Bool
        /// When ``FaultedLink/advance(to:)`` is due; ``Instant/never`` while nothing is.
        package let nextDeadline: Instant
        /// Both directions were ended by a fault: what still comes is only thrown away.
        package let isSevered: Bool
        /// Nothing of it is left to be done or heard.
        package let isOver: Bool
    }

    package var standing: Standing {
        Standing(
            isPlainFromClient: link.isPlain(from: .client),
            isPlainFromServer: link.isPlain(from: .server),
            isPlainOnceOpen: link.isPlainOnceOpen,
            nextDeadline: link.nextDeadline ?? .never,
            isSevered: isSevered,
            isOver: link.isOver
        )
    }

    // MARK: - What happens

    /// How this link's handshake goes under these faults, where it has one.
    package func handshake(under appliedFaults: [AppliedFault]) -> Handshake {
        Handshake.worst(appliedFaults.lazy.filter(draws).compactMap { $0.fault.kind.behaviour.handshake })
    }

    /// The client's connection is there: `afflictions` are the faults that it meets, in order.
    package mutating func accept(_ appliedFaults: [AppliedFault], at now: Instant) -> [RelayOutput] {
        var outputs: [RelayOutput] = []
        var (acceptOutcome, number) = (AcceptOutcome.serve, 0)
        var strikes: [ImmediateEffect] = []
        for appliedFault in appliedFaults where draws(appliedFault) {
            let behaviour = appliedFault.fault.kind.behaviour
            if behaviour.followsNew { attach(appliedFault, at: now) }
            if behaviour.acceptOutcome.rank > acceptOutcome.rank {
                (acceptOutcome, number) = (behaviour.acceptOutcome, appliedFault.number)
            }
            switch behaviour.acceptMode {
            case .open: break
            case .dropping: if let applyImmediately = behaviour.applyImmediately { strikes.append(applyImmediately) }
            // Too late to refuse it: the nearest to that.
            case .refusing: strikes.append(.reset)
            }
        }
        if strikes.isEmpty {
            link.follow(acceptOutcome, of: number, at: now, into: &outputs)
        } else {
            for applyImmediately in strikes { link.applyImmediately(applyImmediately, at: now, into: &outputs) }
        }
        link.settle(into: &outputs)
        link.isFresh = false
        return finish(outputs, at: now)
    }

    package mutating func upstreamOpened(at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.upstreamOpened(at: now, into: &$1) }
    }

    package mutating func upstreamFailed(at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.upstreamFailed(at: now, into: &$1) }
    }

    package mutating func received(_ bytes: [UInt8], from side: LinkSide, at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.received(bytes, from: side, at: now, into: &$1) }
    }

    package mutating func ended(_ side: LinkSide, _ how: LinkEnd, at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.ended(side, how, at: now, into: &$1) }
    }

    /// What has come due.
    package mutating func advance(to now: Instant) -> [RelayOutput] {
        finish([], at: now)
    }

    // MARK: - Faults

    /// A fault begins while the connection is there.
    package mutating func begin(_ appliedFault: AppliedFault, at now: Instant) -> [RelayOutput] {
        guard draws(appliedFault) else { return [] }
        return handle(at: now) { link, outputs in
            let behaviour = appliedFault.fault.kind.behaviour
            if let applyImmediately = behaviour.applyImmediately {
                link.applyImmediately(applyImmediately, at: now, into: &outputs)
            }
            link.attach(
                appliedFault.number,
                behaviour,
                appliedFault.seed,
                "\(appliedFault.chance).\(link.id.number)",
                at: now
            )
        }
    }

    /// A fault takes on other attributes of its own kind, and its share is drawn anew.
    package mutating func adjust(_ appliedFault: AppliedFault, at now: Instant) -> [RelayOutput] {
        let isHit = draws(appliedFault)
        let behaviour = appliedFault.fault.kind.behaviour
        let stands = link.carries(appliedFault.number)
        guard isHit, stands, behaviour.isAdjustable || behaviour.closing != nil || link.shapes(appliedFault.number)
        else {
            var outputs = stands ? end(appliedFault.number, at: now) : []
            if isHit { outputs += begin(appliedFault, at: now) }
            return outputs
        }
        return handle(at: now) { link, outputs in
            link.closings.removeAll { $0.fault == appliedFault.number }
            if let closing = behaviour.closing {
                link.closings.append((appliedFault.number, now + closing.after, closing.how))
            }
            link.adjust(appliedFault.number, to: appliedFault.fault.kind, at: now, into: &outputs)
        }
    }

    /// Takes a fault off: what it held goes on its way, and a connection that misses bytes ends by FIN.
    package mutating func end(_ number: Int, at now: Instant) -> [RelayOutput] {
        handle(at: now) { $0.detach(number, at: now, into: &$1) }
    }

    // MARK: -

    private mutating func handle(
        at now: Instant,
        _ body: (inout RelayedLink, inout [RelayOutput]) -> Void
    ) -> [RelayOutput] {
        var outputs = link.nextDeadline.map { $0 <= now } == true ? finish([], at: now) : []
        body(&link, &outputs)
        return finish(outputs, at: now)
    }

    /// What is due, in the order of time.
    private mutating func finish(_ outputs: [RelayOutput], at now: Instant) -> [RelayOutput] {
        var outputs = outputs
        while let due = link.nextDeadline, due <= now { link.advance(to: due, into: &outputs) }
        return outputs
    }

    private func draws(_ appliedFault: AppliedFault) -> Bool {
        var toxicity = appliedFault.seed.stream(
            "\(appliedFault.chance).\(link.id.number).toxicity",
            for: link.id.client
        )
        return toxicity.chance(appliedFault.fault.toxicity)
    }

    private mutating func attach(_ appliedFault: AppliedFault, at now: Instant) {
        let use = "\(appliedFault.chance).\(link.id.number)"
        link.attach(appliedFault.number, appliedFault.fault.kind.behaviour, appliedFault.seed, use, at: now)
    }
}

extension Fault {
    /// How it leaves the door to new connections.
    package var acceptMode: AcceptMode { kind.behaviour.acceptMode }
    /// Whether it answers new connections in the server's place.
    package var standsIn: Bool { kind.behaviour.standsIn }
}
